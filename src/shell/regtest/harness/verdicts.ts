import { formatAddress, parseAddress } from '../../../core/address/address.ts';
import { formatHex, parseHex } from '../../../core/bytes/hex.ts';
import { assertKnownOptions, type OptionNames } from '../../../core/bytes/knownOptions.ts';
import { RpcError } from '../../../core/errors.ts';
import { networks } from '../../../core/network/networks.ts';
import { decodeTransaction } from '../../../core/tx/codec.ts';
import { formatTxid, parseTxid } from '../../../core/tx/txid.ts';
import type { Transaction, TxOut } from '../../../core/tx/types.ts';
import { assertConfirmations, assertSats } from '../checkedArguments.ts';
import type { Payment, Regtest } from '../startRegtest.ts';

/** What a chain makes of an expectation, as matchers return it. */
export interface Verdict {
  readonly pass: boolean;
  /** Says what was expected, and what the chain holds instead. */
  readonly message: () => string;
}

const OUTPOINT: OptionNames<Payment> = { txid: 'needed', vout: 'needed' };

/** Judges whether a transaction has so many confirmations, or more. */
export function judgeConfirmed(chain: Regtest, given: string, wanted = 1): Verdict {
  const txid = readTxid(given);
  assertConfirmations(wanted);
  const confirmations = findTransaction(chain, txid)?.confirmations;
  return verdict(txid, (confirmations ?? 0) >= wanted, `have ${counted(wanted)} or more`, () =>
    confirmations === undefined ? whyMissing(chain, txid) : placeText(confirmations),
  );
}

/** Judges whether a transaction of the chain or of its mempool spends an output. */
export function judgeSpend(chain: Regtest, given: string, outpoint: Payment): Verdict {
  const txid = readTxid(given);
  assertKnownOptions(outpoint, OUTPOINT, 'outpoint.');
  const wanted = `${readTxid(outpoint.txid)}:${outpoint.vout}`;
  const spent = getTransaction(chain, txid).inputs.map(
    (input) => `${formatTxid(input.outpoint.txid)}:${input.outpoint.vout}`,
  );
  return verdict(txid, spent.includes(wanted), `spend ${wanted}`, () => `it spends ${spent.join(', ')}`);
}

/** Judges whether an output of a transaction of the chain or of its mempool pays an address just so many satoshi. */
export function judgePayment(chain: Regtest, given: string, address: string, sats: bigint): Verdict {
  const txid = readTxid(given);
  assertSats(sats);
  const wanted = paymentText({ value: sats, scriptPubKey: parseAddress(address, networks.regtest) });
  const paid = getTransaction(chain, txid).outputs.map(paymentText);
  return verdict(txid, paid.includes(wanted), `pay ${wanted}`, () => `it pays ${paid.join(', ')}`);
}

const readTxid = (text: string): string => formatTxid(parseTxid(text));

const verdict = (txid: string, pass: boolean, wish: string, found: () => string): Verdict => ({
  pass,
  message: () => `Expected transaction ${txid} ${pass ? 'not ' : ''}to ${wish}, but ${found()}`,
});

const counted = (confirmations: number): string => `${confirmations} confirmation${confirmations === 1 ? '' : 's'}`;

const placeText = (confirmations: number): string =>
  confirmations === 0 ? 'it is in the mempool' : `it has ${counted(confirmations)}`;

/** Shows an address in one form, whose letters may be of either case. */
const paymentText = ({ value, scriptPubKey }: TxOut): string =>
  `${value} sat to ${formatAddress(scriptPubKey, networks.regtest) ?? `the script ${formatHex(scriptPubKey)}`}`;

interface Found {
  /** None in the mempool. */
  readonly confirmations: number;
  readonly block?: string;
}

/** Looks through the blocks from the tip on, as a chain has an index only with `txindex`. */
function findTransaction({ rpc }: Regtest, txid: string): Found | undefined {
  if (rpc.call('getrawmempool').includes(txid)) return { confirmations: 0 };
  const tip = rpc.call('getblockcount');
  for (let height = tip; height >= 0; height -= 1) {
    const block = rpc.call('getblockhash', [height]);
    if (rpc.call('getblock', [block, 1]).tx.includes(txid)) return { confirmations: tip - height + 1, block };
  }
  return undefined;
}

/** @throws Error where the chain has no such transaction: what it would spend or pay is then unknown */
function getTransaction(chain: Regtest, txid: string): Transaction {
  const found = findTransaction(chain, txid);
  if (!found) throw new Error(`The chain has no transaction ${txid}: ${whyMissing(chain, txid)}`);
  const params = found.block === undefined ? ([txid, 0] as const) : ([txid, 0, found.block] as const);
  return decodeTransaction(parseHex(chain.rpc.call('getrawtransaction', params)));
}

/** Asks the wallets what became of a transaction that is in no block and not in the mempool. */
function whyMissing({ rpc }: Regtest, txid: string): string {
  for (const wallet of rpc.call('listwallets')) {
    const entry = unlessUnknown(() => rpc.call('gettransaction', [txid], wallet));
    if (entry?.replaced_by_txid !== undefined) return `${entry.replaced_by_txid} replaced it`;
    if (entry && entry.confirmations < 0) return 'a transaction in a block conflicts with it';
    if (entry) return `only the wallet ${wallet} has it: it is not in the mempool`;
  }
  return 'neither a block nor the mempool has it';
}

/** Core's RPC_INVALID_ADDRESS_OR_KEY: the wallet has no such transaction. */
const UNKNOWN = -5;

function unlessUnknown<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof RpcError && error.code === UNKNOWN) return undefined;
    throw error;
  }
}
