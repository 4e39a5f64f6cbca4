import { type JsonValue, toJsonValue } from '../../answers/json/jsonValue.ts';
import { parseJson } from '../../answers/json/parseJson.ts';
import { stringifyRpc } from '../../answers/json/stringify.ts';
import { RPC_DATABASE_ERROR } from '../../answers/method/errorCodes.ts';
import type { RpcAnswer } from '../../answers/method/method.ts';
import { isHex } from '../../core/bytes/hex.ts';
import { RpcError } from '../../core/errors.ts';
import type { NodeRpc } from '../createNodeRpc.ts';
import { badRequest, type EsploraReply, jsonReply, textReply } from './replies.ts';

type Calls = Pick<NodeRpc, 'callJson'>;

const MAX_PACKAGE = 25;
/** In digits: above 60 bytes, and within the standard weight. */
const LEAST_DIGITS = 120;
const MOST_DIGITS = 800_000;

export const broadcast = (rpc: Calls, hex: string): EsploraReply =>
  call(rpc, 'sendrawtransaction', [hex], (txid) => textReply(String(txid)));

/** Answers `POST /txs/package`. */
export function broadcastPackage(rpc: Calls, body: string, query: ReadonlyMap<string, string>): EsploraReply {
  const txs = parseTexts(body);
  if (!txs) return badRequest('The body must be a JSON array of transactions in hex');
  if (txs.length > MAX_PACKAGE) return badRequest(`Exceeded maximum of ${MAX_PACKAGE} transactions`);
  const limits = ['maxfeerate', 'maxburnamount'].map((name) => [name, query.get(name)] as const);
  const [invalid] = limits.find(([, text]) => text !== undefined && !isAmount(text)) ?? [];
  if (invalid !== undefined) return badRequest(`Invalid ${invalid}`);
  const fault = txs.map(itemFault).find((text) => text !== undefined);
  if (fault !== undefined) return badRequest(fault);
  return call(rpc, 'submitpackage', [txs, ...limits.map(([, text]) => amountArgument(text))], (result) =>
    jsonReply(result as object),
  );
}

function parseTexts(body: string): readonly string[] | undefined {
  const value = parseJson(body);
  if (value?.type !== 'array') return undefined;
  const texts = value.items.flatMap((item) => (item.type === 'string' ? [item.value] : []));
  return texts.length === value.items.length ? texts : undefined;
}

function itemFault(hex: string, index: number): string | undefined {
  if (hex.length < LEAST_DIGITS || hex.length >= MOST_DIGITS) return `Invalid transaction size for item ${index}`;
  return isHex(hex) ? undefined : `Invalid transaction hex for item ${index}`;
}

const isAmount = (text: string): boolean => /^[0-9]{1,8}(?:\.[0-9]+)?$/.test(text);

/** The last decimal that an amount has is rounded, as electrs does. */
const amountArgument = (text: string | undefined): string | null =>
  text === undefined ? null : Number(text).toFixed(8);

/** Calls a method, whose refusal becomes a text as of electrs. */
function call(
  { callJson }: Calls,
  method: string,
  params: readonly unknown[],
  answer: (result: RpcAnswer) => EsploraReply,
): EsploraReply {
  const json: JsonValue = toJsonValue(params);
  try {
    return answer(callJson(method, json));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const { code, message } = error;
    return textReply(
      `${method} RPC error: ${stringifyRpc({ code, message })}`,
      code === RPC_DATABASE_ERROR ? 503 : 400,
    );
  }
}
