import { headerRules } from '../../core/network/networks.ts';
import { type Block, HEADER_SIZE } from './block.ts';
import { type BlockKey, blockHash, blockKey, decodeBlockHeader } from './blockHeader.ts';
import { type BlockFault, contentFault, contextualFault } from './blockRules.ts';
import { ancestorAt, type Chain, lastTimes } from './chainState.ts';
import type { Fault } from './fault.ts';
import { contextFault, type HeaderFault, hasRequiredWork } from './headerChain.ts';
import { hasBody } from './partialChain.ts';
import { signetFault } from './signet.ts';
import type { ChainBlock } from './types.ts';

/** Core's debug messages; that of an old version states the version, too. */
const DETAILS: Partial<Readonly<Record<HeaderFault, string>>> = {
  'high-hash': 'proof of work failed',
  'bad-diffbits': 'incorrect proof of work',
  'time-too-old': "block's timestamp is too early",
  'time-timewarp-attack': "block's timestamp is too early on diff adjustment block",
  'time-too-new': 'block timestamp too far in the future',
};

const headerReason = (reason: HeaderFault): Fault => ({
  reason,
  detail: DETAILS[reason] ?? reason.replace(/^bad-version\((.*)\)$/, 'rejected nVersion=$1 block'),
});

/** @see Bitcoin Core `CheckBlockHeader` */
function workFault({ network }: Pick<Chain, 'network'>, header: Uint8Array): Fault | undefined {
  return hasRequiredWork(network, header) ? undefined : headerReason('high-hash');
}

/** Returns why a block cannot follow another one. `now`: UNIX time. @see Bitcoin Core `ContextualCheckBlockHeader` */
export function placeFault(chain: Chain, header: Uint8Array, parent: ChainBlock, now: number): Fault | undefined {
  const reason = contextFault(
    { ...decodeBlockHeader(header), height: parent.height + 1 },
    {
      params: headerRules(chain.network),
      tip: parent,
      headerAt: (height) => ancestorAt(chain, parent, height),
      times: lastTimes(chain, parent),
      now,
    },
  );
  return reason && headerReason(reason);
}

/** Returns why a header is not accepted. `now`: UNIX time. @see BIP22; Bitcoin Core `AcceptBlockHeader` */
export function headerFault(chain: Chain, header: Uint8Array, now: number): Fault | undefined {
  const key = blockKey(blockHash(header));
  if (chain.invalid.get(key)) return { reason: 'duplicate-invalid' };
  if (chain.blocks.get(key)) return undefined;
  const fault = workFault(chain, header);
  if (fault) return fault;
  const parent = parentOf(chain, header);
  if (!parent) return { reason: 'prev-blk-not-found' };
  return chain.invalid.get(parent.key) ? { reason: 'bad-prevblk' } : placeFault(chain, header, parent, now);
}

export const parentOf = (chain: Chain, header: Uint8Array): ChainBlock | undefined =>
  chain.blocks.get(blockKey(decodeBlockHeader(header).previous));

/** What the checks make of a block that was submitted, before its inputs are checked. */
export type BlockVerdict =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'duplicate' }
  /** `keeps`: what of the block is remembered. */
  | { readonly kind: 'refused'; readonly fault: BlockFault; readonly keeps: 'nothing' | 'header' | 'invalid header' };

const refused = (fault: BlockFault): BlockVerdict => ({ kind: 'refused', fault, keeps: 'nothing' });

/** @see Bitcoin Core `ChainstateManager::ProcessNewBlock` */
export function judgeBlock(chain: Chain, block: Block, bytes: Uint8Array, now: number): BlockVerdict {
  const header = bytes.subarray(0, HEADER_SIZE);
  const fault =
    workFault(chain, header) ??
    signetFault(chain, block, header) ??
    contentFault(block, chain.network) ??
    headerFault(chain, header, now);
  if (fault) return refused(fault);
  const parent = parentOf(chain, header);
  if (isComplete(chain, blockKey(block.hash)) || !parent) return { kind: 'duplicate' };
  const contextual = contextualFault(chain, block, parent);
  if (!contextual) return { kind: 'accepted' };
  return { kind: 'refused', fault: contextual, keeps: contextual.isMutated ? 'header' : 'invalid header' };
}

/** Blocks that are active without transactions count as complete. */
export function isComplete(chain: Chain, key: BlockKey): boolean {
  const block = chain.blocks.get(key);
  return block !== undefined && (hasBody(chain, block) || !chain.awaited.get(key));
}
