import { formatHex } from '../../../core/bytes/hex.ts';
import { BtcError, type ErrorCode, isBtcError } from '../../../core/errors.ts';
import type { HeldKey } from '../../../core/holder/heldKey.ts';
import type { OfferedWallet } from '../../../core/holder/heldWallets.ts';
import { keyFingerprint } from '../../../core/keys/bip32.ts';
import { usualName } from '../../../kit/account/accountKeys.ts';
import { heldOf, usualWallets } from '../../../kit/open/accountOfKey.ts';
import { type Opened, open } from '../../../kit/open/open.ts';
import { type OpenedKey, openKeys, takesPassphrase } from '../../../kit/open/openKeys.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import type { CommandContext } from '../openContext.ts';
import { writeNote } from '../output/writeNote.ts';
import { SECRET_OPTIONS } from './contentText.ts';
import { OF_WORDS, readPassphrase } from './passphrase.ts';
import { type GivenSecret, type KeyValues, readSecret } from './secretFiles.ts';
import { unknownWordLines } from './wordFaults.ts';

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
    wallets: opened.flatMap((key) =>
      usualWallets(key, options).map((descriptor) => ({
        descriptor,
        name: `${nameOf(key, isOne)}, ${usualName(descriptor)}`,
      })),
    ),
  };
}

const isExtended = (opened: OpenedKey): opened is Exclude<OpenedKey, { kind: 'single' }> => opened.kind !== 'single';

function nameOf(opened: OpenedKey, isOne: boolean): string {
  const kind = opened.kind === 'extended' ? 'extended private key' : 'seed words';
  return isOne || !isExtended(opened) ? kind : `${kind} ${formatHex(keyFingerprint(opened.key))}`;
}

interface Reading {
  /** The keys are for a wallet to receive with: a passphrase is asked for twice. */
  readonly isNew?: boolean;
}

/** Reads keys in any form, and asks for a passphrase where one belongs. */
export async function readOpenedKeys(
  line: KeyValues,
  context: CommandContext,
  io: Io,
  { isNew = false }: Reading = {},
): Promise<readonly OpenedKey[]> {
  const { network, ecc } = context;
  const secret = await readReadableSecret(line, context, io);
  const form = open(secret.content, { network });
  if (form.kind === 'unknown' && form.form === 'empty') throw new UsageError(`${secret.from}: no keys were given`);
  if (line.seedFile !== undefined && !mayBeSeed(form))
    throw new UsageError(`${secret.from} holds no seed words; give private keys with --keys-file`);
  // Refuses words before it asks for their passphrase.
  const plain = withoutPassphrase(secret.content, context);
  if ('fault' in plain) throw new UsageError(`${secret.from}: ${plain.fault.message}${mendingAdvice(plain.fault)}`);
  const isEncrypted = form.kind === 'secret' && form.secret === 'encrypted-key';
  const isAsked = isEncrypted || (secret.isTyped && form.kind === 'secret' && takesPassphrase(form.secret));
  const of = isEncrypted ? 'the key (not shown)' : OF_WORDS;
  const passphrase = await readPassphrase(line, { of, isAsked, isNew: isNew && !isEncrypted }, io);
  if (passphrase === '' && plain.keys) return plain.keys;
  return withUsageErrors(
    () => openKeys(secret.content, { network, ecc, passphrase }),
    (reason) => `${secret.from}: ${reason}`,
  );
}

const MOST_TRIES = 3;

/** Asks again for typed keys that cannot be read, and says why. */
async function readReadableSecret(line: KeyValues, context: CommandContext, io: Io): Promise<GivenSecret> {
  const read = () => readSecret(line, io, { takesWords: true, network: context.network.name });
  let secret = await read();
  for (let tries = 1; tries < MOST_TRIES && secret.isTyped && secret.content.length > 0; tries += 1) {
    const plain = withoutPassphrase(secret.content, context);
    if (!('fault' in plain)) break;
    const { fault } = plain;
    const lines = isBtcError(fault, 'words/unknown') ? unknownWordLines(new TextDecoder().decode(secret.content)) : [];
    for (const text of lines.length > 0 ? lines : [fault.message]) writeNote(text, io);
    secret = await read();
  }
  return secret;
}

/** Opens keys without a passphrase, or says why none would open them. An encrypted key, which needs one, stays closed. */
export function withoutPassphrase(
  content: Uint8Array,
  { network, ecc }: CommandContext,
): { readonly fault: BtcError } | { readonly keys?: readonly OpenedKey[] } {
  const opened = open(content, { network });
  if (opened.kind === 'secret' && opened.secret === 'encrypted-key') return {};
  try {
    return { keys: openKeys(content, { network, ecc }) };
  } catch (error) {
    if (error instanceof BtcError) return { fault: error };
    throw error;
  }
}

const mendingAdvice = (fault: BtcError): string =>
  isMendable(fault) ? '; "countersign words" helps to mend them' : '';

/** Tells whether `countersign words` may find what is wrong with seed words. */
export const isMendable = ({ code }: BtcError): boolean => MENDABLE.has(code);

const MENDABLE: ReadonlySet<ErrorCode> = new Set(['words/count', 'words/unknown', 'words/checksum']);

/** Tells secrets of other forms than a seed. */
export const mayBeSeed = (opened: Opened): boolean =>
  opened.kind !== 'secret' || SECRET_OPTIONS[opened.secret] === '--seed-file';

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
