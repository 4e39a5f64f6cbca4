import { tryParseAddress } from '../../../answers/arguments/addressArgument.ts';
import { parseDescriptorArgument, withDescriptorErrors } from '../../../answers/arguments/descriptorArgument.ts';
import { lasting } from '../../../answers/dialect/dialectNames.ts';
import {
  invalidAddressOrKey,
  invalidParameter,
  RPC_DESERIALIZATION_ERROR,
  RPC_INTERNAL_ERROR,
  RPC_METHOD_NOT_FOUND,
  RPC_MISC_ERROR,
  RPC_VERIFY_ERROR,
} from '../../../answers/method/errorCodes.ts';
import { array, bool, int32, int64, optional, string } from '../../../answers/method/parameters.ts';
import { hex, list, maybe, members, nothing } from '../../../answers/method/results.ts';
import { formatHex, formatReversedHex, isHex } from '../../../core/bytes/hex.ts';
import { createDeriver, isRanged, singlePaths } from '../../../core/descriptors/derive.ts';
import type { Descriptor } from '../../../core/descriptors/types.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import type { GenerationName } from '../../../core/generations.ts';
import { guessTransaction } from '../../../core/tx/guess.ts';
import { parseTxid, txid, txKey } from '../../../core/tx/txid.ts';
import type { EncodedBlock } from '../../chain/block.ts';
import { faultText } from '../../chain/fault.ts';
import { filled, type Included } from '../../mining/blockTemplate.ts';
import type { Attempts } from '../../mining/findNonce.ts';
import { type NodeContext, nodeMethod } from '../context.ts';
import { processNewBlock } from '../processNewBlock.ts';
import { assembleBlock, assembleEmpty, mineBlock, validityFault } from './makeBlock.ts';
import { miningMethodRules } from './miningMethodRules.ts';

const MAX_TRIES = 1_000_000;

const hashes = list(hex(), 'the hashes of the blocks');

export const generatetoaddress = nodeMethod({
  name: 'generatetoaddress',
  category: 'generating',
  isHiddenIn: { since: 'core-29' },
  checksLate: true,
  about:
    'Mines blocks at once that pay to an address, with transactions of the mempool. For regtest and signets of your own.',
  params: [
    int32('nblocks', 'how many blocks'),
    string('address', 'the address that is paid'),
    optional(int32('maxtries', 'the most attempts to find proof of work'), MAX_TRIES),
  ],
  result: hashes,
  examples: ['generatetoaddress 11 bcrt1q...'],
  run: (args, context) => {
    const { nblocks, maxtries } = args;
    const script = tryParseAddress(args.address, context);
    if (!script) throw invalidAddressOrKey('Error: Invalid address');
    return generateBlocks(nblocks, { script, attempts: attemptsOf(maxtries) }, context);
  },
});

export const generatetodescriptor = nodeMethod({
  name: 'generatetodescriptor',
  category: 'generating',
  isHiddenIn: { since: 'core-29' },
  checksLate: true,
  about: 'Mines blocks at once that pay to a descriptor, with transactions of the mempool.',
  params: [
    int32('num_blocks', 'how many blocks'),
    string('descriptor', 'the descriptor that is paid, without a wildcard', { isSecret: true }),
    optional(int64('maxtries', 'the most attempts to find proof of work'), MAX_TRIES),
  ],
  result: hashes,
  examples: ['generatetodescriptor 11 "wpkh(02...)"'],
  run: (args, context) => {
    const { num_blocks: count, maxtries } = args;
    if (maxtries < 0 && miningMethodRules[context.dialect.generation].readsUnsignedTries)
      throw new RpcError(RPC_MISC_ERROR, 'JSON integer out of range');
    const script = descriptorScript(parseDescriptorArgument(args.descriptor, context), context);
    return generateBlocks(count, { script, attempts: attemptsOf(maxtries) }, context);
  },
});

/** Core reads a negative number as a very large one. */
const attemptsOf = (most: number): Attempts => ({ left: most < 0 ? Number.POSITIVE_INFINITY : most });

/** @see Bitcoin Core `generateBlocks` */
function generateBlocks(
  count: number,
  { script, attempts }: { readonly script: Uint8Array; readonly attempts: Attempts },
  context: NodeContext,
): readonly string[] {
  const mined: string[] = [];
  while (mined.length < count) {
    const found = mineBlock(assembleBlock(script, context), attempts, context);
    if (found === 'no attempts left') break;
    if (found === 'no nonce left') continue;
    mined.push(accept(found, context));
  }
  return mined;
}

