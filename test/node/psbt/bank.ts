import { formatAddress, formatAmount, networks, type Outpoint, parseTxid } from '../../support/library.ts';
import { type Node, startNode } from '../litecoind.ts';

/** A node with a wallet that knows public keys only, on a chain on which every rule about time holds. */
export interface Bank {
  readonly call: <T>(method: string, ...params: readonly unknown[]) => Promise<T>;
  /** The error that a call ends with. */
  readonly refusal: (method: string, ...params: readonly unknown[]) => Promise<{ code: number; message: string }>;
  /** Mines a block of what is named by txid or given in hex. */
  readonly mine: (...transactions: readonly string[]) => Promise<void>;
  /** Mines empty blocks. */
  readonly wait: (blocks: number) => Promise<void>;
  /** Pays to an address, in a block. */
  readonly pay: (address: string, value: bigint) => Promise<Outpoint>;
  readonly stop: () => Promise<void>;
}

const NEVER = '0:0:2147483000:2147483600';
const ARGS = [
  '-disablewallet=0',
  '-acceptnonstdtxn=0',
  // Blocks would need an extension block.
  `-vbparams=mweb:${NEVER}`,
];
/** Anyone can spend what is mined: OP_1. */
const ANYONE = 'raw(51)#8lvh9jxk';
/** Behind the last soft fork (BIP65, 1351). */
const FIRST_HEIGHT = 1400;
const SUBSIDY = 5_000_000_000n;

/** An address that nobody has the key of. */
export const NOBODY: string =
  formatAddress(Uint8Array.of(0, 20, ...new Uint8Array(20)), networks['litecoin-regtest']) ?? '';

interface Reply {
  readonly result: unknown;
  readonly error: { readonly code: number; readonly message: string } | null;
}

export async function startBank(): Promise<Bank> {
  const node = await startNode(ARGS);
  const ask = asker(node);
  const call = async <T>(method: string, ...params: readonly unknown[]): Promise<T> => {
    const { result, error } = await ask(method, params);
    if (error) throw new Error(`${method} ${JSON.stringify(params)}: ${error.message}`);
    return result as T;
  };
  const coinbases = await call<string[]>('generatetodescriptor', FIRST_HEIGHT, ANYONE);
  await call('createwallet', 'watching', true, true);
  const mine = async (...transactions: readonly string[]): Promise<void> => {
    await call('generateblock', ANYONE, transactions);
  };
  return {
    call,
    refusal: async (method, ...params) => {
      const { result, error } = await ask(method, params);
      if (!error) throw new Error(`${method} was not refused: ${JSON.stringify(result)}`);
      return error;
    },
    mine,
    wait: async (blocks) => {
      await call('generatetodescriptor', blocks, ANYONE);
    },
    pay: async (address, value) => {
      const { tx } = await call<{ tx: string[] }>('getblock', coinbases.shift());
      const paid = [{ [address]: formatAmount(value) }, { [NOBODY]: formatAmount(SUBSIDY - value) }];
      const hex = await call<string>('createrawtransaction', [{ txid: tx[0], vout: 0 }], paid);
      await mine(hex);
      const { txid } = await call<{ txid: string }>('decoderawtransaction', hex);
      return { txid: parseTxid(txid), vout: 0 };
    },
    stop: node.stop,
  };
}

function asker(node: Node) {
  return async (method: string, params: readonly unknown[]): Promise<Reply> => {
    const reply = await node.post(JSON.stringify({ id: 0, method, params }));
    if (reply === undefined) throw new Error(`the node died of ${method} ${JSON.stringify(params)}`);
    return JSON.parse(reply) as Reply;
  };
}
