import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeQR } from 'qr';

const WIDTH = 640;
const HEIGHT = 480;
const FRAMES_PER_SECOND = 10;

/** Numbers from 0 to 1 that are the same in each run. */
function randomOf(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** How a hand holds a camera: where the corners of the picture lie on the wall that shows the code. */
interface Pose {
  readonly angle: number;
  /** How much farther one side is than the other. */
  readonly tilt: number;
  readonly turn: number;
  readonly x: number;
  readonly y: number;
}

const poseOf = (random: () => number): Pose => ({
  angle: (random() - 0.5) * 0.16,
  tilt: (random() - 0.5) * 0.12,
  turn: (random() - 0.5) * 0.12,
  x: (random() - 0.5) * 20,
  y: (random() - 0.5) * 12,
});

/** The side of a code with its border in the picture, in pixels. */
const SIDE = 440;
const BORDER = 4;

/** Paints a code as a camera sees it: turned, tilted, blurred, unevenly lit and noisy. Returns brightness, 0 to 255. */
function photograph(modules: readonly (readonly boolean[])[], random: () => number, isShaken: boolean): Uint8Array {
  const { angle, tilt, turn, x: dx, y: dy } = poseOf(random);
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const scale = modules.length / SIDE;
  const sharp = new Uint8Array(WIDTH * HEIGHT);
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const [u, v] = [x - WIDTH / 2 - dx, y - HEIGHT / 2 - dy];
      const distance = 1 + (turn * u) / WIDTH + (tilt * v) / HEIGHT;
      const column = Math.floor(((cos * u + sin * v) / distance + SIDE / 2) * scale);
      const row = Math.floor(((cos * v - sin * u) / distance + SIDE / 2) * scale);
      sharp[y * WIDTH + x] = modules[row]?.[column] ? 30 : 200;
    }
  }
  const blurred = blur(sharp, isShaken ? 12 : 1);
  return blurred.map((value, i) => value + (((i % WIDTH) / WIDTH) * 24 + (random() + random() - 1) * 22));
}

/** Averages each pixel with its neighbours in the row and then in the column, up to a distance. */
function blur(picture: Uint8Array, radius: number): Uint8Array {
  const along = (source: Uint8Array, step: number): Uint8Array =>
    source.map((_, i) => {
      let sum = 0;
      for (let k = -radius; k <= radius; k += 1) sum += source[i + k * step] ?? 200;
      return sum / (2 * radius + 1);
    });
  return along(along(picture, 1), WIDTH);
}

/** Which pictures a camera spoils: of `every` pictures, the last is too blurred to read. */
interface Spoiling {
  readonly every?: number;
}

/** Writes a video of codes, each for two pictures, in the format of which Chromium makes a camera. */
function writeVideo(file: string, codes: readonly string[], { every = 5 }: Spoiling): void {
  const random = randomOf(codes.length);
  const descriptor = openSync(file, 'w');
  writeSync(descriptor, `YUV4MPEG2 W${WIDTH} H${HEIGHT} F${FRAMES_PER_SECOND}:1 Ip A1:1 C420jpeg\n`);
  const grey = new Uint8Array((WIDTH * HEIGHT) / 2).fill(128);
  const pictures = codes.flatMap((code) => [code, code]);
  for (const [i, code] of pictures.entries()) {
    const modules = encodeQR(code, 'raw', { ecc: 'low', border: BORDER });
    writeSync(descriptor, 'FRAME\n');
    writeSync(descriptor, photograph(modules, random, i % every === every - 1));
    writeSync(descriptor, grey);
  }
  closeSync(descriptor);
}

/** A busy machine reads few codes a second. In milliseconds. */
export const CAMERA_PATIENCE = 300_000;

const FAKE_CAMERA = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'];

/** Passes `use` the arguments with which Chromium has a camera that shows codes, again and again. */
export async function withCamera<Result>(
  codes: readonly string[],
  use: (args: readonly string[]) => Promise<Result>,
  spoiling: Spoiling = {},
): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-camera-'));
  const file = join(directory, 'camera.y4m');
  try {
    writeVideo(file, codes, spoiling);
    return await use([...FAKE_CAMERA, `--use-file-for-fake-video-capture=${file}`]);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
