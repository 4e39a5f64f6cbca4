import { readOptionalFlag } from '../../../answers/arguments/argumentValues.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { RPC_CLIENT_IN_INITIAL_DOWNLOAD, RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import { named, object, of, optional, string } from '../../../answers/method/parameters.ts';
import { either, members, nothing, text } from '../../../answers/method/results.ts';
import { BtcError, RpcError } from '../../../core/errors.ts';
import type { TxKey } from '../../../core/tx/types.ts';
import { chainTx } from '../../chain/chainTx.ts';
import { judge } from '../../mempool/acceptance.ts';
import { type DumpedTransaction, encodeMempoolFile, KEY_SIZE, readMempoolFile } from '../../mempool/mempoolFile.ts';
import { nodeMethodRules } from '../chainRules.ts';
import type { BackupFiles, NodeContext } from '../context.ts';
import { nodeMethod } from '../context.ts';
import { createGate } from '../gate.ts';
import { isCatchingUp } from '../initialDownload.ts';
import { addToMempool, evictedBy } from '../submitTransaction.ts';

export const savemempool = nodeMethod({
  name: 'savemempool',
  about: 'Writes the mempool to the file mempool.dat in "backups" in the wallet directory, as importmempool reads it.',
  params: [],
  result: either(nothing('in 0.21'), members({ filename: text('the path of the file') })),
  examples: ['savemempool --wallet-dir wallets'],
  run: (_, context) => {
    const { node, walletDir, backupFiles, dialect } = context;
    const place = walletDir === undefined ? undefined : locate(`${walletDir}/backups/mempool.dat`, backupFiles);
    const content = encodeMempoolFile([...node.chain.mempool.values()], node.random(KEY_SIZE));
    if (place === undefined || !backupFiles?.replace || backupFiles.replace(place, content) !== undefined)
      throw new RpcError(RPC_MISC_ERROR, 'Unable to dump mempool to disk');
    return nodeMethodRules[dialect.generation].namesMempoolFile ? { filename: place } : null;
  },
});

function locate(path: string, files: BackupFiles | undefined): string | undefined {
  const place = files?.locate?.(path) ?? { path };
  return 'path' in place ? place.path : undefined;
}

interface ImportOptions {
  readonly use_current_time?: boolean;
  readonly apply_fee_delta_priority?: boolean;
  readonly apply_unbroadcast_set?: boolean;
}

export const importmempool = lasting(
  nodeMethod({
    name: 'importmempool',
    checksLate: true,
    about: `Adds the transactions of a mempool.dat, of this program or of a node, to the mempool, as far as its policy lets
them in. The file lies where backupwallet may write.`,
    params: [
      string('filepath', 'the path of the file'),
      named(
        optional(
          object(
            'options',
            of<ImportOptions>(),
            `
     { "use_current_time": bool,             whether they entered the mempool now; default true
       "apply_fee_delta_priority": bool,     ignored
       "apply_unbroadcast_set": bool }       whether the file says which were sent from there; default false`,
          ),
        ),
        ['use_current_time', 'apply_fee_delta_priority', 'apply_unbroadcast_set'],
      ),
    ],
    result: members({}, 'empty'),
    examples: ['importmempool mempool.dat'],
    run: ({ filepath, options = [] }, context) => {
      const { node, dialect } = context;
      if (isCatchingUp(node)) {
        throw new RpcError(
          RPC_CLIENT_IN_INITIAL_DOWNLOAD,
          'Can only import the mempool after the block download and sync is done.',
        );
      }
      const isNow = readOptionalFlag(options, 'use_current_time', dialect, true);
      readOptionalFlag(options, 'apply_fee_delta_priority', dialect);
      const appliesUnbroadcast = readOptionalFlag(options, 'apply_unbroadcast_set', dialect);
      const take = ({ tx, time: dumped }: DumpedTransaction): void => {
        const entry = chainTx(tx);
        const time = isNow ? node.now() : dumped;
        if (time <= node.now() - EXPIRY || node.chain.mempool.has(entry.key)) return;
        const verdict = judge(createGate(context), entry);
        if (verdict.kind !== 'accepted') return;
        addToMempool(tx, evictedBy(verdict.admission), context, { time, isUnbroadcast: false });
      };
      const unbroadcast = readFile(filepath, take, context);
      for (const key of appliesUnbroadcast ? unbroadcast : []) {
        const pooled = node.chain.mempool.get(key);
        if (pooled) node.change({ type: 'transaction', tx: pooled.tx });
      }
      return {};
    },
  }),
  { since: 'core-29' },
);

/** In seconds. @see Bitcoin Core `DEFAULT_MEMPOOL_EXPIRY_HOURS` */
const EXPIRY = 336 * 3600;

/** As in Core, what stands before a fault is imported. */
function readFile(
  path: string,
  take: (dumped: DumpedTransaction) => void,
  { backupFiles, dialect }: NodeContext,
): ReadonlySet<TxKey> {
  const place = locate(path, backupFiles);
  const bytes = place === undefined ? undefined : backupFiles?.read(place);
  try {
    if (bytes instanceof Uint8Array) return readMempoolFile(bytes, take);
  } catch (error) {
    if (!(error instanceof BtcError || error instanceof RangeError)) throw error;
  }
  throw new RpcError(RPC_MISC_ERROR, nodeMethodRules[dialect.generation].unreadMempool);
}
