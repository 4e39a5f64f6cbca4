import { parseHex } from '../bytes/hex.ts';
import { unlessRefused } from '../errors.ts';
import { hasValidOps, MAX_SCRIPT_SIZE } from '../script/instructions.ts';
import { isCoinbase } from './check.ts';
import { decodeTransaction, type TransactionFormat } from './codec.ts';
import type { Transaction } from './types.ts';

/** The wire formats to try. */
export interface TransactionGuess {
  readonly triesWitness: boolean;
  readonly triesNoWitness: boolean;
  readonly mweb: boolean;
}

/**
 * Decodes hex in either wire format: the extended one if its scripts are sane, else the original one if its scripts
 * are, else whichever could be decoded, the extended one first.
 * @returns `undefined` if neither can be decoded to the last byte
 * @see Bitcoin Core `DecodeHexTx`
 */
export function guessTransaction(hex: string, guess: TransactionGuess): Transaction | undefined {
  const bytes = unlessRefused(() => parseHex(hex));
  if (!bytes) return undefined;
  const { triesWitness, triesNoWitness, mweb } = guess;
  const extended = triesWitness ? tryDecode(bytes, { mweb }) : undefined;
  if (extended && hasSaneScripts(extended)) return extended;
  const original = triesNoWitness ? tryDecode(bytes, { witness: false }) : undefined;
  if (original && hasSaneScripts(original)) return original;
  return extended ?? original;
}

const tryDecode = (bytes: Uint8Array, format: TransactionFormat): Transaction | undefined =>
  unlessRefused(() => decodeTransaction(bytes, format));

/** Tells whether all scripts have known opcodes; a coinbase's scriptSig need not. @see `CheckTxScriptsSanity` */
function hasSaneScripts(tx: Transaction): boolean {
  const isSane = (script: Uint8Array): boolean => script.length <= MAX_SCRIPT_SIZE && hasValidOps(script);
  const hasSaneInputs = isCoinbase(tx) || tx.inputs.every(({ scriptSig }) => isSane(scriptSig));
  return hasSaneInputs && tx.outputs.every(({ scriptPubKey }) => isSane(scriptPubKey));
}
