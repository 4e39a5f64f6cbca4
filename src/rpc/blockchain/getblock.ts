import { formatHex } from '../../bytes/hex.ts';
import { chainRules } from '../../generations.ts';
import { isOf, parseInt32, parseTxidArgument, readOptional, readValue } from '../argumentValues.ts';
import type { Dialect } from '../dialect.ts';
import type { JsonValue } from '../json/jsonValue.ts';
import { blockHeaderJson, blockHex, blockJson } from '../views/blockJson.ts';
import type { BlockHeaderJson, BlockJson } from '../views/chainJsonTypes.ts';
import type { NodeMethod } from '../wallet/context.ts';
import { getBlock } from './blocks.ts';

/** @see Bitcoin Core `getblock` */
export const getblock: NodeMethod<string | BlockJson> = {
  name: 'getblock',
  needs: 'node',
  params: [
    { name: 'blockhash', type: 'string' },
    { name: 'verbosity', type: 'any', isOptional: true, aliases: ['verbose'] },
  ],
  checksLate: true,
  help: `Shows a block, of the active chain or not.

Arguments:
1. blockhash    (string, required) the hash of the block
2. verbosity    (number or boolean, optional, default 1) 0 for hex, 1 for the ids of the transactions, 2 for the
                transactions and, in core-31, their fees, 3 for the coins that they spend, too

Result:
the block as JSON, or in hex

Examples:
> countersign getblock 00000000000000000001...
> countersign getblock 00000000000000000001... 2`,
  run: (args, context) => {
    const hash = parseTxidArgument('blockhash', readValue(args[0], 'string', context.dialect).value);
    const verbosity = parseVerbosity(args[1], 1, context.dialect);
    const block = getBlock(hash, context);
    return verbosity <= 0 ? blockHex(block, context) : context.json.answer(blockJson(block, verbosity, context));
  },
};

/**
 * Parses how much an answer shows: a number, or true for 1 and false for 0.
 * @throws RpcError -1, -3
 * @see Bitcoin Core `ParseVerbosity`
 */
export function parseVerbosity(value: JsonValue | undefined, byDefault: number, dialect: Dialect): number {
  if (!value || value.type === 'null') return byDefault;
  if (isOf(value, 'bool')) return value.value ? 1 : 0;
  if (isOf(value, 'number')) return parseInt32(value);
  if (chainRules[dialect.generation].readsVerbosityAsNumber) return parseInt32(readValue(value, 'number', dialect));
  return readValue(value, 'bool', dialect).value ? 1 : 0;
}

/** @see Bitcoin Core `getblockheader` */
export const getblockheader: NodeMethod<string | BlockHeaderJson> = {
  name: 'getblockheader',
  needs: 'node',
  params: [
    { name: 'blockhash', type: 'string' },
    { name: 'verbose', type: 'bool', isOptional: true },
  ],
  checksLate: true,
  help: `Shows the header of a block, of the active chain or not.

Arguments:
1. blockhash    (string, required) the hash of the block
2. verbose      (boolean, optional, default true) false for the header in hex

Result:
the header as JSON, or in hex

Examples:
> countersign getblockheader 00000000000000000001...`,
  run: (args, context) => {
    const hash = parseTxidArgument('hash', readValue(args[0], 'string', context.dialect).value);
    const isVerbose = readOptional(args[1], 'bool', context.dialect)?.value ?? true;
    const block = getBlock(hash, context);
    return isVerbose ? blockHeaderJson(block, context) : formatHex(block.header);
  },
};
