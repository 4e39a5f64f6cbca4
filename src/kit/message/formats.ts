import { parseWitnessProgram } from '../../core/script/template.ts';

/**
 * The form of a signed message:
 *
 * - `legacy`: a recoverable signature, of Core for P2PKH, or of hardware wallets for segwit (BIP137)
 * - `simple`: the witness of a segwit input
 * - `full`: a transaction that spends the message
 * - `proof-of-funds`: the same with further coins, in a finalized PSBT
 *
 * @see BIP322 "Types of Signatures"
 */
export type MessageFormat = 'legacy' | 'simple' | 'full' | 'proof-of-funds';

export const PREFIXES: Readonly<Record<Exclude<MessageFormat, 'legacy'>, string>> = {
  simple: 'smp',
  full: 'ful',
  'proof-of-funds': 'pof',
};

interface SigningForm {
  readonly scriptPubKey: Uint8Array;
  readonly version: number;
  readonly locktime: number;
  readonly sequence: number;
  readonly coins: readonly unknown[];
}

/** Tells whether a message is signed without locks and coins. */
export const isPlain = ({ version, locktime, sequence, coins }: SigningForm): boolean =>
  version === 0 && locktime === 0 && sequence === 0 && coins.length === 0;

/** @see BIP322 "Signing" */
export function shortestFormat(form: SigningForm): keyof typeof PREFIXES {
  if (form.coins.length > 0) return 'proof-of-funds';
  return isPlain(form) && parseWitnessProgram(form.scriptPubKey) !== undefined ? 'simple' : 'full';
}
