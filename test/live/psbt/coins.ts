import fc from 'fast-check';
import { script as anyScript, bytes } from '../../support/arbitraries.ts';
import { formatHex, type Outpoint, parseTxid, type Transaction, txid } from '../../support/library.ts';
import { sha256 } from '../scripts/bytes.ts';
import { SECRETS } from '../scripts/signatures.ts';
import { mostly } from '../scripts/stackItems.ts';
import { type Key, makeKey } from '../signing/keys.ts';
import { type Inner, type Lock, lockOf, multi, opTrue, pk, pkh, WRAPPERS, wpkh, wrap } from '../signing/locks.ts';

/** Random coins with the transactions that created them. */

/** A key that all participants can sign with; `index` is that of its secret in `SECRETS`. */
export interface PoolKey extends Key {
  readonly index: number;
}

const POOL: Readonly<Record<Key['form'], readonly PoolKey[]>> = {
  compressed: SECRETS.map((secret, index) => ({ ...makeKey(secret, 'compressed'), index })),
  uncompressed: SECRETS.map((secret, index) => ({ ...makeKey(secret, 'uncompressed'), index })),
  hybrid: SECRETS.map((secret, index) => ({ ...makeKey(secret, 'hybrid'), index })),
};
const form = fc.oneof(
  { weight: 20, arbitrary: fc.constant('compressed' as const) },
  { weight: 2, arbitrary: fc.constant('uncompressed' as const) },
  { weight: 1, arbitrary: fc.constant('hybrid' as const) },
);
export const poolKey: fc.Arbitrary<PoolKey> = fc
  .tuple(form, fc.nat({ max: SECRETS.length - 1 }))
  .map(([chosen, index]) => POOL[chosen][index] as PoolKey);

/** A coin, its signers, and the script they sign. */
export interface Coin {
  readonly lock: Lock;
  readonly signers: readonly PoolKey[];
  /** The script that signatures commit to. */
  readonly script: Uint8Array;
  readonly isWitness: boolean;
  readonly previous: Transaction;
  readonly outpoint: Outpoint;
  readonly value: bigint;
}

type Locked = Pick<Coin, 'lock' | 'signers' | 'script' | 'isWitness'>;

function lockedBy(lock: Lock, signers: readonly PoolKey[]): Locked {
  const { scriptPubKey, redeemScript = scriptPubKey, witnessScript } = lock;
  return { lock, signers, script: witnessScript ?? redeemScript, isWitness: witnessScript !== undefined };
}

const wrapped = (inner: Inner, signers: readonly PoolKey[]): fc.Arbitrary<Locked> =>
  fc.constantFrom(...WRAPPERS).map((wrapper) => lockedBy(wrap(inner, wrapper), signers));

function keyHashLock(key: PoolKey): fc.Arbitrary<Locked> {
  const { script } = pkh(key);
  const wrapper = fc.constantFrom('bare' as const, 'sh' as const);
  return wrapper.map((how) => ({ lock: wrap(wpkh(key), how), signers: [key], script, isWitness: true }));
}

/** Keys may repeat. */
const multisig = mostly(
  fc.array(poolKey, { minLength: 1, maxLength: 4 }),
  fc.array(poolKey, { minLength: 5, maxLength: 17 }),
  15,
).chain((signers) =>
  fc
    .integer({ min: 1, max: Math.min(3, signers.length) })
    .chain((required) => wrapped(multi(required, signers), signers)),
);

const locked: fc.Arbitrary<Locked> = fc.oneof(
  { weight: 2, arbitrary: poolKey.chain((key) => wrapped(pk(key), [key])) },
  { weight: 5, arbitrary: poolKey.chain((key) => wrapped(pkh(key), [key])) },
  { weight: 5, arbitrary: poolKey.chain(keyHashLock) },
  { weight: 8, arbitrary: multisig },
  { weight: 1, arbitrary: wrapped(opTrue, []) },
  {
    weight: 1,
    arbitrary: fc
      .array(poolKey, { minLength: 1, maxLength: 3 })
      .chain((keys) => lockOf(keys).map((lock) => lockedBy(lock, keys))),
  },
);

const MAX_MONEY = 8_400_000_000_000_000n;
export const value: fc.Arbitrary<bigint> = fc.oneof(
  { weight: 12, arbitrary: fc.bigInt({ min: 1_000n, max: 100_000_000_000n }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(0n, 1n, MAX_MONEY, MAX_MONEY - 1n, MAX_MONEY + 1n, -1n, -2n, 2n ** 63n - 1n),
  },
);

const previousInput = fc.tuple(bytes(4), fc.boolean()).map(([seed, isSigned]) => ({
  outpoint: { txid: parseTxid(formatHex(sha256(seed))), vout: seed[0] ?? 0 },
  scriptSig: isSigned ? seed : new Uint8Array(0),
  sequence: 0xffff_fffe,
  witness: isSigned ? [seed] : [],
}));

export const coin: fc.Arbitrary<Coin> = fc
  .record({
    locked,
    value,
    inputs: fc.array(previousInput, { minLength: 1, maxLength: 2 }),
    others: fc.array(fc.record({ value, scriptPubKey: anyScript }), { maxLength: 2 }),
    vout: fc.nat({ max: 2 }),
    locktime: fc.nat({ max: 9 }),
  })
  .map(({ locked: chosen, value: amount, inputs, others, vout, locktime }) => {
    const at = Math.min(vout, others.length);
    const own = { value: amount, scriptPubKey: chosen.lock.scriptPubKey };
    const outputs = [...others.slice(0, at), own, ...others.slice(at)];
    const previous = { version: 2, inputs, outputs, locktime };
    return { ...chosen, previous, outpoint: { txid: txid(previous), vout: at }, value: amount };
  });
