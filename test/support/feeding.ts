import { concat } from '../node/scripts/bytes.ts';
import {
  createMemoryStore,
  createNodeRpc,
  type DialectName,
  encodeTransaction,
  formatHex,
  type NetworkName,
  type NodeRpc,
  parseHex,
  parseTxid,
  sha256d,
  type Transaction,
  txid,
} from './library.ts';

/** Nodes that tests feed with blocks of their own. */

/** Of each chain, the hash of its first block. */
export const GENESIS: Readonly<Record<string, string>> = {
  regtest: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
  'litecoin-regtest': '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
};
/** UNIX time of all that happens. */
const START_TIME = 1_600_000_000;

/** Opens a node in memory with an empty wallet `w`. */
export function openWithWallet(
  dialect: DialectName = 'litecoin-0.21',
  network: NetworkName = 'litecoin-regtest',
): NodeRpc {
  const random = (size: number): Uint8Array => new Uint8Array(size).fill(7);
  const rpc = createNodeRpc({ network, dialect, store: createMemoryStore(), clock: () => START_TIME, random });
  rpc.call('createwallet', ['w', false, true]);
  return rpc;
}

/** A block that can be fed. */
interface Made {
  readonly hex: string;
  readonly hash: string;
  readonly coinbase: Transaction;
}

/** A block whose coinbase pays a script; its proof of work is not looked at. */
export function madeBlock(
  previous: string,
  scriptPubKey: Uint8Array,
  nonce: number,
  txs: readonly Transaction[] = [],
): Made {
  const outpoint = { txid: parseTxid('00'.repeat(32)), vout: 0xffff_ffff };
  const scriptSig = Uint8Array.of(1, nonce);
  const coinbase: Transaction = {
    version: 2,
    inputs: [{ outpoint, scriptSig, sequence: 0xffff_ffff, witness: [] }],
    outputs: [{ value: 5_000_000_000n, scriptPubKey }],
    locktime: 0,
  };
  const [first = coinbase, second] = [coinbase, ...txs];
  const root = second ? sha256d(concat(txid(first), txid(second))) : txid(first);
  const time = new Uint8Array(Uint32Array.of(START_TIME + nonce).buffer);
  const header = concat([2, 0, 0, 0], parseHex(previous).reverse(), root, time, [
    0xff,
    0xff,
    0x7f,
    0x20,
    nonce,
    0,
    0,
    0,
  ]);
  const body = [first, ...(second ? [second] : [])].map((tx) => encodeTransaction(tx));
  const hex = formatHex(concat(header, [body.length], ...body));
  return { hex, hash: formatHex(sha256d(header).reverse()), coinbase };
}

/** A script that anyone can spend: OP_1. */
export const ANYONE = Uint8Array.of(0x51);

/** What a call is refused with. */
export function rpcFault(call: () => unknown): { readonly code: number; readonly message: string } {
  try {
    call();
  } catch (error) {
    return error as { code: number; message: string };
  }
  throw new Error('it was not refused');
}
