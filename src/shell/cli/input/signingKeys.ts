import { formatHex } from '../../../core/bytes/hex.ts';
import type { HeldKey } from '../../../core/holder/heldKey.ts';
import type { OfferedWallet } from '../../../core/holder/heldWallets.ts';
import { keyFingerprint } from '../../../core/keys/bip32.ts';
import { heldOf, usualWallets } from '../../../kit/open/accountOfKey.ts';
import { open, type SecretKind } from '../../../kit/open/open.ts';
import { type OpenedKey, openKeys } from '../../../kit/open/openKeys.ts';
import type { Io } from '../../terminal/io.ts';
import { readPasswordFile } from '../../terminal/password.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import type { CommandContext } from '../openContext.ts';
import { type GivenSecret, type KeyValues, readSecret } from './secretFiles.ts';

/** Keys that the person gave, and the wallets that they imply. */
export interface SigningKeys {
  readonly keys: readonly HeldKey[];
  readonly wallets: readonly OfferedWallet[];
}

/** Reads keys or seed words in any form, and quotes none in errors. Shows each master key's fingerprint. */
export async function readSigningKeys(line: KeyValues, context: CommandContext, io: Io): Promise<SigningKeys> {
  const opened = await readOpenedKeys(line, context, io);
  showFingerprints(opened, io);
  const options = { network: context.network, ecc: context.ecc };
  const isOne = opened.filter(isExtended).length < 2;
  return {
    keys: opened.map((key) => {
      const held = heldOf(key, options);
      if (!held) throw new UsageError('an extended public key cannot sign');
      return held;
    }),
    wallets: opened.flatMap((key) => usualWallets(key, nameOf(key, isOne), options)),
  };
}

const isExtended = (opened: OpenedKey): opened is Exclude<OpenedKey, { kind: 'single' }> => opened.kind !== 'single';

function nameOf(opened: OpenedKey, isOne: boolean): string {
  const kind = opened.kind === 'extended' ? 'extended private key' : 'seed words';
  return isOne || !isExtended(opened) ? kind : `${kind} ${formatHex(keyFingerprint(opened.key))}`;
}

/** Reads keys in any form, and asks for a passphrase where one belongs. */
export async function readOpenedKeys(
  line: KeyValues,
  { network, ecc }: CommandContext,
  io: Io,
): Promise<readonly OpenedKey[]> {
  const secret = await readSecret(line, io, { takesWords: true, network: network.name });
  const explained = <T>(work: () => T): T => withUsageErrors(work, (reason) => `${secret.from}: ${reason}`);
  const form = open(secret.content, { network });
  if (form.kind === 'unknown' && form.form === 'empty') throw new UsageError(`${secret.from}: no keys were given`);
  const isSeed = form.kind !== 'secret' || SEEDS.has(form.secret);
  if (line.seedFile !== undefined && !isSeed)
    throw new UsageError(`${secret.from} holds no seed words; give private keys with --keys-file`);
  const passphrase = await readPassphrase(line, secret, io);
  return explained(() => openKeys(secret.content, { network, ecc, passphrase }));
}

const SEEDS: ReadonlySet<SecretKind> = new Set(['words', 'seed-qr', 'codex32']);

/** A wrong passphrase opens another wallet without an error. */
export function showFingerprints(opened: readonly OpenedKey[], io: Io): void {
  for (const { kind, key } of opened.filter(isExtended)) {
    const name =
      kind === 'electrum'
        ? 'master key of a seed of Electrum'
        : key.depth === 0
          ? 'master key'
          : 'extended private key';
    io.writeError(`${name}: fingerprint ${formatHex(keyFingerprint(key))}\n`);
  }
}

/** Prompts for a passphrase also after typed words, and for an encrypted key, which needs one. */
async function readPassphrase(line: KeyValues, { content, isTyped }: GivenSecret, io: Io): Promise<string> {
  const { passphraseFile: file, passphrasePrompt = false } = line;
  if (file !== undefined && passphrasePrompt) {
    throw new UsageError('give the passphrase in only one way: --passphrase-file or --passphrase-prompt');
  }
  const opened = open(content);
  const form = opened.kind === 'secret' ? opened.secret : undefined;
  if (file !== undefined) return readPasswordFile('--passphrase-file', file, io);
  const isAsked = passphrasePrompt || form === 'encrypted-key' || (isTyped && form === 'words');
  if (!isAsked) return '';
  if (!io.isInteractive) throw new UsageError('no terminal to ask for the passphrase on: use --passphrase-file');
  const of = form === 'encrypted-key' ? 'the key (not shown)' : 'the seed words (not shown, empty for none)';
  return await io.ask(`Passphrase of ${of}: `, { isHidden: true });
}
