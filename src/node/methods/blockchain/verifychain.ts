import { RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import { int32, number, optional } from '../../../answers/method/parameters.ts';
import { flag, numeric } from '../../../answers/method/results.ts';
import { RpcError } from '../../../core/errors.ts';
import { headerRules } from '../../../core/network/networks.ts';
import { decodeBlock } from '../../chain/block.ts';
import { contentFault, witnessFault } from '../../chain/blockRules.ts';
import { activeTip, findActiveBlock } from '../../chain/chainState.ts';
import { nodeMethod } from '../context.ts';

const DEFAULT_LEVEL = 3;
const DEFAULT_BLOCKS = 6;

export const verifychain = nodeMethod({
  name: 'verifychain',
  category: 'blockchain',
  checksLate: true,
  about: 'Checks the content of the last blocks again.',
  params: [
    optional(int32('checklevel', 'is read: every level checks the same'), DEFAULT_LEVEL),
    optional(int32('nblocks', 'how many blocks; 0 for all'), DEFAULT_BLOCKS),
  ],
  result: flag('whether they are valid'),
  examples: ['verifychain'],
  run: (args, { node: { chain, network } }) => {
    void args.checklevel;
    const { nblocks } = args;
    const { height } = activeTip(chain);
    const [, segwit = 0] = headerRules(network)?.laterForks ?? [];
    const last = nblocks <= 0 ? chain.first.height : Math.max(chain.first.height, height - nblocks);
    for (let at = height; at > last; at -= 1) {
      const block = findActiveBlock(chain, at);
      const bytes = block && chain.bodies.get(block.key)?.bytes;
      if (!bytes) continue;
      const decoded = decodeBlock(bytes, network);
      if (contentFault(decoded, network) ?? witnessFault(decoded, at >= segwit)) return false;
    }
    return true;
  },
});

export const pruneblockchain = nodeMethod({
  name: 'pruneblockchain',
  category: 'blockchain',
  checksLate: true,
  about: 'Refuses, as a node that does not prune: `countersign sync --prune` forgets old blocks.',
  params: [number('height', 'up to which blocks are to be forgotten')],
  result: numeric('the height of the last block that was forgotten'),
  examples: ['pruneblockchain 1000'],
  run: () => {
    throw new RpcError(RPC_MISC_ERROR, 'Cannot prune blocks because node is not in prune mode.');
  },
});
