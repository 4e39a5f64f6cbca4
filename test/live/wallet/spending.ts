import { nativeSecp256k1Ecc } from '../../../src/core/crypto/nativeSecp256k1.ts';
import {
  decodeTransaction,
  encodeTransaction,
  formatAmount,
  formatHex,
  formatTxid,
  type Prevtx,
  parseHex,
  signRawTransactionWithKey,
  type Transaction,
  type TxOut,
} from '../../support/library.ts';
import { type Lock, wifsOf } from './locks.ts';
import type { Dice } from './random.ts';
import { type Coin, learn, mempoolTxs, refreshMempool, spendable, type World } from './world.ts';

/** Random payments: transactions, replacements, conflicts. */

export const prevtxOf = ({ outpoint, value, lock }: Coin): Prevtx => ({
  txid: formatTxid(outpoint.txid),
  vout: outpoint.vout,
  scriptPubKey: formatHex(lock.scriptPubKey),
  ...(lock.redeemScript && { redeemScript: formatHex(lock.redeemScript) }),
  ...(lock.witnessScript && { witnessScript: formatHex(lock.witnessScript) }),
  amount: formatAmount(value),
});

const SEQUENCES: readonly (readonly [number, number])[] = [
  [6, 0xffff_ffff],
  [2, 0xffff_fffe],
  [6, 0xffff_fffd],
  [1, 0],
  [1, 1],
  [0.5, 2],
];

function outputsOf({ dice, locks }: World, total: bigint): TxOut[] {
  const payees = dice.some(locks, 4);
  return payees.map(({ kind, scriptPubKey }, i) => {
    const isNothing = kind.startsWith('data') || dice.chance(0.03);
    const share = total / BigInt(payees.length + (dice.chance(0.5) ? 0 : 1)) - BigInt(i * dice.below(1000));
    return { scriptPubKey, value: isNothing || share < 0n ? 0n : share };
  });
}

function locktimeOf({ dice, tip, now }: World): number {
  return dice.weighed([
    [9, 0],
    [1, tip.height],
    [0.5, tip.height + 1],
    [0.5, now - 4000],
    [0.5, now + 100],
  ]);
}

/** Builds an unsigned transaction that spends coins. */
export function unsignedTx(world: World, coins: readonly Coin[], fee: bigint): Transaction {
  const { dice } = world;
  const value = coins.reduce((sum, coin) => sum + coin.value, 0n) - fee;
  return {
    version: dice.chance(0.7) ? 2 : 1,
    inputs: coins.map(({ outpoint }) => ({
      ...{ outpoint, scriptSig: new Uint8Array(0), witness: [] },
      sequence: dice.weighed(SEQUENCES),
    })),
    outputs: outputsOf(world, value > 0n ? value : 0n),
    locktime: locktimeOf(world),
  };
}

export function signed(
  tx: Transaction,
  coins: readonly Coin[],
): { readonly tx: Transaction; readonly complete: boolean } {
  // For all other coins, there is no valid prevtx argument.
  const known = coins.filter(({ lock }) => lock.keys.length > 0 || lock.isOpenable);
  const wifs = [...new Set(coins.flatMap(({ lock }) => wifsOf(lock)))];
  const options = { network: 'litecoin-regtest', dialect: 'litecoin-0.21', ecc: nativeSecp256k1Ecc } as const;
  const hex = formatHex(encodeTransaction(tx));
  const result = signRawTransactionWithKey([hex, wifs, known.map(prevtxOf), 'ALL'], options);
  return { tx: decodeTransaction(parseHex(result.hex)), complete: result.complete };
}

const isOpenable = ({ lock }: { readonly lock: Lock }): boolean => lock.isOpenable;
const feeOf = (dice: Dice): bigint => BigInt(dice.pick([5_000, 20_000, 100_000, 1_000_000]) + dice.below(999));

