import { expect } from 'vitest';
import { createNodeRpc, type DialectName, networks, RpcError } from '../support/library.ts';
import { startNode } from './litecoind.ts';

/** A node by its program, and how ours answers as it does. */
export interface LiveProgram {
  readonly program: string;
  readonly network: 'litecoin-regtest' | 'regtest';
  readonly dialect: DialectName;
  readonly args: readonly string[];
}

/** A live node, and one of ours in this process, with the same clock. */
export interface BothChains {
  /** Calls ours, and returns an error in the place of a result. */
  readonly ours: (method: string, params?: readonly unknown[]) => unknown;
  /** Calls the live node alike. */
  readonly theirs: (method: string, params?: readonly unknown[]) => Promise<unknown>;
  readonly now: () => number;
  readonly setTime: (time: number) => Promise<void>;
  /** Gives blocks of the live node to ours. */
  readonly take: (hashes: readonly string[]) => Promise<void>;
  /** Mines blocks at the live node, for ours, too. @returns their hashes */
  readonly mineTheirs: (count: number, descriptor?: string) => Promise<readonly string[]>;
  /** Mines a block of one transaction there, for ours, too. */
  readonly mineThis: (hex: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** The descriptor of OP_1, which anyone can spend. */
export const ANYONE = 'raw(51)#8lvh9jxk';
const START_TIME = 1_700_000_000;
const NEVER = '0:0:2147483000:2147483600';
export const LITECOIND: LiveProgram = {
  program: 'litecoind',
  network: 'litecoin-regtest',
  dialect: 'litecoin-0.21',
  args: [`-vbparams=mweb:${NEVER}`, `-vbparams=taproot:${NEVER}`],
};

export async function startBothChains(
  args: readonly string[],
  options: { readonly maxmempool?: number } = {},
  { program, network, dialect, args: own }: LiveProgram = LITECOIND,
): Promise<BothChains> {
  let now = START_TIME;
  const node = await startNode(['-acceptnonstdtxn=1', ...own, ...args], { program });
  const rpc = createNodeRpc({
    network: networks[network],
    dialect,
    acceptnonstdtxn: true,
    ...options,
    clock: () => now,
    random: (size) => new Uint8Array(size).fill(9),
  });
  const theirs: BothChains['theirs'] = async (method, params = []) => {
    const reply = await node.post(JSON.stringify({ method, params, id: 0 }));
    if (reply === undefined) throw new Error(`${program} died at ${method}`);
    const { result, error } = JSON.parse(reply) as { result: unknown; error: unknown };
    return error ?? result;
  };
  const ours: BothChains['ours'] = (method, params = []) => {
    try {
      return rpc.call(method, params);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return { code: error.code, message: error.message };
    }
  };
  const take: BothChains['take'] = async (hashes) => {
    for (const hash of hashes) expect(ours('submitblock', [await theirs('getblock', [hash, 0])])).toBe(null);
  };
  const setTime: BothChains['setTime'] = async (time) => {
    now = time;
    ours('setmocktime', [time]);
    await theirs('setmocktime', [time]);
  };
  await setTime(START_TIME);
  return {
    ...{ ours, theirs, setTime, take },
    now: () => now,
    mineTheirs: async (count, descriptor = ANYONE) => {
      const hashes = (await theirs('generatetodescriptor', [count, descriptor])) as readonly string[];
      await take(hashes);
      return hashes;
    },
    mineThis: async (hex) => {
      const { hash } = (await theirs('generateblock', [ANYONE, [hex]])) as { hash: string };
      await take([hash]);
    },
    stop: node.stop,
  };
}
