import { formatAmount } from '../../core/encoding/amount.ts';
import type { Flow, Flows } from './flows.ts';
import { shortened } from './names.ts';
import type { PictureWords } from './words.ts';

/** Measures of a picture, in pixels. */
export interface Frame {
  readonly width: number;
  /** Around all. */
  readonly margin: number;
  /** Width of the texts of a side. */
  readonly column: number;
  readonly fontSize: number;
}

const NARROW = 480;

/** A narrow picture has room for an amount on each side, and little between them. */
export function frameOf(width: number): Frame {
  const isNarrow = width < NARROW;
  const [margin, share] = isNarrow ? [4, 1 / 3] : [16, 0.36];
  return { width, margin, column: Math.min(260, Math.floor(width * share)), fontSize: isNarrow ? 11 : 13 };
}

/** Letters and digits of this share of the font size. */
const LETTER = 0.6;

export const lettersIn = (width: number, { fontSize }: Frame): number => Math.floor(width / (fontSize * LETTER));

export const lineHeight = ({ fontSize }: Frame): number => fontSize + 4;

export interface Line {
  readonly role: 'word' | 'amount' | 'name';
  readonly text: string;
}

/** A flow at its place. */
export interface Row extends Flow {
  readonly lines: readonly Line[];
  readonly thickness: number;
  /** Upper edge of its ribbon at the side. */
  readonly outer: number;
  /** Upper edge of its ribbon in the middle. */
  readonly inner: number;
}

export interface Layout {
  readonly left: readonly Row[];
  readonly right: readonly Row[];
  readonly top: number;
  readonly height: number;
}

/** Thickness of the side with the larger sum. */
const HEIGHT = 150;
const LEAST_THICKNESS = 2;
const GAP = 12;

type Sized = Flow & Pick<Row, 'lines' | 'thickness'> & { readonly height: number };

/** Places the flows below `top`, each as thick as its share of the larger side. */
export function placeFlows(
  { coins, outputs }: Flows,
  context: { readonly frame: Frame; readonly top: number; readonly ticker: string; readonly words: PictureWords },
): Layout {
  const { frame, top } = context;
  const most = Math.max(totalOf(coins), totalOf(outputs));
  const sized = (flow: Flow): Sized => {
    const lines = linesOf(flow, context);
    const thickness = Math.max(LEAST_THICKNESS, most > 0 ? (HEIGHT * amountOf(flow)) / most : 0);
    return { ...flow, lines, thickness, height: Math.max(thickness, lines.length * lineHeight(frame)) + GAP };
  };
  const [left, right] = [coins.map(sized), outputs.map(sized)];
  const height = Math.max(sum(left.map((row) => row.height)), sum(right.map((row) => row.height)));
  return { left: placeSide(left, top, height), right: placeSide(right, top, height), top, height };
}

function placeSide(rows: readonly Sized[], top: number, height: number): readonly Row[] {
  let outer = top + (height - sum(rows.map((row) => row.height))) / 2;
  let inner = top + (height - sum(rows.map(({ thickness }) => thickness))) / 2;
  return rows.map((row) => {
    const placed = { ...row, outer: outer + (row.height - row.thickness) / 2, inner };
    outer += row.height;
    inner += row.thickness;
    return placed;
  });
}

/** Counts what is unknown, or below 0 as some transactions have it, as nothing. */
const amountOf = ({ sats = 0n }: Flow): number => Math.max(0, Number(sats));
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const totalOf = (flows: readonly Flow[]): number => sum(flows.map(amountOf));

export const amountText = (sats: bigint | undefined, ticker: string, words: PictureWords): string =>
  sats === undefined ? words.unknownAmount : `${formatAmount(sats)} ${ticker}`;

function linesOf(
  { word, sats, name }: Flow,
  { frame, ticker, words }: { readonly frame: Frame; readonly ticker: string; readonly words: PictureWords },
): readonly Line[] {
  const most = lettersIn(frame.column, frame);
  return [
    ...wrapped(word, most).map((text): Line => ({ role: 'word', text })),
    { role: 'amount', text: amountText(sats, ticker, words) },
    ...(name === '' ? [] : [{ role: 'name' as const, text: shortened(name, most) }]),
  ];
}

/** Breaks a text at spaces. */
export function wrapped(text: string, most: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
