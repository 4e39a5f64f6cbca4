import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import { formatAmount } from '../encoding/amount.ts';
import { printable } from '../encoding/printable.ts';
import type { Network } from '../network/networks.ts';
import type { PsbtReview } from '../review/reviewPsbt.ts';
import { ENGLISH } from './english.ts';
import { linePlace } from './findingText.ts';
import type { LineRole, ReportLine, Tone } from './lines.ts';
import { questionData, REPORT_OPTIONS, type ReportOptions, reportReview } from './reportReview.ts';
import { formatParagraphs, type Paragraph, type TextStyle } from './textLines.ts';
import { wordLine } from './wordLine.ts';
import type { ReportWords } from './words.ts';

/** How a review is written. */
export interface ReviewTextOptions extends ReportOptions {
  readonly hasColours?: boolean;
  readonly words?: ReportWords;
}

const TEXT_OPTIONS: OptionNames<ReviewTextOptions> = { ...REPORT_OPTIONS, hasColours: true, words: true };

/**
 * Formats a review for the user who decides whether to sign, in lines of at most 80 columns: verdict, payments, fee,
 * balance and signatures, then coins. Groups addresses by four characters, to compare by eye.
 *
 * - `hasColours`: marks warnings and refusals with ANSI colours. Default false.
 * - `listsInputs`: lists each input, also where all of several are the signer's and proven. Default false.
 * - `words`: another language. Default: English.
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, formatReview, reviewWith } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(3) };
 * const psbt = buildPsbt({ inputs: [coin], outputs: { [me.receive(4).address]: 60_000n }, change: me.change(0), feeRate: 2 });
 * formatReview(reviewWith(me, psbt)).includes('change, verified'); // true
 * ```
 */
export function formatReview(review: PsbtReview, options: ReviewTextOptions = {}): string {
  assertKnownOptions(options, TEXT_OPTIONS);
  const { hasColours = false, listsInputs = false, words = ENGLISH } = options;
  const lines = reportReview(review, { listsInputs });
  const widths = amountWidths(lines);
  const paragraphs = lines.map((line) => paragraphOf(line, { network: review.network, words, widths }));
  return `${formatParagraphs(paragraphs, hasColours).join('\n')}\n`;
}

/** Words what a person is asked who has read the report: it repeats what matters, as the report may have scrolled away. */
export function formatQuestion(review: PsbtReview, words: ReportWords = ENGLISH): string {
  return printable(words.question(questionData(review), linePlace({}, review.network)));
}

const LABEL_WIDTH = 9;
const STYLES: Readonly<Record<Tone, TextStyle | undefined>> = {
  plain: undefined,
  good: 'green',
  warn: 'yellow',
  stop: 'red',
};

interface Drawing {
  readonly network: Network;
  readonly words: ReportWords;
  readonly widths: ReadonlyMap<LineRole, number>;
}

function paragraphOf(line: ReportLine, { network, words, widths }: Drawing): Paragraph {
  const style = STYLES[line.tone];
  const text = wordLine(line, words, network);
  switch (line.role) {
    case 'finding': {
      const also = line.also.count > 0 ? `, ${words.also(line.also)}` : '';
      const start = line.tone === 'stop' ? words.refused : words.warning;
      return { start: '', text: `${start}${text} [${line.key}${also}]`, style };
    }
    case 'verdict':
      return { start: '', text, style };
    case 'output':
    case 'input': {
      const index = line.inputIndex ?? line.outputIndex;
      return { start: `  ${index}: ${amountColumn(line, widths, network.ticker)}`, text, style };
    }
    case 'note':
      return { start: ' '.repeat(`  ${line.inputIndex ?? line.outputIndex ?? 0}: `.length), text, style };
    case 'proof':
      return { start: '  ', text, style };
    default:
      return { start: words.labels[line.role].padEnd(LABEL_WIDTH), startStyle: 'bold', text, style };
  }
}

/** The widest amount of all outputs, and of all inputs. */
function amountWidths(lines: readonly ReportLine[]): ReadonlyMap<LineRole, number> {
  const widths = new Map<LineRole, number>();
  for (const line of lines) {
    const value = amountOf(line);
    if (value === undefined) continue;
    widths.set(line.role, Math.max(widths.get(line.role) ?? 0, formatAmount(value).length));
  }
  return widths;
}

/** Aligns the amounts of outputs or inputs at their ends. */
function amountColumn(line: ReportLine, widths: Drawing['widths'], ticker: string): string {
  const value = amountOf(line);
  return value === undefined ? '' : `${formatAmount(value).padStart(widths.get(line.role) ?? 0)} ${ticker}  `;
}

const amountOf = (line: ReportLine): bigint | undefined =>
  line.key === 'output' || line.key === 'input' ? line.data.value : undefined;
