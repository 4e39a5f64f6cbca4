import { parseWitnessProgram } from '../../core/script/template.ts';

/**
 * The form of a signed message. The first three are signatures from which the public key is recovered:
 *
 * - `legacy`: for P2PKH, as Core signs
 * - `bip137`: for segwit, with a header that says so, as hardware wallets sign
 * - `electrum`: for segwit, with the header of P2PKH, as Electrum signs
 * - `simple`: the witness of a segwit input
 * - `full`: a transaction that spends the message
 * - `proof-of-funds`: the same with further coins, in a finalized PSBT
 *
 * @see BIP322 "Types of Signatures"
 */
export type MessageFormat = 'legacy' | 'bip137' | 'electrum' | Bip322Format;

export type Bip322Format = 'simple' | 'full' | 'proof-of-funds';

export const PREFIXES: Readonly<Record<Bip322Format, string>> = {
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
export function shortestFormat(form: SigningForm): Bip322Format {
  if (form.coins.length > 0) return 'proof-of-funds';
  return isPlain(form) && parseWitnessProgram(form.scriptPubKey) !== undefined ? 'simple' : 'full';
}
