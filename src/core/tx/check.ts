import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import { networks } from '../network/networks.ts';
import { assertTransaction } from './assertTransaction.ts';
import { outpointKey } from './txid.ts';
import type { Outpoint, Transaction, TxOut } from './types.ts';
import { transactionSize, WITNESS_SCALE_FACTOR } from './weight.ts';

/** A fault that does not depend on the coins being spent, by Core's reject reason. */
export type TransactionFault =
  | 'bad-txns-vin-empty'
  | 'bad-txns-vout-empty'
  | 'bad-txns-oversize'
  | 'bad-txns-vout-negative'
  | 'bad-txns-vout-toolarge'
  | 'bad-txns-txouttotal-toolarge'
  | 'bad-txns-inputs-duplicate'
  | 'bad-cb-length'
  | 'bad-txns-prevout-null';

/** A fault in the amounts of inputs and outputs, by Core's reject reason. */
export type InputValuesFault = 'bad-txns-inputvalues-outofrange' | 'bad-txns-in-belowout';

const MAX_BLOCK_WEIGHT = 4_000_000;
const NULL_VOUT = 0xffff_ffff;

const isNull = ({ txid, vout }: Outpoint): boolean => vout === NULL_VOUT && txid.every((byte) => byte === 0);

/** Tells whether the only input spends the null outpoint. @see Core `CTransaction::IsCoinBase` */
export function isCoinbase({ inputs }: Transaction): boolean {
  const [first] = inputs;
  return first !== undefined && inputs.length === 1 && isNull(first.outpoint);
}

/** Options for checking a transaction. */
export interface CheckTransactionOptions {
  readonly maxMoney?: bigint;
}

const CHECK_OPTIONS: OptionNames<CheckTransactionOptions> = { maxMoney: true };

/**
 * Checks the rules that need neither coins nor a chain, and runs no scripts.
 *
 * - `maxMoney`: in satoshi; default Bitcoin's 21 million coins
 *
 * @returns the first fault in Core's order; `undefined` without a fault
 * @see Core `CheckTransaction`
 *
 * @example
 * ```ts
 * import { checkTransaction } from 'countersign';
 *
 * checkTransaction({ version: 2, inputs: [], outputs: [], locktime: 0 }); // bad-txns-vin-empty
 * ```
 */
export function checkTransaction(tx: Transaction, options: CheckTransactionOptions = {}): TransactionFault | undefined {
  assertTransaction(tx);
  assertKnownOptions(options, CHECK_OPTIONS);
  const { maxMoney = networks.main.maxMoney } = options;
  if (tx.inputs.length === 0) return 'bad-txns-vin-empty';
  if (tx.outputs.length === 0) return 'bad-txns-vout-empty';
  if (transactionSize(tx).strippedSize * WITNESS_SCALE_FACTOR > MAX_BLOCK_WEIGHT) return 'bad-txns-oversize';
  return checkValues(tx.outputs, maxMoney) ?? checkOutpoints(tx);
}

function checkValues(outputs: readonly TxOut[], maxMoney: bigint): TransactionFault | undefined {
  let total = 0n;
  for (const { value } of outputs) {
    if (value < 0n) return 'bad-txns-vout-negative';
    if (value > maxMoney) return 'bad-txns-vout-toolarge';
    total += value;
    if (total > maxMoney) return 'bad-txns-txouttotal-toolarge';
  }
  return undefined;
}

function checkOutpoints(tx: Transaction): TransactionFault | undefined {
  const seen = new Set(tx.inputs.map(({ outpoint }) => outpointKey(outpoint)));
  if (seen.size < tx.inputs.length) return 'bad-txns-inputs-duplicate';
  if (!isCoinbase(tx)) return tx.inputs.some(({ outpoint }) => isNull(outpoint)) ? 'bad-txns-prevout-null' : undefined;
  const size = tx.inputs[0]?.scriptSig.length ?? 0;
  return size < 2 || size > 100 ? 'bad-cb-length' : undefined;
}

/**
 * Checks that amounts are in range and inputs cover outputs.
 *
 * - `prevouts`: the outputs being spent, one per input
 * - `maxMoney`: as for `checkTransaction`
 *
 * @see Core `Consensus::CheckTxInputs`
 */
export function checkInputValues(
  tx: Transaction,
  prevouts: readonly TxOut[],
  options: CheckTransactionOptions = {},
): InputValuesFault | undefined {
  assertKnownOptions(options, CHECK_OPTIONS);
  const { maxMoney = networks.main.maxMoney } = options;
  const isInRange = (value: bigint): boolean => value >= 0n && value <= maxMoney;
  const sum = (outputs: readonly TxOut[]): bigint => outputs.reduce((total, { value }) => total + value, 0n);
  const spent = sum(prevouts);
  if (!isInRange(spent) || !prevouts.every(({ value }) => isInRange(value))) return 'bad-txns-inputvalues-outofrange';
  return spent < sum(tx.outputs) ? 'bad-txns-in-belowout' : undefined;
}
