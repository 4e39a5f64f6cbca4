import { isRecordMissing } from '../report/quorumText.ts';
import { fixesAll } from '../review/commitment.ts';
import type { Need } from '../review/inputReview.ts';
import { isFull, isHiddenLeaf, isLockedOut } from '../review/quorums.ts';
import type { InputProgress, MixedTypes } from './progress.ts';

/**
 * What helps an incomplete PSBT where another signature does not:
 *
 * - `combine`: with the PSBT that was sent, which has the records that are missing
 * - `unfinalize`, `recreate`: go back to it from before it was final, or create it again with the locks of its coins
 * - `wait-or-sign`: create it again with the lock of the way that is signed, or sign with the keys of another way
 * - `add-coins`, `add-scripts`, `add-keys`, `add-preimage`: the record that is missing
 * - `one-type`: combine without the copies that have `others`, and sign these with `sighashType`
 * - `sign-again`: the signers of invalid signatures
 * - `know-script`: pass it on to the wallet that can read its script
 */
export type NextStep =
  | {
      readonly kind:
        | 'combine'
        | 'unfinalize'
        | 'recreate'
        | 'wait-or-sign'
        | 'add-coins'
        | 'add-scripts'
        | 'add-keys'
        | 'add-preimage'
        | 'sign-again'
        | 'know-script';
    }
  | { readonly kind: 'one-type'; readonly sighashType: number; readonly others: readonly number[] };

/** Finds what to do first; `undefined` if only signatures are missing. */
export function findNextStep(inputs: readonly InputProgress[]): NextStep | undefined {
  const open = inputs.filter(({ isComplete }) => !isComplete);
  for (const find of STEPS) {
    const [step] = open.flatMap((progress) => find(progress) ?? []);
    if (step) return step;
  }
  const isUnread = open.every(
    ({ isUnread, quorums }) => isUnread && quorums.every(({ wanted }) => wanted.length === 0),
  );
  return open.length > 0 && isUnread ? { kind: 'know-script' } : undefined;
}

type FindStep = (progress: InputProgress) => NextStep | undefined;

const step =
  (kind: Exclude<NextStep['kind'], 'one-type'>, applies: (progress: InputProgress) => boolean): FindStep =>
  (progress) =>
    applies(progress) ? { kind } : undefined;

const STEPS: readonly FindStep[] = [
  step('combine', ({ unverified, quorums }) => unverified.some(isRecordMissing) || quorums.some(isHiddenLeaf)),
  step('unfinalize', ({ status }) => status === 'final'),
  step('add-coins', ({ status }) => status === 'no-coin'),
  step('recreate', isLockedOut),
  ({ mixedTypes }) => mixedTypes && oneType(mixedTypes),
  step('sign-again', ({ invalid }) => invalid !== undefined),
  step('add-scripts', ({ missingScript }) => missingScript !== undefined),
  step('add-keys', ({ quorums, unknownKeys }) => unknownKeys.length > 0 && quorums.every(isFull)),
  step('add-preimage', ({ quorums }) =>
    quorums.some(({ isClosed, needed }) => !isClosed && needed !== undefined && needsNoKey(needed)),
  ),
  step('wait-or-sign', isSignedEarly),
];

/** Prefers the type that commits to everything. */
function oneType({ taken, isAsked, signed }: MixedTypes): NextStep {
  const types = new Set([...(isAsked ? [taken] : []), ...signed.map((signer) => signer.sighashType)]);
  const sighashType = fixesAll(taken) ? taken : ([...types].find(fixesAll) ?? taken);
  return { kind: 'one-type', sighashType, others: [...types].filter((type) => type !== sighashType) };
}

/** Reads a condition that is small, and so not deep. */
function needsNoKey(need: Need): boolean {
  if (need.kind !== 'some') return need.kind === 'preimage';
  return need.of.filter(needsNoKey).length >= need.required;
}

/** All signatures are of ways that the transaction's locks close. */
function isSignedEarly({ quorums }: InputProgress): boolean {
  const signed = quorums.filter(({ have }) => have > 0);
  return signed.length > 0 && signed.every(({ isClosed }) => isClosed);
}
