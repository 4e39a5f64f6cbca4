import { resolve } from 'node:path';
import { BtcError } from '../errors.ts';
import { createNodeRpc, type NodeRpc } from '../rpc/createNodeRpc.ts';
import type { RpcContext, RpcOptions } from '../rpc/dialect.ts';
import { cutText, storeFaultText } from '../store/faultText.ts';
import { openStore } from '../store/openStore.ts';
import type { Io } from '../terminal/io.ts';
import { UsageError } from '../terminal/usageError.ts';
import { nodeScrypt } from './nodeScrypt.ts';
import { openContext } from './openContext.ts';
import type { CommandLine } from './options.ts';

/**
 * Creates the dispatcher with a chain and wallets, in `--wallet-dir` or in memory.
 * @throws UsageError listing the known names, or saying what is wrong with the directory
 */
export async function openNodeRpc(
  line: CommandLine,
  io: Io,
  more: Pick<RpcOptions, 'onProgress'> = {},
): Promise<NodeRpc> {
  const { walletDir } = line;
  const context = await openContext(line, io);
  const create = (stored: Stored): NodeRpc => createWith({ ...context, ...more }, io, stored);
  if (walletDir === undefined) return create({});
  try {
    return openStored(walletDir, io, create);
  } catch (error) {
    const fault = error instanceof BtcError ? storeFaultText(error, walletDir) : undefined;
    throw fault === undefined ? error : new UsageError(`--wallet-dir: ${fault}`);
  }
}

type Stored = Pick<Parameters<typeof createNodeRpc>[0], 'store' | 'walletDir'>;

function openStored(walletDir: string, io: Io, create: (stored: Stored) => NodeRpc): NodeRpc {
  const store = openStore(walletDir);
  try {
    if (store.cut) io.writeError(cutText(store.cut));
    return create({ store, walletDir: resolve(walletDir) });
  } catch (error) {
    store.close();
    throw error;
  }
}

function createWith(
  { dialect, ...context }: RpcContext,
  { now, unixTime: clock, random }: Io,
  stored: Stored,
): NodeRpc {
  const steadyClock = (): number => now() / 1000;
  return createNodeRpc({
    ...context,
    dialect: dialect.name,
    clock,
    steadyClock,
    scrypt: nodeScrypt,
    random,
    ...stored,
  });
}
