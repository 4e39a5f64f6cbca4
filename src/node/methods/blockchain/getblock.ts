import { hasType, parseInt32, parseTxidArgument, readValue } from '../../../answers/arguments/argumentValues.ts';
import type { Dialect } from '../../../answers/dialect/dialect.ts';
import type { JsonValue } from '../../../answers/json/jsonValue.ts';
import { bool, json, of, optional, string } from '../../../answers/method/parameters.ts';
import { either, hex } from '../../../answers/method/results.ts';
import { formatHex } from '../../../core/bytes/hex.ts';
import { chainRules } from '../chainRules.ts';
import { nodeMethod } from '../context.ts';
import { getBlock } from './blockArguments.ts';
import { blockHeaderJson, blockHeaderResult, blockHex, blockJson, blockResult } from './blockJson.ts';

export const getblock = nodeMethod({
  name: 'getblock',
  checksLate: true,
  about: 'Shows a block, of the active chain or not.',
  params: [
    string('blockhash', 'the hash of the block'),
    optional(
      json(
        'verbosity',
        of<number | boolean>(),
        { shownType: 'number or boolean' },
        '0 for hex, 1 for the ids of the transactions, 2 for the transactions and, since core-29, their fees, 3 for the coins that they spend, too',
        { aliases: ['verbose'], default: '1' },
      ),
    ),
  ],
  result: either(blockResult, hex('with verbosity 0')),
  examples: ['getblock 00000000000000000001...', 'getblock 00000000000000000001... 2'],
  run: (args, context) => {
    const hash = parseTxidArgument('blockhash', args.blockhash);
    const verbosity = parseVerbosity(args.verbosity, 1, context.dialect);
    const block = getBlock(hash, context);
    return verbosity <= 0 ? blockHex(block, context) : context.json.answer(blockJson(block, verbosity, context));
  },
});

/** Parses a number, or true as 1 and false as 0. @see Bitcoin Core `ParseVerbosity` */
export function parseVerbosity(value: JsonValue | undefined, byDefault: number, dialect: Dialect): number {
  if (!value || value.type === 'null') return byDefault;
  if (hasType(value, 'bool')) return value.value ? 1 : 0;
  if (hasType(value, 'number')) return parseInt32(value);
  if (chainRules[dialect.generation].readsVerbosityAsNumber) return parseInt32(readValue(value, 'number', dialect));
  return readValue(value, 'bool', dialect).value ? 1 : 0;
}

export const getblockheader = nodeMethod({
  name: 'getblockheader',
  checksLate: true,
  about: 'Shows the header of a block, of the active chain or not.',
  params: [
    string('blockhash', 'the hash of the block'),
    optional(bool('verbose', 'false for the header in hex'), true),
  ],
  result: either(blockHeaderResult, hex('if verbose is false')),
  examples: ['getblockheader 00000000000000000001...'],
  run: (args, context) => {
    const hash = parseTxidArgument('hash', args.blockhash);
    const isVerbose = args.verbose;
    const block = getBlock(hash, context);
    return isVerbose ? blockHeaderJson(block, context) : formatHex(block.header);
  },
});
