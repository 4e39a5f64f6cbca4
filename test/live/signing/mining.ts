import {
  encodeTransaction,
  formatAmount,
  formatHex,
  formatTxid,
  type Outpoint,
  type Prevtx,
  parseTxid,
  type Transaction,
  type TxOut,
  txid,
} from '../../support/library.ts';
import { type Node, startNode } from '../litecoind.ts';
import type { Spend } from './spends.ts';

/** A short chain with blocks on demand, below all soft fork heights. */
export interface Mine {
  readonly call: <T>(method: string, params: readonly unknown[]) => Promise<T>;
  /** Mines a block of transactions, given by txid or in hex. @returns the txids in it */
  readonly mine: (transactions: readonly string[]) => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
}

/** The descriptor that coinbases pay to: OP_1, which anyone can spend. */
const ANYONE = 'raw(51)#8lvh9jxk';
const MATURITY = 100;
const SUBSIDY = 5_000_000_000n;
const FEE_PER_COIN = 30_000n;

/** Starts a node with the relay policy of the main chain and one mature coin. */
export async function startMine(): Promise<Mine> {
  const node = await startNode(['-acceptnonstdtxn=0']);
  const call = callsTo(node);
  await call('generatetodescriptor', [MATURITY + 1, ANYONE]);
  return {
    call,
    mine: async (transactions) => {
      const { hash } = await call<{ hash: string }>('generateblock', [ANYONE, transactions]);
      return (await call<{ tx: string[] }>('getblock', [hash])).tx;
    },
    stop: node.stop,
  };
}

function callsTo(node: Node): Mine['call'] {
  return async <T>(method: string, params: readonly unknown[]): Promise<T> => {
    const reply = await node.post(JSON.stringify({ id: 0, method, params }));
    if (reply === undefined) throw new Error(`the node crashed on ${method} ${JSON.stringify(params)}`);
    const { result, error } = JSON.parse(reply) as { result: T; error: { message: string } | null };
    if (error) throw new Error(`${method} ${JSON.stringify(params)}: ${error.message}`);
    return result;
  };
}

const blankInput = (outpoint: Outpoint): Transaction['inputs'][number] => ({
  outpoint,
  scriptSig: new Uint8Array(0),
  sequence: 0xffff_ffff,
  witness: [],
});

/** Mines a transaction with these outputs. @returns their outpoints */
export async function fund({ call, mine }: Mine, outputs: readonly TxOut[]): Promise<readonly Outpoint[]> {
  const { tx: txids } = await call<{ tx: string[] }>('getblock', [await call('getblockhash', [1])]);
  const paid = outputs.reduce((total, { value }) => total + value, 0n);
  const change = { value: SUBSIDY - paid, scriptPubKey: Uint8Array.of(0x51) };
  const inputs = [blankInput({ txid: parseTxid(txids[0] ?? ''), vout: 0 })];
  const tx = { version: 2, inputs, outputs: [...outputs, change], locktime: 0 };
  await mine([formatHex(encodeTransaction(tx))]);
  return outputs.map((_, vout) => ({ txid: txid(tx), vout }));
}

/** Makes our signer's arguments: an unsigned transaction with one output per coin, and the coins' prevtxs. */
export function unsignedSpend({ openings }: Spend, outpoints: readonly Outpoint[]): { hex: string; prevtxs: Prevtx[] } {
  const outputs = openings.map(({ value }, i) => {
    const program = new Uint8Array(20).fill(i + 1);
    return { value: value - FEE_PER_COIN, scriptPubKey: Uint8Array.of(0, 20, ...program) };
  });
  const tx = { version: 2, inputs: outpoints.map(blankInput), outputs, locktime: 0 };
  const prevtxs = openings.flatMap(({ lock, value }, i): Prevtx[] => {
    const outpoint = outpoints[i];
    if (!outpoint) return [];
    const { scriptPubKey, redeemScript, witnessScript } = lock;
    return [
      {
        txid: formatTxid(outpoint.txid),
        vout: outpoint.vout,
        scriptPubKey: formatHex(scriptPubKey),
        ...(redeemScript && { redeemScript: formatHex(redeemScript) }),
        ...(witnessScript && { witnessScript: formatHex(witnessScript) }),
        amount: formatAmount(value),
      },
    ];
  });
  return { hex: formatHex(encodeTransaction(tx)), prevtxs };
}
