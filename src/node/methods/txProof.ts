import { hasType, parseHexArgument } from '../../answers/arguments/argumentValues.ts';
import type { RpcContext } from '../../answers/dialect/dialect.ts';
import type { JsonValue } from '../../answers/json/jsonValue.ts';
import { invalidAddressOrKey, RPC_MISC_ERROR } from '../../answers/method/errorCodes.ts';
import type { Param } from '../../answers/method/param.ts';
import { hexString, reading } from '../../answers/method/parameters.ts';
import { streamFault } from '../../answers/views/psbtErrorTexts.ts';
import { equalBytes } from '../../core/bytes/compare.ts';
import { sha256d } from '../../core/crypto/hash.ts';
import { BtcError, RpcError } from '../../core/errors.ts';
import { blockKey, decodeBlockHeader } from '../chain/blockHeader.ts';
import { isActive } from '../chain/chainState.ts';
import { decodeMerkleBlock, extractMatches, type MerkleBlock } from '../chain/merkleBlock.ts';
import type { ChainBlock } from '../chain/types.ts';
import type { NodeContext } from './context.ts';

/** Declares a proof of `gettxoutproof`. */
export const proof = <const N extends string>(name: N, about: string): Param<N, MerkleBlock, string> =>
  reading(hexString(name, about), parseProof);

/** @throws RpcError -8; -1 with the node's text for a proof that cannot be decoded */
function parseProof(value: JsonValue | undefined, { dialect }: RpcContext): MerkleBlock {
  // Core takes anything but a string for an empty one.
  const bytes = parseHexArgument('proof', hasType(value, 'string') ? value.value : '');
  try {
    return decodeMerkleBlock(bytes);
  } catch (error) {
    if (!(error instanceof BtcError)) throw error;
    throw new RpcError(RPC_MISC_ERROR, streamFault(error, dialect), { cause: error });
  }
}

export const notInChain = (): RpcError => invalidAddressOrKey('Block not found in chain');

export function provenBlock(hash: Uint8Array, { node }: NodeContext): ChainBlock {
  const block = node.chain.blocks.get(blockKey(hash));
  if (!block || !isActive(node.chain, block)) throw notInChain();
  return block;
}

/** Returns no hash for a wrong proof. */
export function provenTxs(proof: MerkleBlock): {
  readonly hash: Uint8Array | undefined;
  readonly txs: ReturnType<typeof extractMatches>['txs'];
} {
  const { root, txs } = extractMatches(proof);
  const isRight = equalBytes(root, decodeBlockHeader(proof.header).merkleRoot);
  return { hash: isRight ? sha256d(proof.header) : undefined, txs };
}
