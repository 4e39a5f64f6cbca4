import { decodeUtf8WithoutMark, encodeUtf8 } from '../bytes/utf8.ts';
import { sha256 } from '../crypto/hash.ts';
import { BtcError } from '../errors.ts';

/** Includes a phrase with a word forgotten or repeated. */
const PHRASE = { least: 11, most: 25 } as const;
const LONGEST_WORD = 12;
/** As in `1: abandon 2: about`. */
const NUMBERING = /(?<!\S)\d{1,2}[.:)](?=\s)/g;
const BETWEEN_WORDS = /[^\p{L}\p{M}]+/u;
/** Longer than a numbered and quoted phrase. */
const LONGEST_PHRASE = 1000;

/** @see SeedSigner "SeedQR Format Specification" */
const SEED_QR = /^["'\s]*(?:(?:[01]\d{3}|20[0-3]\d|204[0-7])[\s,;"'-]*){12,24}$/;

export const isSeedQr = (text: string): boolean =>
  text.length <= LONGEST_PHRASE && SEED_QR.test(text) && text.replace(/\D+/g, '').length % FOR_THREE_WORDS === 0;

/** The entropy of 12 and of 24 words. @see SeedSigner "CompactSeedQR" */
const COMPACT_SEEDS: readonly number[] = [16, 32];

export const isCompactSeed = (bytes: Uint8Array): boolean =>
  COMPACT_SEEDS.includes(bytes.length) && (isBinary(bytes) || decodeUtf8WithoutMark(bytes) === undefined);

const LOOKED_AT = 512;

/** Tells bytes that are not a text by their control characters. */
export const isBinary = (bytes: Uint8Array): boolean =>
  bytes.subarray(0, LOOKED_AT).some((byte) => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d));

/** The numbers of words are multiples of 3. */
const FOR_THREE_WORDS = 12;

/**
 * Accepts about as many words as a seed phrase has, perhaps numbered or quoted, or a SeedQR. Hex and keys are not
 * phrases, though the letters between their digits look like words.
 */
