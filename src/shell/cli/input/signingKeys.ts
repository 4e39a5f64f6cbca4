import { formatHex } from '../../../core/bytes/hex.ts';
import { nobleEcc } from '../../../core/crypto/nobleEcc.ts';
import { isPhrase } from '../../../core/encoding/writtenSecrets.ts';
import { type HeldKey, heldKeyFrom, heldKeyOf } from '../../../core/holder/heldKey.ts';
import type { OfferedWallet } from '../../../core/holder/heldWallets.ts';
import { type ExtendedKey, keyFingerprint, masterKey } from '../../../core/keys/bip32.ts';
import { seedOfWords } from '../../../core/keys/seedWords.ts';
import { parseAnyExtendedKey } from '../../../core/keys/slip132.ts';
import { parseWif } from '../../../core/keys/wif.ts';
import { descriptorsBelow, usualDescriptors, usualName } from '../../../kit/account/accountKeys.ts';
import type { Io } from '../../terminal/io.ts';
import { readPasswordFile } from '../../terminal/password.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import type { CommandContext } from '../openContext.ts';
import { type KeyValues, readSecretTexts, type SecretTexts } from './secretFiles.ts';

/** Keys that the person gave, and the wallets that they imply. */
export interface SigningKeys {
  readonly keys: readonly HeldKey[];
  readonly wallets: readonly OfferedWallet[];
}

/**
 * Reads WIF keys, extended private keys or seed words, and quotes none in errors. Shows each master key's fingerprint.
 */
export async function readSigningKeys(line: KeyValues, context: CommandContext, io: Io): Promise<SigningKeys> {
  const secrets = await readSecretTexts(line, io, { takesWords: true });
  if (secrets.texts.length === 0) throw new UsageError(`${secrets.from}: no keys were given`);
  const phrases = secrets.texts.filter(isWords);
  if (line.seedFile !== undefined && phrases.length !== secrets.texts.length) {
    const contents = phrases.length > 0 ? 'more than seed words' : 'no seed words';
    throw new UsageError(`${secrets.from} holds ${contents}; give private keys with --keys-file`);
  }
  const passphrase = await readPassphrase(line, secrets, io);
  const explained = <T>(work: () => T): T => withUsageErrors(work, (reason) => `${secrets.from}: ${reason}`);
  const masters = explained(() => [
    ...phrases.map((words) => masterKey(seedOfWords(words, { passphrase }), { ecc: context.ecc })),
    ...secrets.texts.filter(isExtended).map((text) => parseExtended(text, context)),
  ]);
  for (const key of masters) showFingerprint(key, io);
  const options = { network: context.network, ecc: context.ecc };
  const wifs = secrets.texts.filter((text) => !isWords(text) && !isExtended(text));
  const wallets = masters.flatMap((master, i) => {
    const kind = i < phrases.length ? 'seed words' : 'extended private key';
    const from = masters.length > 1 ? `${kind} ${formatHex(keyFingerprint(master))}` : kind;
    // Wallets have the addresses of a master key in either place; those of seed words are below accounts.
    const isAtRoot = master.depth === 0 && i >= phrases.length;
    const described = [...usualDescriptors(master, options), ...(isAtRoot ? descriptorsBelow(master) : [])];
    return described.map((descriptor) => ({ descriptor, name: `${from}, ${usualName(descriptor)}` }));
  });
  return {
    keys: [
      ...masters.flatMap((key) => heldKeyOf(key) ?? []),
      ...explained(() => wifs.map((text) => wifKey(text, context))),
    ],
    wallets,
  };
}

/** A wrong passphrase opens another wallet without an error. */
export function showFingerprint(key: Pick<ExtendedKey, 'depth' | 'publicKey'>, io: Io): void {
  const name = key.depth === 0 ? 'master key' : 'extended private key';
  io.writeError(`${name}: fingerprint ${formatHex(keyFingerprint(key))}\n`);
}

/** A key has no white space. */
export const isWords = (text: string): boolean => /[\s,;]/.test(text) || isPhrase(text);
const isExtended = (text: string): boolean => /^[A-Za-z](?:prv|tpv)[0-9A-Za-z]{20}/.test(text);

/** Prompts for a passphrase also after typed words. */
export async function readPassphrase(line: KeyValues, secrets: SecretTexts, io: Io): Promise<string> {
  const { passphraseFile: file, passphrasePrompt = false } = line;
  if (file !== undefined && passphrasePrompt) {
    throw new UsageError('give the passphrase in only one way: --passphrase-file or --passphrase-prompt');
  }
  const isGiven = file !== undefined || passphrasePrompt;
  if (!secrets.texts.some(isWords)) {
    if (isGiven) throw new UsageError('a passphrase needs seed words, and no seed words were given');
    return '';
  }
  if (file !== undefined) return readPasswordFile('--passphrase-file', file, io);
  if (!passphrasePrompt && !secrets.isTyped) return '';
  if (!io.isInteractive) throw new UsageError('no terminal to ask for the passphrase on: use --passphrase-file');
  return await io.ask('Passphrase of the seed words (not shown, empty for none): ', { isHidden: true });
}

function parseExtended(text: string, context: CommandContext): ExtendedKey {
  const { key } = parseAnyExtendedKey(text, context.network, context.ecc);
  if (!key.secretKey) throw new UsageError('an extended public key cannot sign');
  return key;
}

const wifKey = (text: string, { network, ecc = nobleEcc }: CommandContext): HeldKey =>
  heldKeyFrom(parseWif(text, network), ecc);
