import { isBytes } from '../../core/bytes/assertBytes.ts';
import { assertText } from '../../core/bytes/assertText.ts';
import { assertKnownOptions, type OptionNames } from '../../core/bytes/knownOptions.ts';
import { decodeUtf8WithoutMark, encodeUtf8, withoutUtf16 } from '../../core/bytes/utf8.ts';
import { concealed, withSecretKey } from '../../core/crypto/concealed.ts';
import { chosenArithmetic, type EccOption } from '../../core/crypto/eccOption.ts';
import { sha256 } from '../../core/crypto/hash.ts';
import {
  isCompactSeed,
  isMinikey,
  type SecretForm,
  secretForm,
  splitSecrets,
  writtenSecret,
} from '../../core/encoding/writtenSecrets.ts';
import { BtcError, unlessRefused } from '../../core/errors.ts';
import { type ExtendedKey, masterKey } from '../../core/keys/bip32.ts';
import { decryptKey } from '../../core/keys/bip38.ts';
import { parseCodex32 } from '../../core/keys/codex32.ts';
import { masterOfElectrumSeed, parseElectrumSeed } from '../../core/keys/electrumSeed.ts';
import { parseSeedWords, seedOfWords, wordsOfEntropy } from '../../core/keys/seedWords.ts';
import { type KeyScript, parseAnyExtendedKey } from '../../core/keys/slip132.ts';
import { parseWif, type WifKey } from '../../core/keys/wif.ts';
import { type Network, type NetworkOption, resolveNetwork } from '../../core/network/networks.ts';

/** A key in one of the forms in which people keep it. Private keys are concealed. */
export type OpenedKey =
  /** The master key of seed words or codex32: its addresses are below its accounts. */
  | { readonly kind: 'seed'; readonly form: 'words' | 'codex32'; readonly key: ExtendedKey }
  /** The master key of a seed of Electrum: its addresses are right below the key, or below `m/0h`. */
  | { readonly kind: 'electrum'; readonly key: ExtendedKey; readonly type: 'standard' | 'segwit' }
  /** `script`: for which addresses its prefix says that it is. */
  | { readonly kind: 'extended'; readonly key: ExtendedKey; readonly script: KeyScript }
  | { readonly kind: 'single'; readonly key: WifKey };

/** Options of `openKeys`. */
export interface OpenKeysOptions extends EccOption {
  /** Default `main`. */
  readonly network?: NetworkOption;
  /** Of seed words, where another one opens another wallet without an error, or of an encrypted key (BIP38). Default none. */
  readonly passphrase?: string;
}

const OPTIONS: OptionNames<OpenKeysOptions> = { network: true, ecc: true, passphrase: true };

const PASSPHRASE_FORMS: ReadonlySet<string> = /* @__PURE__ */ new Set<SecretForm>([
  'words',
  'seed-qr',
  'encrypted-key',
]);

/** Tells whether keys in such a form may have a passphrase. */
export const takesPassphrase = (form: string): boolean => PASSPHRASE_FORMS.has(form);

/**
 * Opens keys as people keep them: seed words in any writing (BIP39, Electrum's, a SeedQR of either form), extended private
 * keys of any prefix, keys in wallet import format, encrypted ones (BIP38) and minikeys, or codex32 strings. Several, between
 * spaces, commas or quotes, may stand in one text.
 * @throws `words/*`, `codex32/*`, `bip38/*`, `wif/*`, `xkey/*`, `base58/invalid`; `argument/invalid` for a text that is no key, and
 * for a passphrase that no key takes; no error holds a secret
 * @see BIP39, BIP38, BIP93, SLIP132
 *
 * @example
 * ```ts
 * import { openKeys } from 'countersign';
 *
 * const [key] = openKeys(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * key?.kind; // seed
 * ```
 */
