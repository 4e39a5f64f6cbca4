import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { RPC_CLIENT_IN_INITIAL_DOWNLOAD, RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import { bool, optional, options, string } from '../../../answers/method/parameters.ts';
import { either, members, nothing, text } from '../../../answers/method/results.ts';
import { BtcError, RpcError } from '../../../core/errors.ts';
import { parseTxKey } from '../../../core/tx/txid.ts';
import type { TxKey } from '../../../core/tx/types.ts';
import { chainTx } from '../../chain/chainTx.ts';
import { encodeMempoolFile, KEY_SIZE, type MempoolFileTaker, readMempoolFile } from '../../mempool/mempoolFile.ts';
import { nodeMethodRules } from '../chainRules.ts';
import type { BackupFiles, NodeContext } from '../context.ts';
import { nodeMethod } from '../context.ts';
import { readmit } from '../submitTransaction.ts';

export const savemempool = nodeMethod({
  name: 'savemempool',
  category: 'blockchain',
  about: 'Writes the mempool to the file mempool.dat in "backups" in the wallet directory, as importmempool reads it.',
  params: [],
  result: either(nothing('in 0.21'), members({ filename: text('the path of the file') })),
  examples: ['savemempool --wallet-dir wallets'],
  run: (_, context) => {
    const { node, walletDir, backupFiles, dialect } = context;
    const place = walletDir === undefined ? undefined : locate(`${walletDir}/backups/mempool.dat`, backupFiles);
    const { namesMempoolFile, hidesMempool } = nodeMethodRules[dialect.generation];
    const { mempool, feeDeltas } = node.chain;
    const file = { transactions: [...mempool.values()], feeDeltas: feeDeltas.entries() };
    const content = encodeMempoolFile(file, hidesMempool ? node.random(KEY_SIZE) : undefined);
    if (place === undefined || !backupFiles?.replace || backupFiles.replace(place, content) !== undefined)
      throw new RpcError(RPC_MISC_ERROR, 'Unable to dump mempool to disk');
    return namesMempoolFile ? { filename: place } : null;
  },
});

function locate(path: string, files: BackupFiles | undefined): string | undefined {
  const place = files?.locate?.(path) ?? { path };
  return 'path' in place ? place.path : undefined;
}

export const importmempool = lasting(
  nodeMethod({
    name: 'importmempool',
    category: 'blockchain',
    checksLate: true,
    about: `Adds the transactions of a mempool.dat, of this program or of a node, to the mempool, as far as its policy lets
them in. The file lies where backupwallet may write.`,
    params: [
      string('filepath', 'the path of the file'),
      options(
        'options',
        [
          optional(bool('use_current_time', 'whether they entered the mempool now'), true),
          optional(bool('apply_fee_delta_priority', 'whether what the file adds to fees is added'), false),
          optional(bool('apply_unbroadcast_set', 'whether the file says which were sent from there'), false),
        ],
        '',
        { shownAs: 'options' },
      ),
    ],
    result: members({}, 'empty'),
    examples: ['importmempool mempool.dat'],
    run: ({ filepath, options: given }, context) => {
      const { node, dialect } = context;
      if (node.isCatchingUp(nodeMethodRules[dialect.generation].looksAtTip)) {
        throw new RpcError(
          RPC_CLIENT_IN_INITIAL_DOWNLOAD,
          'Can only import the mempool after the block download and sync is done.',
        );
      }
      const {
        use_current_time: isNow,
        apply_fee_delta_priority: appliesDeltas,
        apply_unbroadcast_set: appliesUnbroadcast,
      } = given;
      const prioritise = (key: TxKey, added: bigint): void => {
        // Releases that keep sums of 0 have no importmempool.
        if (appliesDeltas) node.change({ type: 'prioritise', txid: parseTxKey(key), added, keepsZero: false });
      };
      readFile(filepath, context, {
        transaction: ({ tx, time: dumped, feeDelta }) => {
          const entry = chainTx(tx);
          // What is added counts when the mempool judges the fee.
          if (feeDelta !== 0n) prioritise(entry.key, feeDelta);
          if (node.chain.mempool.has(entry.key)) return;
          readmit(entry, { time: isNow ? node.now() : dumped, isUnbroadcast: false }, context);
        },
        feeDeltas: (deltas) => {
          for (const [key, delta] of deltas) prioritise(key, delta);
        },
        unbroadcast: (keys) => {
          for (const key of appliesUnbroadcast ? keys : []) {
            const pooled = node.chain.mempool.get(key);
            if (pooled) node.change({ type: 'transaction', tx: pooled.tx });
          }
        },
      });
      return {};
    },
  }),
  { since: 'core-29' },
);

/** As in Core, what stands before a fault is imported. */
function readFile(path: string, { backupFiles, dialect }: NodeContext, take: MempoolFileTaker): void {
  const place = locate(path, backupFiles);
  const bytes = place === undefined ? undefined : backupFiles?.read(place);
  const unread = new RpcError(RPC_MISC_ERROR, nodeMethodRules[dialect.generation].unreadMempool);
  if (!(bytes instanceof Uint8Array)) throw unread;
  try {
    readMempoolFile(bytes, take);
  } catch (error) {
    throw error instanceof BtcError || error instanceof RangeError ? unread : error;
  }
}
