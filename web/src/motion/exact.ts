// 3.4: sparks where a tile was paid exactly; the sentence says that you act again.

import { t } from "$lib/i18n.svelte";
import type { Changes } from "./changes";
import { placeOf } from "./pieces";
import { boxOf, isShown, type Stage } from "./stage";

const SPARKS = 8;
const SVG = "http://www.w3.org/2000/svg";

export function exactSparks(stage: Stage, root: ParentNode, { place, isOwn }: NonNullable<Changes["exact"]>): void {
  const plate = placeOf(root, place);
  const sentence = root.querySelector("[data-sentence]");
  if (!stage.isMoving) {
    const ringed = isOwn ? sentence : plate;
    if (isShown(ringed)) stage.ring(ringed);
    return;
  }
  if (!isShown(plate)) return;
  const { x, y, w, h } = boxOf(plate);
  const centre = { x: x + w / 2, y: y + h / 2 };
  for (let i = 0; i < SPARKS; i++) fly(stage, centre, (i * 2 * Math.PI) / SPARKS);
  if (isOwn && isShown(sentence)) void say(stage, centre, sentence);
}

function fly(stage: Stage, { x, y }: { x: number; y: number }, angle: number): void {
  const spark = document.createElement("div");
  spark.className = "motion-spark";
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  const ray = document.createElementNS(SVG, "path");
  ray.setAttribute("d", "M12 1l2.6 8.4L23 12l-8.4 2.6L12 23l-2.6-8.4L1 12l8.4-2.6z");
  picture.append(ray);
  spark.append(picture);
  const at = (far: number) => `translate(${Math.cos(angle) * far}px, ${Math.sin(angle) * far}px)`;
  const frames = [
    { transform: "scale(.3)", opacity: 0 },
    { transform: `${at(26)} scale(1)`, opacity: 1, offset: 0.35 },
    { transform: `${at(52)} scale(.2) rotate(45deg)`, opacity: 0 },
  ];
  stage.add(spark, { x: x - 9, y: y - 9 });
  void stage
    .run(spark, "exact", frames, { duration: stage.timing.steps[4], easing: stage.timing.ease, fill: "both" })
    .then(() => spark.remove());
}

async function say(stage: Stage, from: { x: number; y: number }, sentence: Element): Promise<void> {
  const { x, y } = boxOf(sentence);
  const chip = document.createElement("div");
  chip.className = "motion-chip";
  chip.textContent = t("fit.again");
  stage.add(chip, { x, y });
  const { width, height } = chip.getBoundingClientRect();
  const at = (lift: number) =>
    `translate(${Math.max(8, from.x - width / 2) - x}px, ${from.y - height / 2 - lift - y}px)`;
  const frames = [
    { transform: `${at(0)} scale(.6)`, opacity: 0 },
    { transform: `${at(24)} scale(1.06)`, opacity: 1, offset: 0.35 },
    { transform: at(24), opacity: 1, offset: 0.55 },
    { transform: "none", opacity: 1 },
  ];
  const [short, , , , long] = stage.timing.steps;
  const timing = { easing: stage.timing.ease, fill: "both" } as const;
  if (await stage.run(chip, "exact-words", frames, { duration: long, ...timing }))
    await stage.run(chip, "exact-words", [{ opacity: 1 }, { opacity: 0 }], { duration: short, ...timing });
  chip.remove();
}
