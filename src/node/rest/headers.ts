import { hex, list, members } from '../../answers/method/results.ts';
import { concatBytes, copyBytes } from '../../core/bytes/compare.ts';
import { formatHex, formatReversedHex } from '../../core/bytes/hex.ts';
import { createWriter, writeBytes, writeU8, writeVarBytes, written } from '../../core/bytes/writer.ts';
import { sanitizeString } from '../../core/encoding/sanitizeString.ts';
import { blockKey } from '../chain/blockHeader.ts';
import { activeTip, type Chain, findActiveBlock, isActive } from '../chain/chainState.ts';
import type { FilterIndex } from '../chain/filterIndex.ts';
import type { ChainBlock } from '../chain/types.ts';
import { blockHeaderDraft, blockHeaderResult } from '../methods/blockchain/blockJson.ts';
import { resultText } from './methodText.ts';
import { badRequest, inFormat, notFound, type RestReply } from './replies.ts';
import { type Asked, parseSigned, parseUnsigned, splitFormat, withHash, withParameter } from './requestParts.ts';

const MOST_HEADERS = 2000;
const USUAL_COUNT = '5';

/** @see Bitcoin Core `rest_headers` */
export function answerHeaders(asked: Asked): RestReply {
  const { context } = asked;
  const { text, format } = splitFormat(asked);
  return withSeries(asked, text.split('/'), '/rest/headers/<hash>.<ext>?count=<count>', (hash, count) => {
    const blocks = blocksFrom(context.node.chain, hash, count);
    return inFormat(format, {
      bytes: () => concatBytes(...blocks.map(({ header }) => header)),
      json: () =>
        resultText(
          list(blockHeaderResult),
          blocks.map((block) => blockHeaderDraft(block, context)),
          context,
        ),
    });
  });
}

/** Reads a count and a hash: the count before the hash, or behind the question mark. */
function withSeries(
  asked: Asked,
  [first = '', second, ...more]: readonly string[],
  expected: string,
  answer: (hash: Uint8Array, count: number) => RestReply,
): RestReply {
  const { countsInPath } = asked.rules;
  const counted = (countText: string, hashText: string): RestReply => {
    const count = countsInPath ? leadingInteger(countText) : Number(parseUnsigned(countText, 64) ?? 0);
    if (count >= 1 && count <= MOST_HEADERS) return withHash(hashText, (hash) => answer(hash, count));
    return badRequest(
      countsInPath
        ? `Header count out of range: ${countText}`
        : `Header count is invalid or out of acceptable range (1-${MOST_HEADERS}): ${countText}`,
    );
  };
  if (second !== undefined && more.length === 0) return counted(first, second);
  if (countsInPath) return badRequest('No header count specified. Use /rest/headers/<count>/<hash>.<ext>.');
  if (second !== undefined) return badRequest(`Invalid URI format. Expected ${expected}`);
  return withParameter(asked, 'count', USUAL_COUNT, (countText) => counted(countText, first));
}

/** @see C `strtol` */
const leadingInteger = (text: string): number => Number(/^[ \t\n\v\f\r]*([+-]?[0-9]+)/.exec(text)?.[1] ?? 0);

/** Lists blocks of the active chain; none if it lacks the first one. */
function blocksFrom(chain: Chain, hash: Uint8Array, count: number): readonly ChainBlock[] {
  const first = chain.blocks.get(blockKey(hash));
  if (!first || !isActive(chain, first)) return [];
  const length = Math.min(count, activeTip(chain).height - first.height + 1);
  return Array.from({ length }, (_, i) => findActiveBlock(chain, first.height + i)).filter(
    (block) => block !== undefined,
  );
}

/** @see Bitcoin Core `rest_filter_header` */
export function answerFilterHeaders(asked: Asked): RestReply {
  const { text, format } = splitFormat(asked);
  const [type = '', ...rest] = text.split('/');
  const expected = '/rest/blockfilterheaders/<filtertype>/<blockhash>.<ext>?count=<count>';
  if (rest.length === 0) return badRequest(`Invalid URI format. Expected ${expected}`);
  return withSeries(asked, rest, expected, (hash, count) =>
    withFilters(asked, type, (filters) => {
      const headers: Uint8Array[] = [];
      for (const block of blocksFrom(asked.context.node.chain, hash, count)) {
        const found = filters.find(block);
        // The chain lacks coins that the block spends.
        if (!found) return notFound('Filter not found. Block filters are still in the process of being indexed.');
        headers.push(found.header);
      }
      return inFormat(format, {
        bytes: () => concatBytes(...headers),
        json: () => resultText(list(hex()), headers.map(formatReversedHex), asked.context),
      });
    }),
  );
}

function withFilters({ context }: Asked, type: string, answer: (filters: FilterIndex) => RestReply): RestReply {
  if (type !== 'basic') return badRequest(`Unknown filtertype ${type}`);
  const { filters } = context.indexes;
  return filters ? answer(filters) : badRequest(`Index is not enabled for filtertype ${type}`);
}

const filterResult = members({ filter: hex() });
/** @see Bitcoin Core `BlockFilterType` */
const BASIC = 0;

/** @see Bitcoin Core `rest_block_filter` */
export function answerFilter(asked: Asked): RestReply {
  const { context } = asked;
  const { text, format } = splitFormat(asked);
  const [type = '', hashText, ...more] = text.split('/');
  if (hashText === undefined || more.length > 0) {
    return badRequest('Invalid URI format. Expected /rest/blockfilter/<filtertype>/<blockhash>');
  }
  return withHash(hashText, (hash) =>
    withFilters(asked, type, (filters) => {
      const block = context.node.chain.blocks.get(blockKey(hash));
      if (!block) return notFound(`${hashText} not found`);
      const found = filters.find(block);
      if (!found) return notFound('Filter not found. Block was not connected to active chain.');
      return inFormat(format, {
        bytes: () => encodeFilter(block, found.filter),
        json: () => resultText(filterResult, { filter: formatHex(found.filter) }, context),
        lasting: ['bin', 'hex', 'json'],
      });
    }),
  );
}

/** @see Bitcoin Core `BlockFilter::Serialize` */
function encodeFilter({ hash }: ChainBlock, filter: Uint8Array): Uint8Array {
  const writer = createWriter();
  writeU8(writer, BASIC);
  writeBytes(writer, hash);
  writeVarBytes(writer, filter);
  return written(writer);
}

const blockHashResult = members({ blockhash: hex() });

/** @see Bitcoin Core `rest_blockhash_by_height` */
export function answerBlockHash(asked: Asked): RestReply {
  const { context, rules } = asked;
  const { text, format } = splitFormat(asked);
  const height = parseSigned(text, rules.takesPlusSign);
  if (height === undefined || height < 0)
    return badRequest(`Invalid height: ${sanitizeString(text, rules.heightSafeFor)}`);
  const block = findActiveBlock(context.node.chain, height);
  if (!block) return notFound('Block height out of range');
  const shown = formatReversedHex(block.hash);
  return inFormat(format, {
    bytes: () => copyBytes(block.hash),
    hex: () => shown,
    json: () => resultText(blockHashResult, { blockhash: shown }, context),
  });
}
