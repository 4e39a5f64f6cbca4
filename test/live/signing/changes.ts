import fc from 'fast-check';
import type { Transaction, TxIn } from '../../support/library.ts';
import { plainPush } from '../scripts/bytes.ts';
import { type Flaws, flaws, type Proof, spoilItems, spoilProof } from '../scripts/flaws.ts';
import { SECRETS, SIGNATURE_FORMS, type Signature, sign } from '../scripts/signatures.ts';
import { changeItems, type Items, itemsOf, pushAll } from './items.ts';
import type { Coin } from './prevtxs.ts';
import { looksSigned, REWRITE_NAMES, type Rewrite, rewrite } from './rewrite.ts';

/**
 * A change of a signed transaction on its way to the next signer. `at` and `input` are taken modulo the number of
 * items.
 */
export type Change =
  | { readonly kind: 'rewritten'; readonly input: number; readonly how: Rewrite; readonly at: number }
  | { readonly kind: 'foreign'; readonly input: number; readonly signature: Signature; readonly at: number }
  | { readonly kind: 'items' | 'proof'; readonly input: number; readonly flaws: Flaws }
  | { readonly kind: 'whole'; readonly how: keyof typeof WHOLE };

/** Rewrites one of the signatures, or all. */
function rewriteSignature(items: Items, how: Rewrite, at: number): Items {
  const signed = items.filter(looksSigned);
  const chosen = signed[at % (signed.length + 1)];
  return items.map((item) => (looksSigned(item) && (!chosen || item === chosen) ? rewrite(item, how, at) : item));
}

/** Replaces an item with a foreign signature, or inserts one before it. */
function putForeign(items: Items, signature: Uint8Array, at: number): Items {
  const index = at % (items.length + 1);
  const isAdded = at % 2 === 1;
  return [...items.slice(0, index), signature, ...items.slice(isAdded ? index : index + 1)];
}

function foreignSignature(
  tx: Transaction,
  inputIndex: number,
  { lock, value }: Coin,
  signature: Signature,
): Uint8Array {
  const { scriptPubKey, redeemScript = scriptPubKey, witnessScript = redeemScript } = lock;
  return sign({ tx, inputIndex, script: witnessScript, value, isWitness: witnessScript !== redeemScript }, signature);
}

/** Changes the items before the last, which is mostly a script: damage to that would hide all other effects. */
const besideScript =
  (change: (items: Items) => Items) =>
  (items: Items): Items => [...change(items.slice(0, -1)), ...items.slice(-1)];

function changedProof(tx: Transaction, input: TxIn, coin: Coin, change: Exclude<Change, { kind: 'whole' }>): Proof {
  switch (change.kind) {
    case 'rewritten':
      return changeItems(input, (items) => rewriteSignature(items, change.how, change.at));
    case 'foreign': {
      const signature = foreignSignature(tx, tx.inputs.indexOf(input), coin, change.signature);
      return changeItems(input, (items) => putForeign(items, signature, change.at));
    }
    case 'items':
      return changeItems(
        input,
        besideScript((items) => spoilItems(items, change.flaws)),
      );
    case 'proof':
      return spoilProof(input, change.flaws);
    default:
      return change satisfies never;
  }
}

const mapInputs = (tx: Transaction, change: (input: TxIn) => Partial<TxIn>): Transaction => ({
  ...tx,
  inputs: tx.inputs.map((input) => ({ ...input, ...change(input) })),
});

/** Gives each input the proof of the next one. */
function turnProofs(tx: Transaction): Transaction {
  const inputs = tx.inputs.map((input, i): TxIn => {
    const { scriptSig, witness } = tx.inputs[(i + 1) % tx.inputs.length] ?? input;
    return { ...input, scriptSig, witness };
  });
  return { ...tx, inputs };
}

const WHOLE = {
  turned: turnProofs,
  withoutProofs: (tx) => mapInputs(tx, () => ({ scriptSig: new Uint8Array(0), witness: [] })),
  withoutWitnesses: (tx) => mapInputs(tx, () => ({ witness: [] })),
  /** Moves the witness into the scriptSig. */
  pushedWitnesses: (tx) => mapInputs(tx, (input) => ({ scriptSig: pushAll(itemsOf(input)), witness: [] })),
  onlyPushedWitnesses: (tx) => mapInputs(tx, ({ witness }) => ({ scriptSig: pushAll(witness), witness: [] })),
  lessOutputs: (tx) => ({ ...tx, outputs: tx.outputs.slice(0, -1) }),
  moreOutputs: (tx) => ({ ...tx, outputs: [...tx.outputs, { value: 7n, scriptPubKey: plainPush(new Uint8Array(3)) }] }),
  otherLocktime: (tx) => ({ ...tx, locktime: (tx.locktime + 1) % 2 ** 32 }),
  otherSequences: (tx) => mapInputs(tx, ({ sequence }) => ({ sequence: (sequence + 1) % 2 ** 32 })),
} satisfies Readonly<Record<string, (tx: Transaction) => Transaction>>;

/** Applies a change to a transaction that spends these coins. */
export function applyChange(tx: Transaction, change: Change, coins: readonly Coin[]): Transaction {
  if (change.kind === 'whole') return WHOLE[change.how](tx);
  const chosen = change.input % tx.inputs.length;
  const inputs = tx.inputs.map((input, i) => {
    const coin = coins[i];
    return i === chosen && coin ? { ...input, ...changedProof(tx, input, coin, change) } : input;
  });
  return { ...tx, inputs };
}

const at = fc.nat({ max: 1000 });
const input = fc.nat({ max: 4 });
const signature: fc.Arbitrary<Signature> = fc.record({
  secret: fc.nat({ max: SECRETS.length - 1 }),
  sighashType: fc.constantFrom(0x01, 0x01, 0x02, 0x03, 0x81, 0x82, 0x83, 0x00, 0x04),
  form: fc.oneof(fc.constant('strict' as const), fc.constantFrom(...SIGNATURE_FORMS)),
});
const someFlaws = flaws.filter(({ ofItems, ofProof }) => ofItems !== undefined || ofProof !== undefined);

export const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('rewritten'), input, how: fc.constantFrom(...REWRITE_NAMES), at }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('foreign'), input, signature, at }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('items', 'proof'), input, flaws: someFlaws }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('whole'),
      how: fc.constantFrom(...(Object.keys(WHOLE) as (keyof typeof WHOLE)[])),
      input,
    }),
  },
);