export function isPhrase(text: string): boolean {
  if (isSeedQr(text)) return true;
  if (text.length > LONGEST_PHRASE) return false;
  const plain = text.replace(NUMBERING, ' ');
  if (/[{}()/:=#]|[a-z][0-9]|^[0-9a-f]+$/i.test(plain)) return false;
  const words = plain.split(BETWEEN_WORDS).filter(Boolean);
  return (
    words.length >= PHRASE.least && words.length <= PHRASE.most && words.every(({ length }) => length <= LONGEST_WORD)
  );
}

/** Forms in which people keep secrets. `openKeys` reads each. */
export type SecretForm = 'words' | 'seed-qr' | 'extended-key' | 'wif' | 'encrypted-key' | 'codex32' | 'minikey';

const MINIKEY = /^S[1-9A-HJ-NP-Za-km-z]{21}(?:[1-9A-HJ-NP-Za-km-z]{8})?$/;

const FORMS: readonly (readonly [SecretForm, (text: string) => boolean])[] = [
  ['seed-qr', isSeedQr],
  ['words', isPhrase],
  ['extended-key', (text) => /^[A-Za-z](?:prv|tpv)[0-9A-Za-z]{100,110}$/.test(text)],
  ['wif', (text) => /^(?!\d+$)[0-9A-Za-z]{51,52}$/.test(text)],
  ['encrypted-key', (text) => /^6P[0-9A-Za-z]{56}$/.test(text)],
  ['codex32', (text) => /^ms1[0-9a-z]{40,130}$/i.test(text)],
  ['minikey', (text) => MINIKEY.test(text)],
];

/** What a reader of one key says to those who bring another secret. */
const ADVICE: Readonly<Partial<Record<SecretForm, string>>> = {
  'seed-qr': 'a SeedQR: give it as seed words',
  'encrypted-key': 'a key encrypted with a passphrase (BIP38): decrypt it first (openKeys)',
  codex32: 'a codex32 string (BIP93), which stands for a seed: open it with openKeys',
  minikey: 'a minikey: open it with openKeys, or give its private key in wallet import format',
};

const UNREAD: readonly (readonly [form: RegExp, advice: string])[] = [
  [
    /^t?sp(?:scan|spend)1[0-9a-z]{100,130}$/i,
    'a private key of silent payments (BIP392): give it in a descriptor, sp(KEY)',
  ],
  [
    /^["'\s]*(?:(?:\d{1,4}[\s,;-]+){10,24}\d{1,4}|(?!00(?:14\d{40}|20\d{64})$|0[23]\d{64}$)\d{40,104})["'\s]*$/,
    'numbers like those of seed words, perhaps of a damaged SeedQR: give the seed words',
  ],
];

const HEX = /^(?:0x)?(?:[0-9a-f]{32}|[0-9a-f]{64})$/i;
const HEX_ADVICE =
  '16 or 32 bytes in hex, which may be a key, a seed or a hash: give a key in wallet import format, and entropy as seed words';

/** What secret a text is: in a form that can be read here, or in one that cannot. */
export type WrittenSecret =
  | { readonly kind: SecretForm }
  /** `form` continues "It is", with advice. `hex` may be a hash instead. */
  | { readonly kind: 'unread' | 'hex'; readonly form: string };

/** Tells which secret a text is, even if it can be read as something else, too. Code that opens a text asks this first. */
export function writtenSecret(text: string): WrittenSecret | undefined {
  if (text.length > LONGEST_LIST) return undefined;
  const forms = splitSecrets(text).map(secretForm);
  const [form] = forms;
  if (form !== undefined && !forms.includes(undefined)) return { kind: form };
  if (text.length > LONGEST_PHRASE) return undefined;
  if (HEX.test(text)) return { kind: 'hex', form: HEX_ADVICE };
  const advice = UNREAD.find(([pattern]) => pattern.test(text))?.[1];
  return advice === undefined ? undefined : { kind: 'unread', form: advice };
}

/** Tells the form of one secret. */
export const secretForm = (text: string): SecretForm | undefined => FORMS.find(([, isOfForm]) => isOfForm(text))?.[0];

/** In characters: a file of a thousand keys. */
const LONGEST_LIST = 100_000;
const BETWEEN_KEYS = /[\s,;"'[\]]+/;
/** Electrum writes the kind of addresses before each key. */
const ELECTRUM_KIND = /^p2[a-z0-9-]{2,20}:/;

/** Splits a list of keys, in lines, in JSON, or with quotes or commas between them; seed words are one secret. */
export function splitSecrets(text: string): readonly string[] {
  if (isPhrase(text)) return [text];
  const listed = textsInJson(text) ?? text.split(BETWEEN_KEYS).filter(Boolean);
  return listed.map((key) => key.replace(ELECTRUM_KIND, ''));
}

function textsInJson(text: string): readonly string[] | undefined {
  if (!text.startsWith('[')) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined;
  } catch {
    // The engine's error quotes the text.
    return undefined;
  }
}

/** Names a secret in another form than that of one key, with advice. */
export function unreadKeyForm(text: string): string | undefined {
  const secret = writtenSecret(text);
  if (secret === undefined) return undefined;
  if ('form' in secret) return secret.form;
  const isPlain = secretForm(text) === secret.kind;
  if (!isPlain) return 'a list of keys, or a key with quotes, commas or spaces beside it: give each key alone';
  return ADVICE[secret.kind];
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

/** Tells whether a part has the form of a private key: an extended one, one of `sp()`, or in wallet import format. */
export const hasKeyForm = (text: string): boolean => PRIVATE_KEY.test(text);

const PRIVATE_KEY =
  /(?:prv|tpv)[0-9A-Za-z]{20}|sp(?:scan|spend)1[0-9a-z]{20}|SP(?:SCAN|SPEND)1[0-9A-Z]{20}|(?<![0-9A-Za-z])[0-9A-Za-z]{51,52}(?![0-9A-Za-z])/;

/** Tells a minikey, which may look like a name, by its checksum. */
export const isMinikey = (text: string): boolean => MINIKEY.test(text) && sha256(encodeUtf8(`${text}?`))[0] === 0;

/**
 * Tells digits that may be the numbers of seed words, four for each, perhaps cut: none is above 2047, or, if there are many
 * and one may be wrong or missing, none in a half of them.
 */
export function mayBeSeedDigits(digits: string): boolean {
  const half = digits.length / 2;
  const parts = digits.length < LEAST_WITH_ERRORS ? [digits] : [digits.slice(0, half), digits.slice(half)];
  return parts.some((part) =>
    [0, 1, 2, 3].some((start) => [...part.slice(start).matchAll(/\d{4}/g)].every(([place]) => Number(place) < 2048)),
  );
}

const LEAST_WITH_ERRORS = 40;
