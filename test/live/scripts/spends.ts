import fc from 'fast-check';
import { OP, type Outpoint, type Transaction, type TxIn, type TxOut } from '../../support/library.ts';
import { concat, plainPush, push } from './bytes.ts';
import { type Flaws, flaws, type Proof, spoilItems, spoilProof } from './flaws.ts';
import { type Lock, lockFor } from './locks.ts';
import { type Age, type Shape, shapeAt } from './shapes.ts';
import { sign } from './signatures.ts';
import { isSignature } from './stackItems.ts';

/** A coin to be funded, and a possibly flawed way to spend it. */
export interface Spend {
  readonly shape: Shape;
  readonly lock: Lock;
  readonly value: bigint;
  readonly flaws: Flaws;
}

/** Random spends that can be mined at once if their scripts are valid. */
export function spendAt(age: Age): fc.Arbitrary<Spend> {
  const value = fc.bigInt({ min: 150_000n, max: 300_000n });
  return shapeAt(age).chain((shape) => fc.record({ shape: fc.constant(shape), lock: lockFor(shape), value, flaws }));
}

/** A coin on the chain. */
export interface Coin extends TxOut {
  readonly outpoint: Outpoint;
}

/** Returns the output to fund for a spend. */
export const ownCoin = ({ lock, value }: Spend): TxOut => ({ value, scriptPubKey: lock.scriptPubKey });
/** A coin that anyone can spend. */
export const OTHER_COIN: TxOut = { value: 100_000n, scriptPubKey: Uint8Array.of(OP['1']) };

/** A spend with its transaction. */
export interface Try {
  readonly spend: Spend;
  readonly tx: Transaction;
  readonly prevouts: readonly TxOut[];
}

/** Outputs that leave enough fee for the largest script, and make the transaction large enough for relay. */
const PAID: readonly TxOut[] = [20_000n, 20_001n].map((value) => {
  return { value, scriptPubKey: concat([OP.HASH160, 20], new Uint8Array(20), [OP.EQUAL]) };
});

export function makeTry(spend: Spend, own: Coin, other: Coin): Try {
  const { version, locktime, sequence, inputIndex, hasOther, outputCount } = spend.shape;
  const others = hasOther ? [other] : [];
  const prevouts = inputIndex === 0 ? [own, ...others] : [...others, own];
  const inputs = prevouts.map((coin) => blankInput(coin, coin === own ? sequence : 0xffff_fffe));
  const tx = { version, inputs, outputs: PAID.slice(0, outputCount), locktime };
  const proof = proofOf(spend, tx);
  return {
    spend,
    tx: { ...tx, inputs: inputs.map((input, i) => (i === inputIndex ? { ...input, ...proof } : input)) },
    prevouts,
  };
}

function blankInput({ outpoint }: Coin, sequence: number): TxIn {
  return { outpoint, scriptSig: new Uint8Array(0), sequence, witness: [] };
}

function proofOf({ lock, shape, value, flaws: wrong }: Spend, tx: Transaction): Proof {
  const { script, isWitness, redeemScript, witnessScript } = lock;
  const signed = { tx, inputIndex: shape.inputIndex, script, value, isWitness };
  const items = lock.items.map((item) => (isSignature(item) ? sign(signed, item) : item));
  const brought = spoilItems(items, wrong);
  const pushed = isWitness ? [] : brought.map(push);
  const proof = {
    scriptSig: concat(...pushed, redeemScript ? plainPush(redeemScript) : []),
    witness: isWitness ? [...brought, ...(witnessScript ? [witnessScript] : [])] : [],
  };
  return spoilProof(proof, wrong);
}
