import { resolve } from 'node:path';
import type { RpcContext, RpcOptions } from '../../answers/dialect/dialect.ts';
import { shownPath } from '../../core/encoding/redaction.ts';
import { BtcError } from '../../core/errors.ts';
import type { BitcoindOptions, MempoolOptions } from '../../node/bitcoindOptions.ts';
import { createNodeRpc, type NodeRpc } from '../../node/createNodeRpc.ts';
import type { RecordStore, SharedStore } from '../../node/store/recordStore.ts';
import { createBackupFiles, isDirectory } from '../store/backupFiles.ts';
import { storeFaultText } from '../store/faultText.ts';
import { openStore } from '../store/openStore.ts';
import { DEFAULT_LIMITS, openPostgresStore } from '../store/postgres/postgresStore.ts';
import { parsePostgresUrl } from '../store/postgres/postgresUrl.ts';
import { DATABASE_MARK, type Io } from '../terminal/io.ts';
import { UsageError } from '../terminal/usageError.ts';
import { PASSWORD_WARNING } from './input/secrets.ts';
import type { NodeValues } from './nodeOptions.ts';
import { nodeScrypt } from './nodeScrypt.ts';
import { openContext } from './openContext.ts';
import type { CommandLine } from './options.ts';
import { readNodeOptions } from './readNodeOptions.ts';

/** `backupDirs`: the only directories, beside that of the wallets, in which requests may have backups. */
type NodeOptions = Pick<RpcOptions, 'onProgress'> &
  Pick<CreateOptions, 'onStop' | 'assumevalid'> &
  MempoolOptions & { readonly backupDirs?: readonly string[] };

/** Opens a node in `--wallet-dir`, in `--wallet-store` or in memory. */
export async function openNodeRpc(
  line: CommandLine & NodeValues,
  io: Io,
  { backupDirs, assumevalid, ...more }: NodeOptions = {},
): Promise<NodeRpc> {
  const { walletDir, walletStore } = line;
  if (walletDir !== undefined && walletStore !== undefined) {
    throw new UsageError('--wallet-dir and --wallet-store exclude each other');
  }
  const context = await openContext(line, io);
  const known = readAssumevalid(line) ?? assumevalid;
  const backupFiles = createBackupFiles({ walletDir, named: backupDirs?.map(existing) });
  const options = {
    ...context,
    backupFiles,
    ...readNodeOptions(line, context.dialect),
    ...more,
    ...(known && { assumevalid: known }),
  };
  const create = (stored: Stored): NodeRpc => createNode(options, io, stored);
  if (walletStore !== undefined) {
    return withOption('--wallet-store', 'the database', () =>
      createOrClose(openDatabase(walletStore, io), (store) => create({ store })),
    );
  }
  if (walletDir === undefined) return create({});
  return withOption('--wallet-dir', walletDir, () =>
    createOrClose(line.store ?? openStore(walletDir), (store) => create({ store, walletDir: resolve(walletDir) })),
  );
}

function readAssumevalid({ assumevalid }: NodeValues): string | undefined {
  if (assumevalid === undefined || /^(?:0|all|[0-9a-f]{64})$/.test(assumevalid)) return assumevalid;
  throw new UsageError('--assumevalid needs the hash of a block, "0" or "all"');
}

function existing(directory: string): string {
  if (isDirectory(directory)) return directory;
  throw new UsageError(`--backup-dir: ${shownPath(directory)} is not a directory: create it first`);
}

function withOption<T>(option: string, place: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const fault = error instanceof BtcError ? storeFaultText(error, place) : undefined;
    throw fault === undefined ? error : new UsageError(`${option}: ${fault}`);
  }
}

/** Connects in a thread of this program. */
function openDatabase(url: string, { program, writeError }: Io): SharedStore {
  if (program === undefined) throw new UsageError('--wallet-store needs the program countersign');
  const { password } = parsePostgresUrl(url, ['schema']);
  if (password !== '') writeError(PASSWORD_WARNING);
  const settings = { url, limits: DEFAULT_LIMITS, program: { path: program, argv: [DATABASE_MARK] } };
  return openPostgresStore(settings);
}

type CreateOptions = Parameters<typeof createNodeRpc>[0];
type Stored = Pick<CreateOptions, 'store' | 'walletDir'>;

/** Closes the store if the node cannot be made on it. */
export function createOrClose<S extends RecordStore>(store: S, create: (store: S) => NodeRpc): NodeRpc {
  try {
    return create(store);
  } catch (error) {
    store.close();
    throw error;
  }
}

/** Makes a node with the clock and the randomness of this machine. */
export function createNode(
  {
    dialect,
    chain: _chain,
    form: _form,
    keeps: _keeps,
    shown: _shown,
    ...options
  }: RpcContext & BitcoindOptions & Pick<CreateOptions, 'assumevalid' | 'backupFiles' | 'onStop' | 'zmqNotifications'>,
  { now, unixTime: clock, random }: Io,
  stored: Stored,
): NodeRpc {
  const steadyClock = (): number => now() / 1000;
  return createNodeRpc({
    ...options,
    dialect: dialect.name,
    clock,
    steadyClock,
    scrypt: nodeScrypt,
    random,
    ...stored,
  });
}
