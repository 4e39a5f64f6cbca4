import { append } from '../../core/bytes/groups.ts';
import { isHolders, type Owner } from '../../core/holder/owner.ts';
import type { PolicyCheck } from '../../core/review/finding.ts';
import type { InputReview } from '../../core/review/inputReview.ts';
import type { OutputReview } from '../../core/review/outputs.ts';
import { refusalsIn } from '../../core/review/policy.ts';
import type { PsbtReview } from '../../core/review/reviewPsbt.ts';
import { coinName, outputName } from './names.ts';
import type { PictureWords } from './words.ts';

/** How a flow is drawn, the worst first. */
const KINDS = ['refused', 'unknown', 'foreign', 'payment', 'open', 'data', 'own', 'fee'] as const;
export type FlowKind = (typeof KINDS)[number];

/** A coin, an output or the fee; or several that are summed up. */
export interface Flow {
  readonly kind: FlowKind;
  readonly word: string;
  /** `undefined` if not known. */
  readonly sats: bigint | undefined;
  readonly name: string;
}

export interface Flows {
  readonly coins: readonly Flow[];
  /** With the fee. */
  readonly outputs: readonly Flow[];
}

/** Names it only if it is shown. */
type Unnamed = Omit<Flow, 'name'> & { readonly name: () => string };

/** Flows of a kind on a side before the smallest are summed up. */
const MOST = 7;

export function listFlows(review: PsbtReview, words: PictureWords): Flows {
  const { inputs, outputs } = review;
  const context = { network: review.network, words };
  const refusals = findRefusals(review);
  const coins = inputs.map((input): Unnamed => {
    const name = (): string => coinName(input, context);
    return { ...describeCoin(input, refusals, words), sats: input.coin?.value, name };
  });
  const paid = outputs.map((output): Unnamed => {
    const described = describeOutput(output, refusals, words);
    return { ...described, sats: output.value, name: () => outputName(output, context) };
  });
  return {
    coins: folded(coins, words),
    outputs: [...folded(paid, words), describeFee(review, refusals, words)],
  };
}

interface Refusals {
  readonly inputs: ReadonlySet<number | undefined>;
  readonly outputs: ReadonlySet<number | undefined>;
  /** Outputs that claim to be change, and are not, whatever the policy does about it. */
  readonly fakes: ReadonlySet<number | undefined>;
  readonly isFeeRefused: boolean;
}

const FEE_CHECKS: ReadonlySet<PolicyCheck> = /* @__PURE__ */ new Set<PolicyCheck>(['fee-absurd', 'fee-negative']);

function findRefusals({ findings }: PsbtReview): Refusals {
  const refused = refusalsIn(findings);
  return {
    inputs: new Set(refused.map(({ inputIndex }) => inputIndex)),
    outputs: new Set(refused.map(({ outputIndex }) => outputIndex)),
    fakes: new Set(findings.filter(({ check }) => check === 'change-refuted').map(({ outputIndex }) => outputIndex)),
    isFeeRefused: refused.some(({ check }) => FEE_CHECKS.has(check)),
  };
}

type Described = Pick<Flow, 'kind' | 'word'>;

function describeCoin({ inputIndex, owner, coin }: InputReview, { inputs }: Refusals, words: PictureWords): Described {
  const isYours = isHolders(owner);
  const word = isYours ? ownWord(words.coin, owner, words) : words.foreign;
  if (inputs.has(inputIndex)) return { kind: 'refused', word: `${words.refused}: ${word}` };
  return { kind: coin ? (isYours ? 'own' : 'foreign') : 'unknown', word };
}

function describeOutput(output: OutputReview, refusals: Refusals, words: PictureWords): Described {
  const { outputIndex, isOpen, role } = output;
  const isFake = refusals.fakes.has(outputIndex);
  const word = isFake ? words.notYours : outputWord(output, words);
  if (refusals.outputs.has(outputIndex)) return { kind: 'refused', word: `${words.refused}: ${word}` };
  if (isFake) return { kind: 'refused', word };
  if (output.stays) return { kind: 'own', word };
  if (isOpen) return { kind: 'open', word };
  return { kind: role === 'data' || role === 'anchor' ? 'data' : 'payment', word };
}

function outputWord({ owner, role, stays, isOpen }: OutputReview, words: PictureWords): string {
  const whose = role === 'change' ? words.change : words.yours;
  if (stays) return ownWord(whose, owner, words);
  if (role === 'change' || role === 'own' || role === 'wallet') {
    return `${whose}, ${isOpen ? words.open : words.countedAsPaid}`;
  }
  return isOpen ? `${words[role]}, ${words.open}` : words[role];
}

function ownWord(word: string, { root }: Owner, { notProven, notRegistered }: PictureWords): string {
  if (root === 'listed') return `${word}, ${notProven}`;
  return root === 'none' ? `${word}, ${notRegistered}` : word;
}

/** Draws a fee below 0 as refused, whatever the policy says. */
function describeFee({ fee }: PsbtReview, { isFeeRefused }: Refusals, words: PictureWords): Flow {
  const fact = { sats: fee, name: '' };
  if (isFeeRefused) return { kind: 'refused', word: `${words.refused}: ${words.fee}`, ...fact };
  if (fee === undefined) return { kind: 'unknown', word: words.fee, ...fact };
  return { kind: fee < 0n ? 'refused' : 'fee', word: words.fee, ...fact };
}

/** Sorts by kind, word and amount, and sums up the smallest of each word. */
function folded(flows: readonly Unnamed[], words: PictureWords): readonly Flow[] {
  const groups = new Map<string, Unnamed[]>();
  for (const flow of flows) append(groups, `${KINDS.indexOf(flow.kind)} ${flow.word}`, flow);
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, group]) => summedUp(group, words));
}

function summedUp(group: readonly Unnamed[], words: PictureWords): readonly Flow[] {
  const sorted = [...group].sort((a, b) => compareAmounts(b.sats, a.sats));
  const shown = sorted.slice(0, sorted.length > MOST ? MOST - 1 : MOST);
  const rest = sorted.slice(shown.length);
  const flows = shown.map(({ name, ...flow }): Flow => ({ ...flow, name: name() }));
  const [first] = rest;
  if (!first) return flows;
  const sums = { kind: first.kind, word: first.word, sats: totalSats(rest), name: words.more(rest.length) };
  return [...flows, sums];
}

const compareAmounts = (a = -1n, b = -1n): number => (a < b ? -1 : a > b ? 1 : 0);

function totalSats(flows: readonly Pick<Flow, 'sats'>[]): bigint | undefined {
  const known = flows.flatMap(({ sats }) => sats ?? []);
  return known.length < flows.length ? undefined : known.reduce((sum, sats) => sum + sats, 0n);
}
