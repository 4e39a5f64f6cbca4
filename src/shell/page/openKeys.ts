import { formatHex } from '../../core/bytes/hex.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { shownPath } from '../../core/encoding/redaction.ts';
import { isBtcError } from '../../core/errors.ts';
import { fingerprintOf, isExtended } from '../../core/holder/heldKey.ts';
import { parseAnyExtendedKey } from '../../core/keys/slip132.ts';
import { keyParts } from '../../core/keys/writtenKeys.ts';
import { resolveNetwork } from '../../core/network/networks.ts';
import type { AccountParts } from '../../kit/account/account.ts';
import type { KeyAccountOptions } from '../../kit/account/accountKeys.ts';
import { accountPartsFromWalletFile } from '../../kit/account/accountWalletFile.ts';
import { WALLET_FILE_FORMATS, type WalletFile } from '../../kit/account/walletFiles/walletFile.ts';
import { accountPartsOf } from '../../kit/open/accountOfKey.ts';
import { open } from '../../kit/open/open.ts';
import { type OpenedKey, openKeys } from '../../kit/open/openKeys.ts';
import type { KeysForm } from './protocol.ts';
import { refuse } from './refusals.ts';

export interface NamedParts {
  readonly parts: AccountParts;
  /** In quotes if it comes from a file, so that its maker cannot choose a name that the page gives to keys. */
  readonly name: string;
  /** What it was read from, unless the user gave keys: someone else may have made it. */
  readonly file?: WalletFile;
}

/** @throws as `openKeys`, `accountFromKey`, `accountFromWalletFile`; `page/refused` */
export function openTypedKeys(form: KeysForm & { readonly text: string }, ecc: Ecc): NamedParts {
  const { text: typed, passphrase = '', network, at, ...rest } = form;
  const text = typed.trim();
  if (text === '') refuse('No keys were entered: type or paste seed words, a private key or descriptors');
  const extended =
    keyParts(text)?.extended === text ? parseAnyExtendedKey(text, resolveNetwork(network), ecc) : undefined;
  if (extended && passphrase === '') {
    const kind = extended.key.secretKey ? 'Private key' : 'Public key';
    return named(partsOf({ kind: 'extended', ...extended }, { ...rest, network, ecc, ...(at && { at }) }), kind);
  }
  const opened = open(text, { network });
  if ('file' in opened) return openTypedWallet(opened.file, form, ecc);
  if (opened.kind === 'refused') throw opened.error;
  if (opened.kind === 'unknown' && opened.form !== undefined) refuse(`This is ${opened.form}`);
  const [key, ...more] = openKeys(text, { network, ecc, passphrase });
  if (!key || more.length > 0) return refuse('These are several keys: enter them one after the other');
  const parts = partsOf(key, { ...rest, network, ecc, ...(at && { at }) });
  return named(parts, NAMES[key.kind]);
}

const NAMES: Readonly<Record<OpenedKey['kind'], string>> = {
  seed: 'Seed words',
  electrum: 'Seed words of Electrum',
  extended: 'Private key',
  single: 'Private key',
};

function openTypedWallet(file: WalletFile, { passphrase = '', at, network, ...rest }: KeysForm, ecc: Ecc): NamedParts {
  if (passphrase !== '') refuse('A passphrase needs seed words, and these are not seed words: leave it empty');
  if (at !== undefined) refuse('Only master keys have addresses in two places: leave the place at “As the key says”');
  if (rest.account !== undefined && rest.account !== 0) {
    refuse('An account number applies to seed words and master keys only: leave it out');
  }
  if (file.network && file.network.name !== network) {
    refuse(`The descriptors are for ${file.network.name}, not for ${network}: choose that network`);
  }
  const { purpose } = rest;
  return namedFile(file, undefined, { ecc, ...(purpose !== undefined && purpose !== 48 && { purpose }) });
}

export function namedFile(
  file: WalletFile,
  name: string | undefined,
  options: Parameters<typeof accountPartsFromWalletFile>[1],
): NamedParts {
  const fileName = file.name ?? name;
  if (file.descriptors.length === 0 && file.silent.length > 0) {
    refuse(
      'This is an sp() descriptor of silent payments, which the page does not open: enter the seed words or the master key of the wallet instead',
    );
  }
  return {
    parts: accountPartsFromWalletFile(file, options),
    name: fileName === undefined ? WALLET_FILE_FORMATS[file.format] : `“${shownPath(fileName)}”`,
    file,
  };
}

function named(parts: AccountParts, kind: string): NamedParts {
  const [held] = parts.keys ?? [];
  return { parts, name: held && isExtended(held) ? `${kind} ${formatHex(fingerprintOf(held))}` : kind };
}

/** Opens a key as P2WPKH if neither it nor the user says otherwise. */
function partsOf(key: OpenedKey, options: KeyAccountOptions): AccountParts {
  try {
    return accountPartsOf(key, options);
  } catch (error) {
    if (isBtcError(error, 'account/at') && options.at === undefined) {
      refuse(
        'This is a master key: choose whether its addresses are below an account, or right below the key as those of Electrum',
      );
    }
    if (options.purpose !== undefined || !isBtcError(error, 'account/purpose')) throw error;
    return accountPartsOf(key, { ...options, purpose: 84 });
  }
}
