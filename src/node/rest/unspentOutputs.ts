import { amount, hex, list, members, numeric, text as textResult } from '../../answers/method/results.ts';
import { scriptPubKeyDraft } from '../../answers/views/scriptJson.ts';
import { scriptPubKeyResult } from '../../answers/views/transactionResults.ts';
import { bytesKey } from '../../core/bytes/compare.ts';
import { formatReversedHex, parseHex } from '../../core/bytes/hex.ts';
import { createReader, readCompactSize, readU8 } from '../../core/bytes/reader.ts';
import {
  createWriter,
  writeBytes,
  writeCompactSize,
  writeU32,
  writeVarBytes,
  written,
} from '../../core/bytes/writer.ts';
import { unlessRefused } from '../../core/errors.ts';
import { outpointCodec, txOutCodec } from '../../core/tx/codec.ts';
import { outpointKey, parseTxid } from '../../core/tx/txid.ts';
import type { Outpoint } from '../../core/tx/types.ts';
import { activeTip, findUnspent } from '../chain/chainState.ts';
import type { ChainBlock, ChainCoin } from '../chain/types.ts';
import type { NodeContext } from '../methods/context.ts';
import { resultText } from './methodText.ts';
import { badRequest, type Format, inFormat, type RestReply } from './replies.ts';
import { type Asked, isHash, parseSigned, parseUnsigned, splitFormat } from './requestParts.ts';

const MOST_OUTPOINTS = 15;

interface Query {
  readonly seesMempool: boolean;
  readonly outpoints: readonly Outpoint[];
}

/**
 * Tells which outputs are unspent. They are named in the path or, in the form of the answer, in the body.
 * @see BIP64; Bitcoin Core `rest_getutxos`
 */
export function answerUnspent(asked: Asked): RestReply {
  const { text, format } = splitFormat(asked);
  const named = text.length > 1 ? readNamed(text.slice(1), asked) : undefined;
  if (named === 'broken') return badRequest('Parse error');
  if (!named && asked.body.length === 0) return badRequest('Error: empty request');
  if (named?.outpoints.length === 0) return badRequest('Error: empty request');
  const sent = format === 'bin' || format === 'hex' ? readSent(asked, format) : undefined;
  if (sent && named) return badRequest('Combination of URI scheme inputs and raw post data is not allowed');
  if (sent === 'broken') return badRequest('Parse error');
  if (format === 'json' && !named) return badRequest('Error: empty request');
  const query = named ?? sent ?? { seesMempool: false, outpoints: [] };
  const { length } = query.outpoints;
  if (format && length > MOST_OUTPOINTS) {
    return badRequest(`Error: max outpoints exceeded (max: ${MOST_OUTPOINTS}, tried: ${length})`);
  }
  return unspentReply(query, format, asked.context);
}

/** Reads `checkmempool/TXID-N/TXID-N`. */
function readNamed(text: string, { rules }: Asked): Query | 'broken' {
  const parts = text.split('/');
  const seesMempool = parts[0] === 'checkmempool';
  const read = rules.takesBrokenOutpoints ? readBrokenOutpoint : readOutpoint;
  const outpoints = parts.slice(seesMempool ? 1 : 0).map(read);
  const known = outpoints.filter((outpoint) => outpoint !== undefined);
  return known.length === outpoints.length ? { seesMempool, outpoints: known } : 'broken';
}

function readOutpoint(text: string): Outpoint | undefined {
  const [id = '', place = '', ...more] = text.split('-');
  const vout = parseUnsigned(place, 32);
  if (vout === undefined || more.length > 0 || !isHash(id)) return undefined;
  return { txid: parseTxid(id), vout: Number(vout) };
}

/** Takes the last 64 digits of a txid, and zeros before fewer. @see Bitcoin Core 0.21 `base_blob::SetHex` */
function readBrokenOutpoint(text: string): Outpoint | undefined {
  const dash = text.indexOf('-');
  const id = dash < 0 ? text : text.slice(0, dash);
  const vout = parseSigned(text.slice(dash + 1), true);
  if (vout === undefined || !/^(?:[0-9a-fA-F]{2})+$/.test(id)) return undefined;
  return { txid: parseTxid(id.slice(-64).padStart(64, '0')), vout: vout >>> 0 };
}

/** Reads a flag and a list. Returns nothing for a body without content. */
function readSent({ body, rules }: Asked, format: 'bin' | 'hex'): Query | 'broken' | undefined {
  const bytes = format === 'hex' ? hexInBody(bytesKey(body), rules.takesBrokenOutpoints) : body;
  if (bytes.length === 0) return undefined;
  const query = unlessRefused((): Query => {
    const reader = createReader(bytes);
    const seesMempool = readU8(reader) !== 0;
    const count = readCompactSize(reader);
    const outpoints: Outpoint[] = [];
    while (outpoints.length < count) outpoints.push(outpointCodec.read(reader));
    return { seesMempool, outpoints };
  });
  return query ?? 'broken';
}

/** Returns nothing of a text that is not hex, or what comes before the fault. @see Bitcoin Core `ParseHex` */
function hexInBody(text: string, takesBroken: boolean): Uint8Array {
  const digits = /^(?:[ \t\n\v\f\r]|[0-9a-fA-F]{2})*/.exec(text)?.[0] ?? '';
  return digits.length < text.length && !takesBroken ? new Uint8Array() : parseHex(digits.replace(/\s/g, ''));
}

const unspentResult = members({
  chainHeight: numeric(),
  chaintipHash: hex(),
  bitmap: textResult(),
  utxos: list(members({ height: numeric(), value: amount(), scriptPubKey: scriptPubKeyResult })),
});

/** Of a coin of the mempool. @see Bitcoin Core `MEMPOOL_HEIGHT` */
const MEMPOOL_HEIGHT = 0x7fff_ffff;

function unspentReply({ seesMempool, outpoints }: Query, format: Format | undefined, context: NodeContext): RestReply {
  const { chain } = context.node;
  const tip = activeTip(chain);
  const found = outpoints.map((outpoint) => findUnspent(chain, outpointKey(outpoint), seesMempool));
  return inFormat(format, {
    bytes: () => encodeUnspent(tip, found),
    json: () =>
      resultText(
        unspentResult,
        {
          chainHeight: tip.height,
          chaintipHash: formatReversedHex(tip.hash),
          bitmap: found.map((coin) => (coin ? '1' : '0')).join(''),
          utxos: found.flatMap((coin) => (coin ? [coinDraft(coin, context)] : [])),
        },
        context,
      ),
  });
}

const coinDraft = ({ height = MEMPOOL_HEIGHT, value, scriptPubKey }: ChainCoin, context: NodeContext) => ({
  height,
  value,
  scriptPubKey: scriptPubKeyDraft(scriptPubKey, context),
});

function encodeUnspent(tip: ChainBlock, found: readonly (ChainCoin | undefined)[]): Uint8Array {
  const writer = createWriter();
  writeU32(writer, tip.height);
  writeBytes(writer, tip.hash);
  const bitmap = new Uint8Array(Math.ceil(found.length / 8));
  for (const [i, coin] of found.entries()) if (coin) bitmap[i >> 3] = (bitmap[i >> 3] ?? 0) | (1 << (i & 7));
  writeVarBytes(writer, bitmap);
  const coins = found.filter((coin) => coin !== undefined);
  writeCompactSize(writer, coins.length);
  for (const coin of coins) {
    // In the place of a transaction's version.
    writeU32(writer, 0);
    writeU32(writer, coin.height ?? MEMPOOL_HEIGHT);
    txOutCodec.write(writer, coin);
  }
  return written(writer);
}
