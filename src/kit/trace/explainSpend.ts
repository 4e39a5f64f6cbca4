import { bytesKey } from '../../core/bytes/compare.ts';
import { hash160 } from '../../core/crypto/hash.ts';
import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import { inferDescriptor } from '../../core/descriptors/infer.ts';
import { type Lack, lackingAssets } from '../../core/descriptors/plan.ts';
import { taprootSpend } from '../../core/descriptors/taprootSpend.ts';
import { unlessRefused } from '../../core/errors.ts';
import { MAX_STACK_SIZE } from '../../core/interpreter/evaluate.ts';
import { traceInput } from '../../core/interpreter/trace.ts';
import type { TraceCheck, TraceEvent, TraceResult } from '../../core/interpreter/traceEvents.ts';
import { meetsLock } from '../../core/interpreter/transactionChecker.ts';
import { spentBy, type VerifyInputInput } from '../../core/interpreter/verifyTransaction.ts';
import { lockText } from '../../core/report/ageText.ts';
import { conditionText, preimageText, shortHex } from '../../core/report/quorumText.ts';
import { listPushes } from '../../core/script/instructions.ts';
import { parseControlBlock, splitTaprootWitness } from '../../core/script/tapTree.ts';
import { classifyScript } from '../../core/script/template.ts';
import { SEQUENCE_FINAL } from '../../core/tx/absoluteLock.ts';
import type { TxIn } from '../../core/tx/types.ts';
import { failureReason } from './failureReasons.ts';

/**
 * Says in one sentence what the output of an input demands, as far as its script is a usual one or a miniscript, what the input
 * offers, and how that ends. Of a taproot output it names the way that the witness takes, and of a lock whether the transaction is
 * set for it: whether the coin is old enough, or the chain high enough, a node knows.
 * @throws as `verifyInput`
 *
 * @example
 * ```ts
 * import { decodeTransaction, parseHex } from 'countersign';
 * import { explainSpend } from 'countersign/trace';
 *
 * const tx = decodeTransaction(parseHex(`0200000001${'11'.repeat(32)}0000000000ffffffff0100000000000000000000000000`));
 * const prevouts = [{ value: 0n, scriptPubKey: parseHex(`0014${'22'.repeat(20)}`) }];
 * // The output demands a signature by the key that hashes to 2222...; the input offers nothing, and fails: ...
 * explainSpend({ tx, inputIndex: 0, prevouts }).endsWith('the input offers nothing, and fails: WITNESS_PROGRAM_MISMATCH.'); // true
 * ```
 */
export function explainSpend(options: VerifyInputInput): string {
  const explainer = createExplainer(options);
  return explainer.sentence(traceInput(options, explainer.note));
}

export interface Explainer {
  readonly note: (event: TraceEvent) => void;
  readonly sentence: (result: TraceResult) => string;
}

/** Collects from a trace what its sentence tells, in memory for the signatures and demanded hashes alone. */
export function createExplainer(options: VerifyInputInput): Explainer {
  const { input, prevout } = spentBy(options);
  const demand = demandOf(input, prevout.scriptPubKey);
  let demanding = 'The output demands';
  const parts = demand ? partsOf(demand) : [];
  const hashes = new Map(parts.flatMap((part) => (part.kind === 'preimage' ? [[bytesKey(part.hash), part]] : [])));
  const shown = new Set<string>();
  const signers = new Map<string, Uint8Array>();
  const others = new Set<string>();
  const noteCheck = ({ signature, publicKey, digest, verdict }: TraceCheck): void => {
    if (verdict === true && digest) signers.set(bytesKey(signature), publicKey);
    else if (signature.length > 0) others.add(bytesKey(signature));
  };
  return {
    note: (event) => {
      if (event.kind === 'leaf')
        demanding = event.isCommitted ? 'The leaf demands' : 'The leaf, which is not one of the output, demands';
      if (event.kind === 'key-path') noteCheck(event.check);
      if (event.kind !== 'step') return;
      for (const check of event.checks) noteCheck(check);
      // A hash replaces its preimage.
      const [hash] = event.stack.pushed;
      if (hash && event.stack.popped === 1 && hashes.has(bytesKey(hash))) shown.add(bytesKey(hash));
    },
    sentence: ({ outcome }) => {
      const invalid = [...others].filter((signature) => !signers.has(signature)).length;
      const preimages = [...hashes].flatMap(([key, part]) => (shown.has(key) ? [preimageText(part)] : []));
      const locks = parts.flatMap((part) => (part.kind === 'lock' ? [lockOffer(part, options, input)] : []));
      const offers = [...signatureTexts([...signers.values()], invalid), ...preimages];
      const isEmpty = input.scriptSig.length === 0 && input.witness.length === 0;
      const offered = offers.length > 0 ? offers.join(', ') : isEmpty ? 'nothing' : 'no valid signature';
      const end = outcome.kind === 'valid' ? 'is valid' : `fails: ${failureReason(outcome.error).error}`;
      return `${demanding} ${demandText(demand)}; the input offers ${[offered, ...locks].join(', ')}, and ${end}.`;
    },
  };
}

