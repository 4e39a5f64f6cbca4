import type { MadeBlock } from './blocks.ts';
import { type NodeRpc, RpcError } from './library.ts';

/** What a node says of a block, in this order. */
export interface BlockLife {
  /** As a proposal of `getblocktemplate`. */
  readonly proposal: unknown;
  readonly submitted: unknown;
  readonly again: unknown;
  /** Tells whether the header is known afterwards. */
  readonly isKnown: boolean;
  /** The error of `submitheader`, or `null`. */
  readonly header: unknown;
}

/** Returns an answer, or the text of an error. */
export function said(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    if (error instanceof RpcError) return error.message;
    throw error;
  }
}

/** Proposes a block to a node, submits it twice, then its header. */
export function lifeOf(rpc: NodeRpc, { hex, hash }: Pick<MadeBlock, 'hex' | 'hash'>): BlockLife {
  const submit = (): unknown => said(() => rpc.call('submitblock', [hex]));
  return {
    proposal: said(() => rpc.call('getblocktemplate', [{ mode: 'proposal', data: hex }])),
    submitted: submit(),
    again: submit(),
    isKnown: said(() => rpc.call('getblockheader', [hash, false])) !== 'Block not found',
    header: said(() => rpc.call('submitheader', [hex.slice(0, 160)])),
  };
}
