import { cosigners } from '../../examples/fixtures.ts';
import { type Account, buildPsbt } from '../../src/kit/account/index.ts';
import type { DocumentView, OpenedView } from '../../src/shell/page/protocol.ts';
import { encodeTransaction, formatTxid, type Psbt, parseTxid, type Transaction, txid } from './library.ts';

// Wallets and PSBTs for sessions of the page.

const [first, , third] = cosigners;

/** A 2-of-3 multisig with public keys. */
export const MULTISIG = `wsh(sortedmulti(2,${cosigners.map(({ xpub }) => xpub).join(',')}))`;

/** Describes the same multisig with the private keys of some signers. */
export const multisigOf = (...signers: readonly (0 | 1 | 2)[]): string =>
  `wsh(sortedmulti(2,${cosigners.map(({ xprv, xpub }, i) => (signers.some((signer) => signer === i) ? xprv : xpub)).join(',')}))`;

/** Describes a taproot wallet with two leaves; `key` is that of the first. */
export const leafOf = (key: string): string => `tr(${first.xpub},{pk(${key}),pk(${third.xpub})})`;

const NOTHING = new Uint8Array(0);

/** Makes a transaction that gives an account some coins. */
export function fundingOf(account: Account, coins: number): Transaction {
  const outpoint = { txid: parseTxid('11'.repeat(32)), vout: 0 };
  const { scriptPubKey } = account.receive(3);
  return {
    version: 2,
    inputs: [{ outpoint, scriptSig: NOTHING, sequence: 0, witness: [] }],
    outputs: Array.from({ length: coins }, () => ({ value: 100_000n, scriptPubKey })),
    locktime: 0,
  };
}

/** Makes a PSBT that spends such coins, with change. */
export function paymentOf(account: Account, version: 0 | 2 = 2, coins = 1, paid = 60_000n): Psbt {
  const funding = fundingOf(account, coins);
  const isLegacy = account.descriptors.some(({ kind }) => kind === 'pkh');
  const inputs = funding.outputs.map(({ value }, vout) => ({
    txid: formatTxid(txid(funding)),
    vout,
    value,
    from: account.receive(3),
    ...(isLegacy && { previousTransaction: encodeTransaction(funding) }),
  }));
  const outputs = { [account.receive(7).address]: paid };
  return buildPsbt({ inputs, outputs, change: account.change(0), feeRate: 2, network: account.network, version });
}

/** Returns the document of what was opened. */
export const documentOf = (opened: OpenedView): DocumentView => {
  if (!('document' in opened)) throw new Error(`nothing opened: ${JSON.stringify(opened)}`);
  return opened.document;
};