export function openKeys(content: string | Uint8Array, options: OpenKeysOptions = {}): readonly OpenedKey[] {
  assertKnownOptions(options, OPTIONS);
  const { passphrase = '' } = options;
  assertText('passphrase', passphrase);
  const text = textOfKeys(content);
  const secret = writtenSecret(text);
  // Says which word is wrong, or how many there are.
  if (!secret && WORDS.test(text)) parseSeedWords(text);
  if (!secret || 'form' in secret) throw notAKey(secret?.form);
  const secrets = splitSecrets(text).flatMap((each) => {
    const form = secretForm(each);
    return form ? [{ text: each, form }] : [];
  });
  if (passphrase !== '' && !secrets.some(({ form }) => takesPassphrase(form))) {
    throw notAKey(
      undefined,
      'A passphrase needs seed words or an encrypted key, and these are other keys: leave it out',
    );
  }
  if (secrets.filter(({ form }) => form === 'encrypted-key').length > MOST_ENCRYPTED) {
    throw notAKey(undefined, `Each encrypted key takes about a second: give at most ${MOST_ENCRYPTED} at a time`);
  }
  const reading = {
    network: resolveNetwork(options.network ?? 'main'),
    ecc: chosenArithmetic({ ecc: options.ecc }),
    passphrase,
  };
  const shares = secrets.filter(({ form }) => form === 'codex32').map((share) => share.text);
  return secrets.flatMap(({ text: each, form }) => {
    if (form !== 'codex32') return READERS[form](each, reading);
    // All shares of a codex32 string are one seed.
    return each === shares[0] ? openCodex32(shares, reading) : [];
  });
}

const MOST_ENCRYPTED = 20;

const WORDS = /^[\p{L}\p{M}\s,;.'"-]{1,1000}$/u;

/** Returns what was given as text, and the entropy of a SeedQR as words. @throws `argument/invalid` for other bytes */
export function textOfKeys(content: string | Uint8Array): string {
  if (!isBytes(content)) {
    assertText('keys', content);
    return content.trim();
  }
  const text = isCompactSeed(content) ? wordsOfEntropy(content) : decodeUtf8WithoutMark(withoutUtf16(content));
  if (text === undefined) throw notAKey(undefined);
  return text.trim();
}

function notAKey(form: string | undefined, message = form === undefined ? NOT_A_KEY : `It is ${form}`): BtcError {
  return new BtcError('argument/invalid', { argument: 'keys', reason: message }, message);
}

const NOT_A_KEY =
  'The text is not a key: give seed words, an extended private key, or a key in wallet import format (WIF)';

interface Reading extends Required<Pick<OpenKeysOptions, 'passphrase'>> {
  readonly network: Network;
  readonly ecc: ReturnType<typeof chosenArithmetic>;
}

const READERS: Readonly<Record<Exclude<SecretForm, 'codex32'>, (text: string, reading: Reading) => OpenedKey>> = {
  words: openWords,
  'seed-qr': openWords,
  'extended-key': (text, { network, ecc }) => ({ kind: 'extended', ...parseAnyExtendedKey(text, network, ecc) }),
  wif: (text, { network }) => ({ kind: 'single', key: parseWif(text, network) }),
  'encrypted-key': (text, { passphrase, ...rest }) => ({ kind: 'single', key: decryptKey(text, passphrase, rest) }),
  minikey: (text) => ({ kind: 'single', key: keyOfMinikey(text) }),
};

/** Takes words that are both a seed of BIP39 and of Electrum for the first: Electrum now makes none that are both. */
function openWords(text: string, { passphrase, ecc }: Reading): OpenedKey {
  const electrum = unlessRefused(() => parseSeedWords(text)) ? undefined : parseElectrumSeed(text);
  if (electrum) {
    const key = masterOfElectrumSeed(text, { passphrase, ecc });
    return { kind: 'electrum', key, type: electrum.type === 'segwit' ? 'segwit' : 'standard' };
  }
  return { kind: 'seed', form: 'words', key: masterOfSeed(seedOfWords(text, { passphrase }), ecc) };
}

const openCodex32 = (texts: readonly string[], { ecc }: Reading): OpenedKey => ({
  kind: 'seed',
  form: 'codex32',
  key: masterOfSeed(parseCodex32(texts).seed, ecc),
});

function masterOfSeed(seed: Uint8Array, ecc: Reading['ecc']): ExtendedKey {
  const key = masterKey(seed, { ecc });
  seed.fill(0);
  return key;
}

/** Reads the private key of a coin or card of Casascius. @see https://en.bitcoin.it/wiki/Mini_private_key_format */
function keyOfMinikey(text: string): WifKey {
  if (!isMinikey(text)) throw notAKey(undefined, 'The minikey has a typing error: its checksum does not match');
  return withSecretKey({ isCompressed: false }, concealed(sha256(encodeUtf8(text))));
}
