import type { Payment, Regtest } from '../startRegtest.ts';
import { judgeConfirmed, judgePayment, judgeSpend, type Verdict } from './verdicts.ts';

/** What `expect(txid)` can say of a transaction. */
export interface RegtestMatchers<R> {
  /** Has so many confirmations, or more. Default: one. */
  toBeConfirmed(confirmations?: number): R;
  /** Spends an output, in the chain or in its mempool. */
  toSpend(outpoint: Payment): R;
  /** Has an output, in the chain or in its mempool, that pays an address just so many satoshi. */
  toPay(address: string, sats: bigint): R;
}

declare global {
  // Vitest and @types/jest both look here for the matchers of others; without them, it declares nothing that is used.
  namespace jest {
    interface Matchers<R, T> extends RegtestMatchers<R> {}
  }
}

/** Makes matchers that ask one chain. */
export const matchersOf = (chain: Regtest) => ({
  toBeConfirmed: (txid: string, confirmations?: number): Verdict => judgeConfirmed(chain, txid, confirmations),
  toSpend: (txid: string, outpoint: Payment): Verdict => judgeSpend(chain, txid, outpoint),
  toPay: (txid: string, address: string, sats: bigint): Verdict => judgePayment(chain, txid, address, sats),
});
