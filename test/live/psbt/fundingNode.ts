import { formatAddress, formatAmount, networks, type Outpoint, parseTxid } from '../../support/library.ts';
import { type Node, startNode } from '../litecoind.ts';

/** A node with a watch-only wallet, on a chain where all timelock rules are active. */
export interface Bank {
  readonly call: <T>(method: string, ...params: readonly unknown[]) => Promise<T>;
  /** Returns the error of a call; throws if it succeeds. */
  readonly refusal: (method: string, ...params: readonly unknown[]) => Promise<{ code: number; message: string }>;
  /** Mines a block of transactions, given by txid or in hex. */
  readonly mine: (...transactions: readonly string[]) => Promise<void>;
  /** Mines empty blocks. */
  readonly wait: (blocks: number) => Promise<void>;
  /** Mines a payment to an address. */
  readonly pay: (address: string, value: bigint) => Promise<Outpoint>;
  readonly stop: () => Promise<void>;
}

const NEVER = '0:0:2147483000:2147483600';
const ARGS = [
  '-disablewallet=0',
  '-acceptnonstdtxn=0',
  // With MWEB, blocks would need an extension block.
  `-vbparams=mweb:${NEVER}`,
];
/** The descriptor that coinbases pay to: OP_1, which anyone can spend. */
const ANYONE = 'raw(51)#8lvh9jxk';
/** Past the last soft fork (BIP65, height 1351). */
const FIRST_HEIGHT = 1400;
const SUBSIDY = 5_000_000_000n;

/** An address without a known key. */
export const NOBODY: string =
  formatAddress(Uint8Array.of(0, 20, ...new Uint8Array(20)), networks['litecoin-regtest']) ?? '';

interface Reply {
  readonly result: unknown;
  readonly error: { readonly code: number; readonly message: string } | null;
}

export async function startBank(): Promise<Bank> {
  const node = await startNode(ARGS);
  const ask = createAsk(node);
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

function createAsk(node: Node) {
  return async (method: string, params: readonly unknown[]): Promise<Reply> => {
    const reply = await node.post(JSON.stringify({ id: 0, method, params }));
    if (reply === undefined) throw new Error(`the node crashed on ${method} ${JSON.stringify(params)}`);
    return JSON.parse(reply) as Reply;
  };
}