const SHOWN = 10;

function signatureTexts(signers: readonly Uint8Array[], invalid: number): readonly string[] {
  const names = signers.slice(0, SHOWN).map((key) => shortHex(key));
  const by = signers.length > SHOWN ? `${names.join(', ')}, ...` : names.join(' and ');
  const valid = signers.length === 0 ? [] : [`${counted(signers.length, 'valid signature')} (by ${by})`];
  return invalid === 0
    ? valid
    : [...valid, `${counted(invalid, 'signature')} not valid for the keys it was checked with`];
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function lockOffer({ of, lock }: LockPart, { tx }: VerifyInputInput, input: TxIn): string {
  const isMet = meetsLock(tx, input, { kind: of, lock });
  return `${isMet ? 'is set for' : 'is not set for'} the lock ${lockText({ kind: of, lock })}`;
}

type Part = Exclude<Lack, { kind: 'some' }>;
type LockPart = Extract<Part, { kind: 'lock' }>;

/** A person reads no longer condition, and none of these is deep. */
const MOST_PARTS = 40;
/** In bytes. */
const LONGEST_SCRIPT = 10_000;

/** Lists all parts, or none of a condition that is too large to word. */
function partsOf(demand: Lack): readonly Part[] {
  const parts: Part[] = [];
  const open = [demand];
  for (let one = open.pop(), count = 0; one; one = open.pop(), count += 1) {
    if (count > MOST_PARTS) return [];
    if (one.kind === 'some') open.push(...one.of);
    else parts.push(one);
  }
  return parts.reverse();
}

const UNREAD = 'what its script checks (which is not shown, or neither a usual one nor a miniscript)';

function demandText(demand: Lack | undefined): string {
  if (!demand || (demand.kind === 'some' && demand.of.length === 0)) return UNREAD;
  return partsOf(demand).length === 0
    ? `what a miniscript of more than ${MOST_PARTS} parts checks`
    : conditionText<Part>(demand, partText);
}

function partText(part: Part): string {
  switch (part.kind) {
    case 'signature':
      return `a signature by ${part.publicKey.length === 20 ? 'the key that hashes to ' : ''}${shortHex(part.publicKey)}`;
    case 'preimage':
      return preimageText(part);
    case 'lock':
      return `the lock ${lockText({ kind: part.of, lock: part.lock })}`;
    default:
      return part satisfies never;
  }
}

/** Finds what a spender without anything lacks: keys and scripts are those that the input shows. */
function demandOf({ scriptSig, witness }: TxIn, scriptPubKey: Uint8Array): Lack | undefined {
  const { leaf } = splitTaprootWitness(witness);
  const shown = [...listPushes(scriptSig), ...witness].filter(({ length }) => length <= LONGEST_SCRIPT);
  const byHash = new Map(shown.slice(-MAX_STACK_SIZE).map((item) => [bytesKey(hash160(item)), item]));
  const find = (hash: Uint8Array): Uint8Array | undefined => byHash.get(bytesKey(hash));
  const control = leaf && parseControlBlock(leaf.controlBlock);
  const isLeaf = control && classifyScript(scriptPubKey).type === 'witness_v1_taproot';
  if (isLeaf && leaf.script.length > LONGEST_SCRIPT) return undefined;
  const descriptor = inferDescriptor(scriptPubKey, {
    publicKey: find,
    script: find,
    // As if it were the only leaf: the others do not decide.
    ...(isLeaf && {
      taproot: () =>
        unlessRefused(() =>
          taprootSpend(control.internalKey, [{ depth: 0, ...control, script: leaf.script }], nobleEcc),
        ),
    }),
  });
  if (descriptor.kind === 'raw' || (isLeaf && descriptor.kind !== 'tr')) return undefined;
  const nothing = { keys: [], hashes: [], sequence: SEQUENCE_FINAL, locktime: 0 };
  return unlessRefused(() => lackingAssets(descriptor, isLeaf ? { ...nothing, leaf: leaf.script } : nothing));
}