/** @returns the hash @throws RpcError -32603 */
function accept({ block, bytes }: EncodedBlock, { node }: NodeContext): string {
  const fault = processNewBlock(block, bytes, node);
  if (typeof fault === 'object') throw new RpcError(RPC_INTERNAL_ERROR, 'ProcessNewBlock, block not accepted');
  return formatReversedHex(block.hash);
}

/** @throws RpcError -5, -8 @see Bitcoin Core `getScriptFromDescriptor` */
function descriptorScript(descriptor: Descriptor, { ecc, dialect }: NodeContext): Uint8Array {
  const [single = descriptor, ...others] = singlePaths(descriptor);
  if (others.length > 0 && miningMethodRules[dialect.generation].namesMultipath)
    throw invalidParameter('Multipath descriptor not accepted');
  if (isRanged(single)) {
    throw invalidParameter('Ranged descriptor not accepted. Maybe pass through deriveaddresses first?');
  }
  const { scriptPubKeys } = withDescriptorErrors(() => createDeriver(single, { ecc })(0));
  // Of a combo descriptor: P2WPKH, or P2PKH for an uncompressed key.
  const place = { 4: 2, 2: 1 }[scriptPubKeys.length] ?? 0;
  const script = scriptPubKeys[place];
  if (!script) throw invalidAddressOrKey('Cannot derive script without private keys');
  return script;
}

/** Tries a descriptor before an address. @throws RpcError -5, -8 */
function outputScript(text: string, context: NodeContext): Uint8Array {
  const descriptor = tryParseDescriptor(text, context);
  const script = descriptor ? descriptorScript(descriptor, context) : tryParseAddress(text, context);
  if (!script) throw invalidAddressOrKey('Error: Invalid address or descriptor');
  return script;
}

function tryParseDescriptor(text: string, context: NodeContext): Descriptor | undefined {
  try {
    return parseDescriptorArgument(text, context);
  } catch (error) {
    if (error instanceof RpcError) return undefined;
    throw error;
  }
}

export const generateblock = nodeMethod({
  name: 'generateblock',
  category: 'generating',
  isHiddenIn: { since: 'core-29' },
  checksLate: true,
  about: 'Mines a block at once that holds only the given transactions, whose fees it leaves.',
  params: [
    string('output', 'the address or descriptor that is paid', { isSecret: true }),
    array(
      'transactions',
      string('rawtx/txid', 'a transaction'),
      'transactions in hex, or the ids of mempool transactions',
    ),
    lasting(optional(bool('submit', 'adds the block to the chain, rather than showing it'), true), {
      since: 'core-29',
    }),
  ],
  result: members({ hash: hex('of the block'), hex: maybe(hex('the block, if it was not submitted')) }),
  examples: [`generateblock bcrt1q... '["b56862e91da29eadd13d6ca1ded756ed..."]'`],
  run: (args, context) => {
    const script = outputScript(args.output, context);
    const others = args.transactions.map((text) => findTransaction(text, context));
    const submits = args.submit;
    const { template } = assembleEmpty(script, context);
    const unmined = filled(context.node.chain, template, others);
    const fault = validityFault(unmined, context);
    if (fault) throw new RpcError(RPC_VERIFY_ERROR, `TestBlockValidity failed: ${faultText(fault)}`);
    const found = mineBlock(unmined, { left: MAX_TRIES }, context);
    if (typeof found === 'string') throw new RpcError(RPC_MISC_ERROR, 'Failed to make block.');
    if (submits) return { hash: accept(found, context) };
    return { hash: formatReversedHex(found.block.hash), hex: formatHex(found.bytes) };
  },
});

const TXID_DIGITS = 64;

/** @throws RpcError -5, -22 */
function findTransaction(text: string, { node, network }: NodeContext): Included {
  if (text.length === TXID_DIGITS && isHex(text)) {
    const pooled = node.chain.mempool.get(txKey(parseTxid(text.toLowerCase())));
    if (!pooled) throw invalidAddressOrKey(`Transaction ${text} not in mempool.`);
    return pooled;
  }
  const tx = guessTransaction(text, { triesWitness: true, triesNoWitness: true, mweb: network.mweb });
  if (tx) return { tx, id: txid(tx) };
  throw new RpcError(
    RPC_DESERIALIZATION_ERROR,
    `Transaction decode failed for ${withoutSecrets(text)}. Make sure the tx has at least one input.`,
  );
}

const isGone = (generation: GenerationName): string => miningMethodRules[generation].generateIsGone;

export const generate = nodeMethod({
  name: 'generate',
  category: 'hidden',
  about: 'Was replaced by generatetoaddress, and fails.',
  helpOf: isGone,
  params: [],
  result: nothing(),
  examples: ['generate'],
  run: (_, { dialect }) => {
    throw new RpcError(RPC_METHOD_NOT_FOUND, isGone(dialect.generation));
  },
});
