import { invalidParameter, RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import { int32, optional } from '../../../answers/method/parameters.ts';
import { type Answer, members, numeric } from '../../../answers/method/results.ts';
import { RpcError } from '../../../core/errors.ts';
import { lastMissing } from '../../chain/partialChain.ts';
import { assertUnlocked, type WalletContext, walletMethod } from '../context.ts';
import { applyToWallet } from '../importResult.ts';
import { walletMethodRules } from '../walletMethodRules.ts';

const rescanResult = members({
  start_height: numeric('of the first block'),
  stop_height: numeric('of the last block'),
});

/** The answer of `rescanblockchain`. */
export type RescanJson = Answer<typeof rescanResult>;

export const rescanblockchain = walletMethod({
  name: 'rescanblockchain',
  checksLate: true,
  about: 'Looks in the submitted blocks for transactions of the wallet that it has missed.',
  params: [
    optional(int32('start_height', 'the height of the first block'), 0),
    optional(
      int32('stop_height', 'the height of the last block; default: the last block, and since core-29 the mempool'),
    ),
  ],
  result: rescanResult,
  examples: ['rescanblockchain 100 120 --wallet-dir wallets'],
  run: (args, context) => {
    const { wallet, dialect, node } = context;
    if (walletMethodRules[dialect.generation].rescansUnlockedOnly) assertUnlocked(wallet);
    const { start_height: start } = args;
    assertHeight(start, 'start_height', context);
    const { stop_height: stop } = args;
    if (stop !== undefined) assertHeight(stop, 'stop_height', context);
    if (stop !== undefined && stop < start) throw invalidParameter('stop_height must be greater than start_height');
    if (start < node.chain.first.height || lastMissing(node.chain, start, stop)) {
      throw new RpcError(
        RPC_MISC_ERROR,
        "Can't rescan beyond pruned data. Use RPC call getblockchaininfo to determine your pruned height.",
      );
    }
    applyToWallet(context, [{ type: 'rescan', start, ...(stop !== undefined && { stop }) }]);
    return { start_height: start, stop_height: stop ?? wallet.row.tip.height };
  },
});

function assertHeight(height: number, name: string, { wallet }: WalletContext): void {
  if (height >= 0 && height <= wallet.row.tip.height) return;
  throw invalidParameter(`Invalid ${name}`);
}
