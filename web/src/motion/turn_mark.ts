// The mark of the turn slides from one name plate to the next, and the sentence rises.

import { boxOf, isShown, type Box, type Stage } from "./stage";

const HEIGHT = 3;
const RISE = 6;

export function turnMark(stage: Stage, root: ParentNode, from: Box | null, to: Element | null): void {
  if (!isShown(to)) return;
  if (!stage.isMoving || from === null) {
    stage.ring(to);
    return;
  }
  const at = boxOf(to);
  const mark = document.createElement("div");
  mark.className = "motion-turn";
  mark.style.width = `${at.w}px`;
  stage.add(mark, { x: at.x, y: at.y + at.h - HEIGHT });
  const frames = [
    { transform: `translate(${from.x - at.x}px, ${from.y - at.y}px) scaleX(${from.w / at.w})` },
    { transform: "none" },
  ];
  const [, short, long] = stage.timing.steps;
  void stage.run(mark, "turn", frames, { duration: long, easing: stage.timing.ease }).then(() => mark.remove());
  const sentence = root.querySelector("[data-sentence]");
  if (isShown(sentence))
    void stage.run(
      sentence,
      "sentence",
      [
        { opacity: 0, transform: `translateY(${RISE}px)` },
        { opacity: 1, transform: "none" },
      ],
      { duration: short, easing: stage.timing.ease },
    );
}
