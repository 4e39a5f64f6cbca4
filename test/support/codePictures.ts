import { encodeQR } from 'qr';
import { decodeQR } from 'qr/decode.js';
import { pngOf } from './pngs.ts';

/** A code as rows of modules, with a border; true is dark. */
const modulesOf = (content: string | Uint8Array): boolean[][] =>
  typeof content === 'string'
    ? encodeQR(content, 'raw', { ecc: 'low', border: 4 })
    : encodeQR('bytes', 'raw', { ecc: 'low', border: 4, encoding: 'byte', textEncoder: () => content });

/** A picture of a code as a camera might take it. */
interface Shot {
  /** Pixels of a module. */
  readonly scale?: number;
  /** How much each pixel may be off, in both directions. */
  readonly noise?: number;
  readonly dark?: number;
  readonly light?: number;
  /** The size of a blur in pixels. */
  readonly blur?: number;
}

/** Makes numbers from -1 to 1, the same for the same seed. */
function noiseFrom(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

function blurred(grey: Float64Array, side: number, size: number): Float64Array {
  return grey.map((_, i) => {
    const [x, y] = [i % side, Math.floor(i / side)];
    let [sum, count] = [0, 0];
    for (let dy = -size; dy <= size; dy += 1) {
      for (let dx = -size; dx <= size; dx += 1) {
        const [atX, atY] = [x + dx, y + dy];
        if (atX < 0 || atY < 0 || atX >= side || atY >= side) continue;
        sum += grey[atY * side + atX] ?? 0;
        count += 1;
      }
    }
    return sum / count;
  });
}

/** Takes a picture of a code as a PNG. */
export function codePng(
  content: string | Uint8Array,
  { scale = 4, noise = 0, dark = 0, light = 255, blur = 0 }: Shot = {},
): Uint8Array {
  const rows = modulesOf(content);
  const side = rows.length * scale;
  const random = noiseFrom(content.length);
  const sharp = new Float64Array(side * side).map((_, i) =>
    rows[Math.floor(i / side / scale)]?.[Math.floor((i % side) / scale)] ? dark : light,
  );
  const grey = blurred(sharp, side, blur).map((value) => Math.min(255, Math.max(0, value + noise * random())));
  const rgba = new Uint8Array(4 * side * side).map((_, i) => (i % 4 === 3 ? 255 : (grey[i >> 2] ?? 0)));
  return pngOf(side, side, rgba);
}

/** Reads the codes that a terminal shows in half blocks. */
export function codesInTerminal(text: string): readonly string[] {
  const lines = text.replace(/\u001b\[[0-9;?]*[a-zA-Z]/g, '').split('\n');
  const isCode = (line: string): boolean => /^[ ▀▄█]{25,}$/.test(line);
  const blocks = lines.reduce<string[][]>((found, line, i) => {
    if (!isCode(line)) return found;
    if (i === 0 || !isCode(lines[i - 1] ?? '') || found.length === 0) found.push([]);
    found.at(-1)?.push(line);
    return found;
  }, []);
  return blocks.map(codeOf);
}

/** Reads one code in half blocks. */
function codeOf(lines: readonly string[]): string {
  const [width, scale] = [lines[0]?.length ?? 0, 3];
  const isDark = (x: number, y: number): boolean => {
    const block = lines[y >> 1]?.[x] ?? ' ';
    return block === '█' || block === (y % 2 ? '▄' : '▀');
  };
  const side = Math.max(width, 2 * lines.length) * scale;
  const data = new Uint8Array(4 * side * side).map((_, i) => {
    const [x, y] = [Math.floor(((i >> 2) % side) / scale), Math.floor((i >> 2) / side / scale)];
    return i % 4 < 3 && isDark(x, y) ? 0 : 255;
  });
  return decodeQR({ width: side, height: side, data }, { timeLimit: 3000, effort: 10 });
}
