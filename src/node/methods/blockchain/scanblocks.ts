import type { DescriptorArgument } from '../../../answers/arguments/argumentTypes.ts';
import { parseInt32, readOptionalFlag, readValue } from '../../../answers/arguments/argumentValues.ts';
import { derivedScripts } from '../../../answers/arguments/descriptorArgument.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import { invalidParameter, RPC_MISC_ERROR } from '../../../answers/method/errorCodes.ts';
import { array, choice, named, number, object, of, optional, string } from '../../../answers/method/parameters.ts';
import { either, flag, hex, list, members, nothing, numeric } from '../../../answers/method/results.ts';
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

interface ScanOptions {
  readonly filter_false_positives?: boolean;
}

export const SCANOBJECTS = array(
  'scanobjects',
  of<DescriptorArgument>(),
  'descriptors, or { "desc": descriptor, "range": n or [n,n] }',
  { isSecret: true },
);

/** The error of a scan without scan objects. */
export const noScanObjects = (): RpcError =>
  new RpcError(RPC_MISC_ERROR, 'scanobjects argument is required for the start action');

type Height = { readonly text: string } | undefined;

/** @throws RpcError */
function scannedRange(
  { start_height: start, stop_height: stop }: { readonly [K in 'start_height' | 'stop_height']: Height },
  node: NodeContext['node'],
): { readonly first: ChainBlock; readonly last: ChainBlock } {
  const first = blockAt(start, 0, { node, fault: 'Invalid start_height' });
  const last = blockAt(stop, activeTip(node.chain).height, { node, fault: 'Invalid stop_height' });
  if (last.height < first.height) throw new RpcError(RPC_MISC_ERROR, 'Invalid stop_height');
  return { first, last };
}

export const scanblocks = lasting(
  nodeMethod({
    name: 'scanblocks',
    checksLate: true,
    about: 'Lists the blocks that concern descriptors, by the index of block filters (blockfilterindex).',
    params: [
      choice('action', of<'start' | 'abort' | 'status'>(), 'start; abort and status find no scan'),
      optional(SCANOBJECTS),
      optional(number('start_height', 'the first height; default 0')),
      optional(number('stop_height', 'the last height; default that of the chain')),
      optional(string('filtertype', 'basic'), 'basic'),
      named(
        optional(
          object(
            'options',
            of<ScanOptions>(),
            '\n     { "filter_false_positives": bool }   leaves out what matches by chance',
          ),
        ),
        ['filter_false_positives'],
      ),
    ],
    result: either(scanResult, nothing('for status'), flag('false for abort')),
    examples: [`scanblocks start '["addr(bcrt1q...)"]'`],
    run: (args, context) => {
      const { action } = args;
      if (action === 'status') return null;
      if (action === 'abort') return false;
      if (action !== 'start') throw invalidParameter(`Invalid action '${withoutSecrets(action)}'`);
      const { countsNullScans } = chainRules[context.dialect.generation];
      if (!args.scanobjects && countsNullScans) throw noScanObjects();
      const index = filterIndex(args.filtertype, context);
      const exact = readOptionalFlag(args.options ?? [], 'filter_false_positives', context.dialect);
      const { node } = context;
      const { first, last } = scannedRange(args, node);
      const scripts = derivedScripts(args.scanobjects ?? readValue(undefined, 'array', context.dialect).items, context);
      const prepared = prepareFilterScripts(scripts);
      const keys = new Set(scripts.map(scriptKey));
      const relevant: string[] = [];
      for (let height = first.height; height <= last.height; height += 1) {
        const block = findActiveBlock(node.chain, height);
        const found = block && index.find(block);
        if (!found || !matchesAny(decodeBlockFilter(found.filter), block.hash, prepared)) continue;
        const isCertain = (): boolean => elementsOf(node.chain, block).some((script) => keys.has(scriptKey(script)));
        if (!exact || isCertain()) relevant.push(formatReversedHex(block.hash));
      }
      return { from_height: first.height, to_height: last.height, relevant_blocks: relevant, completed: true };
    },
  }),
  { since: 'core-29' },
);

function blockAt(
  height: Height,
  usual: number,
  { node, fault }: Pick<NodeContext, 'node'> & { readonly fault: string },
): ChainBlock {
  const block = findActiveBlock(node.chain, height ? parseInt32(height) : usual);
  if (block) return block;
  throw new RpcError(RPC_MISC_ERROR, fault);
}
