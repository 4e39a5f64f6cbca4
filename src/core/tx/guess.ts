import { parseHex } from '../bytes/hex.ts';
import { unlessRefused } from '../errors.ts';
import { hasValidOps, MAX_SCRIPT_SIZE } from '../script/instructions.ts';
import { isCoinbase } from './check.ts';
import { decodeTransaction, type TransactionFormat } from './codec.ts';
import type { Transaction } from './types.ts';

export interface TransactionGuess {
  readonly triesWitness: boolean;
  readonly triesNoWitness: boolean;
  readonly mweb: boolean;
}

/**
 * Decodes hex in the extended format if its scripts are sane, else in the original one if its scripts are, else in
 * whichever can be decoded.
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

/** A coinbase's scriptSig need not be sane. @see Bitcoin Core `CheckTxScriptsSanity` */
function hasSaneScripts(tx: Transaction): boolean {
  const isSane = (script: Uint8Array): boolean => script.length <= MAX_SCRIPT_SIZE && hasValidOps(script);
  const hasSaneInputs = isCoinbase(tx) || tx.inputs.every(({ scriptSig }) => isSane(scriptSig));
  return hasSaneInputs && tx.outputs.every(({ scriptPubKey }) => isSane(scriptPubKey));
}
