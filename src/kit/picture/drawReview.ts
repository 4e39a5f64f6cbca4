import { assertKnownOptions, assertShape, type OptionNames } from '../../core/bytes/knownOptions.ts';
import { quotedLine } from '../../core/encoding/printable.ts';
import { assertReview } from '../../core/report/assertReview.ts';
import { refusalsIn } from '../../core/review/policy.ts';
import type { PsbtReview } from '../../core/review/reviewPsbt.ts';
import { type Flow, listFlows } from './flows.ts';
import {
  amountText,
  type Frame,
  frameOf,
  type Layout,
  type Line,
  lettersIn,
  lineHeight,
  placeFlows,
  type Row,
  wrapped,
} from './layout.ts';
import { shortened, xmlText } from './names.ts';
import { coinShape, outputShape, PATTERNS, px, stopSign, TIP } from './shapes.ts';
import { STYLE } from './style.ts';
import { type PictureWords, WORD_NAMES, WORDS } from './words.ts';

/** How a picture is drawn. */
export interface PictureOptions {
  /** In pixels, from 240 to 4000. Default 760. */
  readonly width?: number;
  /** Default: English. */
  readonly words?: PictureWords;
}

const OPTIONS: OptionNames<PictureOptions> = { width: true, words: true };

const [LEAST_WIDTH, USUAL_WIDTH, MOST_WIDTH] = [240, 760, 4000];

/**
 * Draws what a PSBT moves, as an SVG document without scripts and references: coins on the left, outputs and the fee on the
 * right, as thick as their amounts. Shapes, words and colours say what is the signer's, what goes to others, what a signature
 * leaves open, what is not known, and what the policy refuses. Beyond seven of a kind, the smallest are summed up. A message or
 * a proof of reserves moves nothing: the picture says what it signs. Colours follow the reader's light or dark theme.
 *
 * - `width`: the height follows from it. Texts have 11 pixels below a width of 480, else 13.
 * - `words`: a table for another language
 *
 * @throws `argument/invalid`
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, reviewWith } from 'countersign';
 * import { drawReview } from 'countersign/picture';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(3) };
 * const payments = { bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080: 60_000n };
 * const psbt = buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 });
 * const svg = drawReview(reviewWith(me, psbt));
 * svg.startsWith('<svg'); // true
 * svg.includes('0.00060000 BTC'); // true
 * ```
 */
export function drawReview(review: PsbtReview, options: PictureOptions = {}): string {
  assertReview(review);
  assertKnownOptions(options, OPTIONS);
  const { width = USUAL_WIDTH, words = WORDS } = options;
  const isWidth = Number.isFinite(width) && width >= LEAST_WIDTH && width <= MOST_WIDTH;
  assertShape('width', isWidth, `a number of pixels from ${LEAST_WIDTH} to ${MOST_WIDTH}`);
  assertKnownOptions(words, WORD_NAMES, 'words.');
  const frame = frameOf(width);
  return review.purpose.kind === 'payment' ? drawPayment(review, frame, words) : drawMessage(review, frame, words);
}

function drawPayment(review: PsbtReview, frame: Frame, words: PictureWords): string {
  const { inputs, outputs, network } = review;
  const { ticker } = network;
  const flows = listFlows(review, words);
  const verdict = drawVerdict(review, frame, words);
  const headings = [words.coins(inputs.length), words.outputs(outputs.length)] as const;
  const top = verdict.bottom + lineHeight(frame) + 8;
  const layout = placeFlows(flows, { frame, top, ticker, words });
  const described = [
    ...(verdict.text === undefined ? [] : [verdict.text]),
    `${headings[0]}: ${flows.coins.map((flow) => flowText(flow, ticker, words)).join('; ')}`,
    `${headings[1]}: ${flows.outputs.map((flow) => flowText(flow, ticker, words)).join('; ')}`,
  ];
  const drawn = verdict.drawn + drawHeadings(headings, top - 14, frame) + drawFlows(layout, frame);
  return svgDocument({ frame, height: top + layout.height + 8, described, drawn, words });
}

/** Says that it moves nothing, and what it signs. */
function drawMessage(review: PsbtReview, frame: Frame, words: PictureWords): string {
  const { purpose } = review;
  const { margin, width } = frame;
  const verdict = drawVerdict(review, frame, words);
  const most = lettersIn(width - 2 * margin, frame);
  const said = 'text' in purpose && purpose.text !== undefined ? [shortened(quotedLine(purpose.text), most)] : [];
  const texts = [purpose.kind === 'message' ? words.message : words.proof, ...said, words.movesNothing];
  const drawn = texts.map((text, i) => {
    const y = verdict.bottom + margin + (i + 1) * lineHeight(frame);
    return drawText(text, { x: margin, y, role: said.includes(text) ? 'cs-name' : 'cs-text', frame });
  });
  const described = [...(verdict.text === undefined ? [] : [verdict.text]), ...texts];
  const height = verdict.bottom + 2 * margin + (texts.length + 1) * lineHeight(frame);
  return svgDocument({ frame, height, described, drawn: verdict.drawn + drawn.join(''), words });
}

interface Verdict {
  /** `undefined` if nothing is refused. */
  readonly text: string | undefined;
  readonly drawn: string;
  readonly bottom: number;
}

