import { isAbsent } from '../../../answers/arguments/argumentValues.ts';
import { derivedScripts, SCAN_OBJECT } from '../../../answers/arguments/descriptorArgument.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { invalidParameter, RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import { array, bool, choice, int32, optional, options, string, unread } from '../../../answers/method/parameters.ts';
import { chosenBy, flag, hex, list, members, nothing, numeric, when } from '../../../answers/method/results.ts';
import { formatReversedHex } from '../../../core/bytes/hex.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import { scriptKey } from '../../../core/script/scriptKey.ts';
import { decodeBlockFilter, matchesAny, prepareFilterScripts } from '../../chain/blockFilter.ts';
import { activeTip, findActiveBlock } from '../../chain/chainState.ts';
import { elementsOf } from '../../chain/filterIndex.ts';
import type { ChainBlock } from '../../chain/types.ts';
import { chainRules } from '../chainRules.ts';
import { type NodeContext, nodeMethod } from '../context.ts';
import { filterIndex } from './getblockfilter.ts';

const scanResult = members({
  from_height: numeric(),
  to_height: numeric(),
  relevant_blocks: list(hex(), 'their hashes; some may match by chance'),
  completed: flag(),
});

export const SCANOBJECTS = array('scanobjects', SCAN_OBJECT, 'descriptors, with the indexes to derive', {
  isSecret: true,
  shownAs: '[scanobjects,...]',
});

export const SCAN_ACTIONS = ['start', 'status', 'abort'] as const;

/** The error of a scan without scan objects. */
export const noScanObjects = (): RpcError =>
  new RpcError(RPC_MISC_ERROR, 'scanobjects argument is required for the start action');

/** @throws RpcError */
function scannedRange(
  args: { readonly start_height: number; readonly stop_height: number | undefined },
  node: NodeContext['node'],
): { readonly first: ChainBlock; readonly last: ChainBlock } {
  const first = blockAt(args.start_height, node, 'Invalid start_height');
  const last = blockAt(args.stop_height ?? activeTip(node.chain).height, node, 'Invalid stop_height');
  if (last.height < first.height) throw new RpcError(RPC_MISC_ERROR, 'Invalid stop_height');
  return { first, last };
}

export const scanblocks = lasting(
  nodeMethod({
    name: 'scanblocks',
    category: 'blockchain',
    checksLate: true,
    about: 'Lists the blocks that concern descriptors, by the index of block filters (blockfilterindex).',
    params: [
      choice('action', SCAN_ACTIONS, 'start; abort and status find no scan'),
      optional(unread(SCANOBJECTS)),
      optional(int32('start_height', 'the first height'), 0),
      optional(int32('stop_height', 'the last height; default that of the chain')),
      optional(string('filtertype', 'basic'), 'basic'),
      options(
        'options',
        [optional(bool('filter_false_positives', 'whether to leave out what matches by chance'), false)],
        '',
        { shownAs: 'options' },
      ),
    ],
    result: chosenBy(
      'action',
      when(['start'], scanResult),
      when(['status'], nothing()),
      when(['abort'], flag('false')),
    ),
    examples: [`scanblocks start '["addr(bcrt1q...)"]'`],
    run: (args, context) => {
      const { action } = args;
      if (action === 'status') return null;
      if (action === 'abort') return false;
      if (action !== 'start') throw invalidParameter(`Invalid action '${withoutSecrets(action)}'`);
      const { countsNullScans } = chainRules[context.dialect.generation];
      if (countsNullScans && isAbsent(args.scanobjects)) throw noScanObjects();
      const index = filterIndex(args.filtertype, context);
      const { filter_false_positives: isExact } = args.options;
      const { node } = context;
      const { first, last } = scannedRange(args, node);
      const scripts = derivedScripts(SCANOBJECTS.read(args.scanobjects, context), context);
      const prepared = prepareFilterScripts(scripts);
      const keys = new Set(scripts.map(scriptKey));
      const relevant: string[] = [];
      for (let height = first.height; height <= last.height; height += 1) {
        const block = findActiveBlock(node.chain, height);
        const found = block && index.find(block);
        if (!found || !matchesAny(decodeBlockFilter(found.filter), block.hash, prepared)) continue;
        const isCertain = (): boolean => elementsOf(node.chain, block).some((script) => keys.has(scriptKey(script)));
        if (!isExact || isCertain()) relevant.push(formatReversedHex(block.hash));
      }
      return { from_height: first.height, to_height: last.height, relevant_blocks: relevant, completed: true };
    },
  }),
  { since: 'core-29' },
);

function blockAt(height: number, node: NodeContext['node'], fault: string): ChainBlock {
  const block = findActiveBlock(node.chain, height);
  if (block) return block;
  throw new RpcError(RPC_MISC_ERROR, fault);
}
