import type { Picture } from '../protocol.ts';

/** Pixels of the longest side: enough for the largest code. */
const LONGEST_SIDE = { camera: 1000, file: 1800 } as const;

const MOST_FRAMES = 2000;

interface Drawable {
  readonly image: CanvasImageSource;
  readonly width: number;
  readonly height: number;
}

export function createPainter(use: keyof typeof LONGEST_SIDE): (drawable: Drawable) => Picture | undefined {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return ({ image, width, height }) => {
    const scale = Math.min(1, LONGEST_SIDE[use] / Math.max(width, height, 1));
    const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
    if (!context || w === 0 || h === 0) return undefined;
    if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
    // Codes are dark on light: transparent pixels become light.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, w, h);
    context.drawImage(image, 0, 0, w, h);
    const { data } = context.getImageData(0, 0, w, h);
    return { width: w, height: h, data };
  };
}

const PICTURE_NAME = /\.(?:png|apng|jpe?g|gif|webp|bmp|avif|heic)$/i;

export const isPicture = ({ type, name }: File): boolean =>
  (type.startsWith('image/') && !type.startsWith('image/svg')) || PICTURE_NAME.test(name);

/** @throws the browser's error for an unsupported file */
export async function* picturesIn(file: File): AsyncGenerator<Picture> {
  const paint = createPainter('file');
  if ('ImageDecoder' in globalThis && /^image\/(?:gif|a?png|webp|avif)$/.test(file.type)) {
    const decoder = new ImageDecoder({ type: file.type, data: await file.arrayBuffer() });
    await decoder.completed;
    const frames = Math.min(decoder.tracks.selectedTrack?.frameCount ?? 0, MOST_FRAMES);
    for (let frameIndex = 0; frameIndex < frames; frameIndex++) {
      const { image } = await decoder.decode({ frameIndex });
      const picture = paint({ image, width: image.displayWidth, height: image.displayHeight });
      image.close();
      if (picture) yield { ...picture, isStill: frames === 1 };
    }
    decoder.close();
    return;
  }
  const image = await createImageBitmap(file);
  const picture = paint({ image, width: image.width, height: image.height });
  image.close();
  if (picture) yield { ...picture, isStill: true };
}
