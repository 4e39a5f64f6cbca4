import { formatHex } from '../../core/bytes/hex.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { shownPath } from '../../core/encoding/redaction.ts';
import { isPhrase, unreadKeyForm } from '../../core/encoding/writtenSecrets.ts';
import { isBtcError } from '../../core/errors.ts';
import { fingerprintOf, isExtended } from '../../core/holder/heldKey.ts';
import { masterKey } from '../../core/keys/bip32.ts';
import { seedOfWords } from '../../core/keys/seedWords.ts';
import { resolveNetwork } from '../../core/network/networks.ts';
import type { AccountParts } from '../../kit/account/account.ts';
import { accountPartsFromKey, accountPartsFromMaster, type KeyAccountOptions } from '../../kit/account/accountKeys.ts';
import { accountPartsFromWalletFile } from '../../kit/account/accountWalletFile.ts';
import { WALLET_FILE_FORMATS, type WalletFile } from '../../kit/account/walletFiles/walletFile.ts';
import { readWalletFile } from '../../kit/recognize/recognize.ts';
import type { KeysForm } from './protocol.ts';
import { refuse } from './refusals.ts';

export interface NamedParts {
  readonly parts: AccountParts;
  /** In quotes if it comes from a file, so that its maker cannot choose a name that the page gives to keys. */
  readonly name: string;
  /** What it was read from, unless the user gave keys: someone else may have made it. */
  readonly file?: WalletFile;
}

/** Seed words as people write them; a longer text is something else. */
const WORDS = /^[\p{L}\p{M}\s,;.'"-]{1,1000}$/u;
const KEY = /^(?:[A-Za-z](?:prv|tpv|pub|tub)[0-9A-Za-z]{20,120}|[0-9A-Za-z]{51,52})$/;

/** @throws as `accountFromWords`, `accountFromKey`, `accountFromWalletFile`; `page/refused` */
export function openKeys(
  { text: typed, passphrase = '', network, at, ...rest }: KeysForm & { readonly text: string },
  ecc: Ecc,
): NamedParts {
  const text = typed.trim();
  if (text === '') refuse('No keys were entered: type or paste seed words, a private key or descriptors');
  const options = { ...rest, network, ecc };
  if (isPhrase(text) || WORDS.test(text)) {
    const seed = seedOfWords(text, { passphrase });
    const master = masterKey(seed, { ecc });
    seed.fill(0);
    return named(accountPartsFromMaster(master, options), 'Seed words');
  }
  if (passphrase !== '') refuse('A passphrase needs seed words, and these are not seed words: leave it empty');
  const form = unreadKeyForm(text);
  if (form !== undefined) refuse(`This is ${form}`);
  if (KEY.test(text)) {
    const parts = accountPartsFromAnyKey(text, { ...options, ...(at && { at }) });
    return named(parts, /^.(?:pub|tub)/.test(text) ? 'Public key' : 'Private key');
  }
  if (at !== undefined) refuse('Only master keys have addresses in two places: leave the place at “As the key says”');
  if (rest.account !== undefined && rest.account !== 0) {
    refuse('An account number applies to seed words and master keys only: leave it out');
  }
  const file = readWalletFile(text, resolveNetwork(network));
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
function accountPartsFromAnyKey(text: string, options: KeyAccountOptions): AccountParts {
  try {
    return accountPartsFromKey(text, options);
  } catch (error) {
    if (isBtcError(error, 'account/at') && options.at === undefined) {
      refuse(
        'This is a master key: choose whether its addresses are below an account, or right below the key as those of Electrum',
      );
    }
    if (options.purpose !== undefined || !isBtcError(error, 'account/purpose')) throw error;
    return accountPartsFromKey(text, { ...options, purpose: 84 });
  }
}
