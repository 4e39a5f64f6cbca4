import type { Transaction, TxOut } from '../../core/tx/types.ts';
import type { Chain } from '../../node/chain/chainState.ts';
import { type Faucet, payFrom } from './faucet.ts';

/** How full the mempool gets. */
export interface CongestionTerms {
  /** About what its transactions pay, in satoshi per virtual byte. */
  readonly feeRate: number;
  /** How many blocks they fill. Default 1. */
  readonly blocks?: number;
}

/**
 * Thirteen transactions with this many outputs leave less of a block than the smallest transaction takes: an output weighs
 * 172 units, the rest of a transaction 389, and a block holds 3 992 000 beside its coinbase.
 */
const OUTPUTS = 1783;
const TRANSACTIONS = 13;
/** No dust. */
const VALUE = 400n;

/** How many transactions fill the blocks. */
export const fillingCount = ({ blocks = 1 }: CongestionTerms): number => blocks * TRANSACTIONS;

/** Builds a transaction with many outputs. @returns `undefined` if the faucet lacks coins */
export function buildLarge(faucet: Faucet, chain: Chain, feeRate: number): Transaction | undefined {
  const outputs = Array.from({ length: OUTPUTS }, (): TxOut => ({ value: VALUE, scriptPubKey: faucet.scriptPubKey }));
  return payFrom(faucet, chain, outputs, { feeRate: BigInt(Math.ceil(feeRate)), spendsUnconfirmed: false });
}
