import { BtcError } from '../errors.ts';

/** Includes a phrase with a word forgotten or repeated. */
const PHRASE = { least: 11, most: 25 } as const;
const LONGEST_WORD = 12;
const BETWEEN_WORDS = /[^\p{L}\p{M}]+/u;
/** Longer than a numbered and quoted phrase. */
const LONGEST_PHRASE = 1000;

/** @see SeedSigner "SeedQR Format Specification" */
const SEED_QR = /^(?:(?:[01]\d{3}|20[0-3]\d|204[0-7])\s*){12,24}$/;

export const isSeedQr = (text: string): boolean =>
  SEED_QR.test(text) && text.replace(/\s+/g, '').length % FOR_THREE_WORDS === 0;

/** The numbers of words are multiples of 3. */
const FOR_THREE_WORDS = 12;

/**
 * Accepts about as many words as a seed phrase has, perhaps numbered or quoted, or a SeedQR. Hex and keys are not
 * phrases, though the letters between their digits look like words.
 */
export function isPhrase(text: string): boolean {
  if (isSeedQr(text)) return true;
  if (text.length > LONGEST_PHRASE || /[{}()/:=#]|[a-z][0-9]|^[0-9a-f]+$/i.test(text)) return false;
  const words = text.split(BETWEEN_WORDS).filter(Boolean);
  return (
    words.length >= PHRASE.least && words.length <= PHRASE.most && words.every(({ length }) => length <= LONGEST_WORD)
  );
}

/** Accepts an extended private key or a WIF key. */
export const isWrittenKey = (text: string): boolean =>
  /^(?:[A-Za-z](?:prv|tpv)[0-9A-Za-z]{100,110}|[0-9A-Za-z]{51,52})$/.test(text);

const UNREAD: readonly (readonly [form: RegExp, advice: string])[] = [
  [/^6P[0-9A-Za-z]{56}$/, 'a key encrypted with a passphrase (BIP38): decrypt it with the program that made it'],
  [/^ms1[0-9a-z]{40,130}$/i, 'a codex32 string (BIP93): give the extended private key of the seed that it stands for'],
  [
    /^(?:0x)?(?:[0-9a-f]{32}|[0-9a-f]{64})$/i,
    '16 or 32 bytes in hex, which may be a key, a seed or a hash: give a key in wallet import format, and entropy as seed words',
  ],
  [
    /^S[1-9A-HJ-NP-Za-km-z]{21}(?:[1-9A-HJ-NP-Za-km-z]{8})?$/,
    'a minikey: give its private key in wallet import format',
  ],
  [/^p2[a-z0-9-]{2,20}:[0-9A-Za-z]{51,52}$/, 'a key as Electrum exports it: leave out what stands before the colon'],
  [
    /^["',;\s]*[0-9A-Za-z]{51,52}["',;\s]+$|^["',;\s]+[0-9A-Za-z]{51,52}$/,
    'a key with quotes, commas or spaces beside it: leave them out',
  ],
];

/** Names the form of a secret that the library does not read, with advice. */
export function unreadKeyForm(text: string): string | undefined {
  if (isSeedQr(text)) return 'a SeedQR: give it as seed words';
  return UNREAD.find(([form]) => form.test(text))?.[1];
}

const PUBLIC_KEY = /^(?:0[23][0-9a-f]{64}|04[0-9a-f]{128})$/i;

/** Refuses secrets in such a form, and public keys. @throws `wif/invalid` */
export function assertReadKeyForm(text: string): void {
  const form = PUBLIC_KEY.test(text)
    ? 'a public key in hex: to watch it, give a descriptor, such as wpkh(...)'
    : unreadKeyForm(text);
  if (form === undefined) return;
  throw new BtcError(
    'wif/invalid',
    { reason: 'form' },
    `The private key is not in a form that can be read: it is ${form}`,
  );
}