function drawVerdict({ findings }: PsbtReview, frame: Frame, words: PictureWords): Verdict {
  const { margin, width } = frame;
  const { size } = new Set(refusalsIn(findings).map(({ check }) => check));
  if (size === 0) return { text: undefined, drawn: '', bottom: 8 };
  const text = words.verdict(size);
  const lines = wrapped(text, lettersIn(width - 2 * margin - 44, frame));
  const height = lines.length * lineHeight(frame) + 16;
  const area = `x="${margin}" y="${margin}" width="${width - 2 * margin}" height="${height}" rx="7"`;
  const drawn = lines.map((line, i) => {
    const y = margin + 8 + (i + 0.8) * lineHeight(frame);
    return drawText(line, { x: margin + 34, y, role: 'cs-word cs-on-stop', frame });
  });
  return {
    text,
    drawn: `<rect class="cs-stop" ${area}/>${stopSign(margin + 18, margin + height / 2, true)}${drawn.join('')}`,
    bottom: margin + 8 + height,
  };
}

function drawHeadings([left, right]: readonly [string, string], y: number, frame: Frame): string {
  const { width, margin, column } = frame;
  return (
    drawText(left, { x: margin + column, y, role: 'cs-muted', isEnd: true, frame }) +
    drawText(right, { x: width - margin - column, y, role: 'cs-muted', frame })
  );
}

const NODE = 6;
const SPACE = 4;

function drawFlows({ left, right, top, height }: Layout, frame: Frame): string {
  const { width, margin, column } = frame;
  const middle = width / 2;
  const reach = margin + column + SPACE + TIP;
  const ends = [...left, ...right].flatMap(({ inner, thickness }) => [inner, inner + thickness]);
  const [from, to] = [Math.min(...ends) - 3, Math.max(...ends) + 3];
  const node = `<rect class="cs-node" x="${px(middle - NODE / 2)}" y="${px(from)}" width="${NODE}" height="${px(to - from)}" rx="3"/>`;
  // Texts end at the edge of their column, whatever they are.
  const area = `y="${px(top)}" width="${column}" height="${px(height)}" overflow="hidden"`;
  const labels = (rows: readonly Row[], isEnd: boolean): string =>
    rows.map((row) => drawLabel(row, { top, isEnd, frame })).join('');
  return [
    ...left.map((row) => coinShape(row, reach, middle)),
    ...right.map((row) => outputShape(row, middle, width - reach)),
    node,
    `<svg x="${margin}" ${area}>${labels(left, true)}</svg>`,
    `<svg x="${width - margin - column}" ${area}>${labels(right, false)}</svg>`,
  ].join('');
}

function drawLabel(
  { kind, lines, outer, thickness }: Row,
  { top, isEnd, frame }: { readonly top: number; readonly isEnd: boolean; readonly frame: Frame },
): string {
  const first = outer + thickness / 2 - top - (lines.length * lineHeight(frame)) / 2;
  return lines
    .map(({ role, text }, i) => {
      const y = first + (i + 0.78) * lineHeight(frame);
      return drawText(text, { x: isEnd ? frame.column : 0, y, role: lineClass(role, kind), isEnd, frame });
    })
    .join('');
}

const lineClass = (role: Line['role'], kind: Flow['kind']): string =>
  role === 'word' ? `cs-word cs-word-${kind}` : `cs-${role}`;

interface Place {
  readonly x: number;
  readonly y: number;
  readonly role: string;
  /** `x` is where it ends. */
  readonly isEnd?: boolean;
  readonly frame: Frame;
}

/** Compresses an amount that would be cut. */
function drawText(text: string, { x, y, role, isEnd = false, frame }: Place): string {
  const isLong = role === 'cs-amount' && text.length > lettersIn(frame.column, frame);
  const fitted = isLong ? ` textLength="${frame.column}" lengthAdjust="spacingAndGlyphs"` : '';
  const anchor = isEnd ? ' text-anchor="end"' : '';
  return `<text class="${role}" x="${px(x)}" y="${px(y)}"${anchor}${fitted}>${xmlText(text)}</text>`;
}

/** Says a flow for screen readers. */
const flowText = ({ word, sats, name }: Flow, ticker: string, words: PictureWords): string =>
  [word, amountText(sats, ticker, words), ...(name === '' ? [] : [shortened(name, SPOKEN)])].join(', ');

const SPOKEN = 40;

interface SvgParts {
  readonly frame: Frame;
  readonly height: number;
  readonly described: readonly string[];
  readonly drawn: string;
  readonly words: PictureWords;
}

function svgDocument({ frame, height, described, drawn, words }: SvgParts): string {
  const [w, h] = [px(frame.width), px(Math.ceil(height))];
  const edge = `x="0.5" y="0.5" width="${px(frame.width - 1)}" height="${px(Math.ceil(height) - 1)}" rx="10"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-size="${frame.fontSize}" role="img">`,
    `<title>${xmlText(words.title)}</title>`,
    `<desc>${xmlText(described.join('. '))}.</desc>`,
    `<style>${STYLE}</style>`,
    `<defs>${PATTERNS}</defs>`,
    `<rect class="cs-back" ${edge}/><rect class="cs-edge" ${edge}/>`,
    drawn,
    '</svg>\n',
  ].join('');
}
