import { accountFromWords, buildPsbt, signWith, silentPaymentsFromWords } from '../../src/kit/account/index.ts';
import {
  compareBytes,
  encodeTransaction,
  formatSilentPaymentAddress,
  formatTxid,
  networks,
  nobleEcc,
  type Psbt,
  parseSilentPaymentAddress,
  parseTxid,
  type Transaction,
  txid,
} from './library.ts';

// A payment that its receiver does not find: beside it, a stranger's spend key has the same scan key, and is counted first.

export const PAYER_WORDS = `${'abandon '.repeat(11)}about`;
const network = 'regtest';
const payer = accountFromWords(PAYER_WORDS, { network });
export const payee = silentPaymentsFromWords(`${'zoo '.repeat(11)}wrong`, { network });

const keys = parseSilentPaymentAddress(payee.address(), networks.regtest);
const spendKey = [9, 10, 11, 12, 13, 14, 15, 16]
  .map((byte) => nobleEcc.publicKey(new Uint8Array(32).fill(byte)))
  .find((key) => compareBytes(key, keys.spendKey) < 0);
if (!spendKey) throw new Error('no key sorts first');

/** The address that hides the payment. */
export const hiding = formatSilentPaymentAddress({ ...keys, spendKey }, networks.regtest);

/** The transaction of the coin that is spent. */
export const FUNDING: Transaction = {
  version: 2,
  locktime: 0,
  inputs: [
    { outpoint: { txid: parseTxid('01'.repeat(32)), vout: 0 }, scriptSig: new Uint8Array(0), sequence: 0, witness: [] },
  ],
  outputs: [{ value: 100_000n, scriptPubKey: payer.receive(0).scriptPubKey }],
};

/** Pays addresses of silent payments, the first of which gets 60 000 sat and the others 1000, as a coordinator who claims anything. */
export const payingSilently = (...to: readonly string[]): Psbt =>
  buildPsbt({
    inputs: [
      {
        txid: formatTxid(txid(FUNDING)),
        vout: 0,
        from: payer.receive(0),
        previousTransaction: encodeTransaction(FUNDING),
      },
    ],
    outputs: to.map((address, i) => ({ to: address, value: i === 0 ? 60_000n : 1000n })),
    change: payer.change(0),
    feeRate: 2,
    sameReceiver: to,
  });

/** The same with computed scripts and without signatures. */
export function computedPayment(...to: readonly string[]): Psbt {
  const { psbt } = signWith(payer, payingSilently(...to), { sameReceiver: to, finalize: false });
  return { ...psbt, inputs: psbt.inputs.map(({ partialSigs: _, ...input }) => input) };
}

export const uriOf = (address: string): string => `bitcoin:?sp=${address}&amount=0.0006`;