/** Errors that do not depend on relay policy, which we do not have. */
const SHARED_FAULTS = [
  'bad-txns-inputs-missingorspent',
  'Transaction already in block chain',
  'non-final',
  'non-BIP68-final',
  'bad-txns-premature-spend-of-coinbase',
  'mandatory-script-verify-flag-failed',
  'non-mandatory-script-verify-flag',
];

/**
 * Sends a transaction to both, unless the node refuses it for its relay policy.
 * @returns true if it was accepted
 */
async function send(world: World, tx: Transaction): Promise<boolean> {
  const { both } = world;
  const hex = formatHex(encodeTransaction(tx));
  const { result, error } = await both.askNode('testmempoolaccept', [[hex], 0]);
  const tested = (result as { allowed: boolean; 'reject-reason'?: string }[] | null)?.[0];
  const reason = tested?.['reject-reason'] ?? error?.message ?? '';
  const isShared = ['missing-inputs', 'txn-already', ...SHARED_FAULTS].some((fault) => reason.startsWith(fault));
  if (!tested?.allowed && !isShared) return false;
  const { error: refusal } = await both.ask('sendrawtransaction', [hex, 0]);
  if (refusal && !SHARED_FAULTS.some((fault) => refusal.message.startsWith(fault))) throw new Error(refusal.message);
  await refreshMempool(world);
  return !refusal;
}

/** Breaks one input of a transaction: alters the last byte of its scriptSig or last witness item, or empties it. */
function broken(tx: Transaction, dice: Dice): Transaction {
  const at = dice.below(tx.inputs.length);
  const bend = dice.chance(0.5)
    ? (bytes: Uint8Array) => bytes.map((byte, i) => (i === bytes.length - 1 ? byte ^ 1 : byte))
    : () => new Uint8Array(0);
  const inputs = tx.inputs.map((input, i) => {
    if (i !== at) return input;
    if (input.witness.length === 0) return { ...input, scriptSig: bend(input.scriptSig) };
    return { ...input, witness: [...input.witness.slice(0, -1), bend(input.witness.at(-1) ?? new Uint8Array(0))] };
  });
  return { ...tx, inputs };
}

export async function pay(world: World): Promise<void> {
  const { dice } = world;
  const coins = spendable(world).filter(isOpenable);
  if (coins.length === 0) return;
  const chosen = dice.some(coins, 3);
  const { tx, complete } = signed(unsignedTx(world, chosen, feeOf(dice)), chosen);
  if (!complete) throw new Error(`cannot sign ${chosen.map(({ lock }) => lock.kind).join()}`);
  const bad = broken(tx, dice);
  // Some coins can be spent with any input, so that even the broken transaction may be valid.
  if (dice.chance(0.2) && (await send(world, bad))) learn(world, bad);
  learn(world, tx);
  await send(world, tx);
}

/**
 * Spends coins that the mempool spends already: the node accepts it if it pays more; otherwise it may still be mined.
 */
export async function payAgain(world: World): Promise<void> {
  const { dice, tip } = world;
  const spent = mempoolTxs(world).flatMap(({ spends }) => spends.flatMap((name) => tip.coins.get(name) ?? []));
  const rivals = spent.filter(isOpenable);
  if (rivals.length === 0) return;
  const more = dice.chance(0.3) ? dice.some(spendable(world).filter(isOpenable), 1) : [];
  const chosen = [...new Set([...dice.some(rivals, 2), ...more])];
  const fee = feeOf(dice) * BigInt(dice.pick([1, 3, 10]));
  const { tx } = signed(unsignedTx(world, chosen, fee), chosen);
  learn(world, tx);
  await send(world, tx);
}

/** Sends a known transaction again, mined or not. */
export async function sendAgain(world: World): Promise<void> {
  const { dice, known } = world;
  if (known.size > 0) await send(world, dice.pick([...known.values()]).tx);
}

/** Sends a transaction that a wallet has signed. */
export async function sendSigned(world: World, tx: Transaction): Promise<void> {
  learn(world, tx);
  await send(world, tx);
}
