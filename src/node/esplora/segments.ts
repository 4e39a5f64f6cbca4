import { parseAddress } from '../../core/address/address.ts';
import { isHex, parseHex } from '../../core/bytes/hex.ts';
import { BtcError, isBtcError, unlessRefused } from '../../core/errors.ts';
import type { Network } from '../../core/network/networks.ts';
import { parseTxid, txKey } from '../../core/tx/txid.ts';
import type { Txid, TxKey } from '../../core/tx/types.ts';
import { type BlockKey, blockKey } from '../chain/blockHeader.ts';
import { type ScriptHash, scriptHash, toScriptHash } from './chainIndex.ts';
import { badRequest, type EsploraReply } from './replies.ts';

// Readers of the parts of a path. Each passes the value on, or refuses it as electrs does.

type Answer<T> = (value: T) => EsploraReply;

export const withTxid = (text: string, answer: Answer<TxKey>): EsploraReply =>
  withHash(text, (hash) => answer(txKey(hash)));

export const withBlockHash = (text: string, answer: Answer<BlockKey>): EsploraReply =>
  withHash(text, (hash) => answer(blockKey(hash)));

function withHash(text: string, answer: Answer<Txid>): EsploraReply {
  const hash = unlessRefused(() => parseTxid(text));
  return hash ? answer(hash) : badRequest('Invalid hex string');
}

export const MAX_U32 = 0xffff_ffff;
/** As a double has it. */
export const MAX_U64: number = 2 ** 64;

export function withNumber(text: string, most: number, answer: Answer<number>): EsploraReply {
  const number = parseUnsigned(text, most);
  return number === undefined ? badRequest('Invalid number') : answer(number);
}

/** @see Rust `u32::from_str` */
export function parseUnsigned(text: string | undefined, most: number): number | undefined {
  if (text === undefined || !/^\+?[0-9]+$/.test(text)) return undefined;
  const number = Number(text);
  return number <= most ? number : undefined;
}

/** A script as a path names it. */
export interface NamedScript {
  readonly kind: 'address' | 'scripthash';
  readonly text: string;
}

export function withScript({ kind, text }: NamedScript, network: Network, answer: Answer<ScriptHash>): EsploraReply {
  if (kind === 'address') return withAddress(text, network, answer);
  return isHex(text) && text.length === 64 ? answer(toScriptHash(parseHex(text))) : badRequest('Invalid scripthash');
}

function withAddress(text: string, network: Network, answer: Answer<ScriptHash>): EsploraReply {
  const outcome = addressOutcome(text, network);
  if (outcome instanceof Uint8Array) return answer(scriptHash(outcome));
  const isForeign = isBtcError(outcome, 'address/network');
  return badRequest(isForeign ? 'Address on invalid network' : 'Invalid address');
}

function addressOutcome(text: string, network: Network): Uint8Array | BtcError {
  try {
    return parseAddress(text, network);
  } catch (error) {
    if (error instanceof BtcError) return error;
    throw error;
  }
}
