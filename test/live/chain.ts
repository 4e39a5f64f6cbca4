import {
  encodeTransaction,
  formatHex,
  parseHex,
  parseTxid,
  type Transaction,
  type TxOut,
  txid,
  wtxid,
} from '../support/library.ts';
import { type Node, startNode } from './litecoind.ts';
import { sha256d } from './scripts/bytes.ts';
import type { Age } from './scripts/shapes.ts';

/** A private regtest chain that can fund any script and try any spend. It does not depend on the machine's clock. */
export interface Chain {
  /** The age of coins after {@link Chain.age}. */
  readonly coinAge: Age;
  /** Mines a transaction with these outputs, followed by a change output. */
  readonly fund: (outputs: readonly TxOut[]) => Promise<Transaction>;
  /** Mines blocks and advances the mock time, so that coins reach `coinAge`. */
  readonly age: () => Promise<void>;
  /** Returns why the node refuses to relay a transaction, or `undefined` if it accepts it. */
  readonly whyNotRelayed: (tx: Transaction) => Promise<string | undefined>;
  /** Returns why the node refuses a block with this transaction, or `undefined` if it accepts it. */
  readonly whyNotMined: (tx: Transaction) => Promise<string | undefined>;
  readonly stop: () => Promise<void>;
}

const NEVER = '0:0:2147483000:2147483600';
const ARGS = [
  '-acceptnonstdtxn=1',
  // With more threads, the node does not report which script made it refuse a block.
  '-par=1',
  // With MWEB, blocks would need an extension block; with taproot, this node may abort on an input's witness.
  `-vbparams=mweb:${NEVER}`,
  `-vbparams=taproot:${NEVER}`,
];

/** The descriptor that coinbases pay to: OP_1, which anyone can spend. */
const ANYONE = 'raw(51)#8lvh9jxk';
/** Past the last soft fork (BIP65, height 1351), with enough mature coinbases. */
const FIRST_HEIGHT = 1400;
const START_TIME = 1_700_000_000;
const COIN_AGE: Age = { height: FIRST_HEIGHT, time: START_TIME, blocks: 20, timeUnits: 20 };
const SECONDS_PER_TIME_UNIT = 512;
const SUBSIDY = 5_000_000_000n;

export async function startChain(): Promise<Chain> {
  const node = await startNode(ARGS);
  const call = callsTo(node);
  await call('setmocktime', [START_TIME]);
  const mine = (count: number): Promise<string[]> => call('generatetodescriptor', [count, ANYONE]);
  const blocks = await mine(FIRST_HEIGHT);
  let spent = 0;
  let tip: Tip | undefined;
  return {
    coinAge: COIN_AGE,
    fund: async (outputs) => {
      const { tx: txids } = await call<{ tx: string[] }>('getblock', [blocks[spent]]);
      spent += 1;
      const outpoint = { txid: parseTxid(txids[0] ?? ''), vout: 0 };
      const inputs = [{ outpoint, scriptSig: new Uint8Array(0), sequence: 0xffff_ffff, witness: [] }];
      const paid = outputs.reduce((sum, { value }) => sum + value, 0n);
      const change = { value: SUBSIDY - paid, scriptPubKey: Uint8Array.of(0x51) };
      const tx = { version: 2, inputs, outputs: [...outputs, change], locktime: 0 };
      await call('generateblock', [ANYONE, [formatHex(encodeTransaction(tx))]]);
      return tx;
    },
    age: async () => {
      await call('setmocktime', [START_TIME + (COIN_AGE.timeUnits + 2) * SECONDS_PER_TIME_UNIT]);
      const mined = await mine(COIN_AGE.blocks);
      tip = await call('getblockheader', [mined.at(-1)]);
    },
    whyNotRelayed: async (tx) => {
      const answers = await call<TestedTransaction[]>('testmempoolaccept', [[formatHex(encodeTransaction(tx))], 0]);
      return answers[0]?.allowed ? undefined : answers[0]?.['reject-reason'];
    },
    whyNotMined: async (tx) => {
      if (!tip) throw new Error('call age() first');
      const data = formatHex(blockWith(tx, tip));
      return (await call<string | null>('getblocktemplate', [{ mode: 'proposal', data }])) ?? undefined;
    },
    stop: node.stop,
  };
}

interface TestedTransaction {
  readonly allowed: boolean;
  readonly 'reject-reason'?: string;
}

interface Tip {
  readonly hash: string;
  readonly height: number;
  readonly time: number;
}

function callsTo(node: Node) {
  return async <T>(method: string, params: readonly unknown[]): Promise<T> => {
    const reply = await node.post(JSON.stringify({ id: 0, method, params }));
    if (reply === undefined) throw new Error(`the node crashed on ${method} ${JSON.stringify(params)}`);
    const { result, error } = JSON.parse(reply) as { result: T; error: { message: string } | null };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
}

/** Builds a block with one transaction on the tip, complete except for the proof of work. */
function blockWith(tx: Transaction, tip: Tip): Uint8Array {
  const coinbase = coinbaseFor(tx, tip.height + 1);
  const root = sha256d(txid(coinbase), txid(tx));
  const header = new DataView(new ArrayBuffer(80));
  const bytes = new Uint8Array(header.buffer);
  header.setUint32(0, 0x2000_0000, true);
  bytes.set(parseHex(tip.hash).reverse(), 4);
  bytes.set(root, 36);
  header.setUint32(68, tip.time + 1, true);
  header.setUint32(72, 0x207f_ffff, true);
  return Uint8Array.of(...bytes, 2, ...encodeTransaction(coinbase), ...encodeTransaction(tx));
}

/** Builds the coinbase of a block with one transaction. @see BIP34 for the height; BIP141 "Commitment structure" */
function coinbaseFor(tx: Transaction, height: number): Transaction {
  const nonce = new Uint8Array(32);
  const commitment = sha256d(sha256d(new Uint8Array(32), wtxid(tx)), nonce);
  const outpoint = { txid: parseTxid('00'.repeat(32)), vout: 0xffff_ffff };
  const scriptSig = Uint8Array.of(2, height & 0xff, height >> 8, 0);
  return {
    version: 2,
    inputs: [{ outpoint, scriptSig, sequence: 0xffff_ffff, witness: [nonce] }],
    outputs: [{ value: 0n, scriptPubKey: Uint8Array.of(0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed, ...commitment) }],
    locktime: 0,
  };
}
