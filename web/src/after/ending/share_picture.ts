// The picture to share as a file: made on the device, then sent by the device or saved.

import { saveFile } from "$lib/files";
import { HEIGHT, WIDTH } from "./share_card";

const NAME = "granada.png";

/** The address of a drawing that an image can show; the content security policy allows no others. */
export function addressOf(svg: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
}

export async function pictureOf(svg: string): Promise<Blob> {
  const image = new Image(WIDTH, HEIGHT);
  image.src = addressOf(svg);
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  canvas.getContext("2d")!.drawImage(image, 0, 0, WIDTH, HEIGHT);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error("no picture")) : resolve(blob)), "image/png"),
  );
}

/** Send the picture with the device's own dialog, on devices that have one for pictures, or save it; whether it was saved. */
export async function sendPicture(svg: string, title: string): Promise<boolean> {
  const picture = await pictureOf(svg);
  const file = new File([picture], NAME, { type: "image/png" });
  const isHandheld = matchMedia("(pointer: coarse)").matches;
  if (isHandheld && typeof navigator.canShare === "function" && navigator.canShare({ files: [file] })) {
    try {
      await navigator.share({ files: [file], title });
      return false;
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return false; // closed without sending
    }
  }
  saveFile(NAME, "image/png", picture);
  return true;
}
