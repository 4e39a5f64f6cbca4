import { WALLET_FILE_FORMATS } from '../account/walletFiles/walletFile.ts';
import type { Opened, RefusedKind, SecretKind } from './open.ts';

export const SECRET_NAMES: Readonly<Record<SecretKind, string>> = {
  words: 'seed words',
  'seed-qr': 'a SeedQR, which stands for seed words',
  'extended-key': 'an extended private key',
  wif: 'a private key',
  'encrypted-key': 'a private key encrypted with a passphrase (BIP38)',
  codex32: 'a codex32 string (BIP93), which stands for a seed',
  minikey: 'a minikey, which stands for a private key',
  descriptors: 'descriptors with private keys',
  'wallet-file': 'a wallet file with private keys',
};

const MEANT: Readonly<Record<RefusedKind, string>> = {
  psbt: 'a PSBT',
  wallet: 'a wallet file',
  payment: 'a payment URI',
  labels: 'a label file',
  message: 'a signed message',
};

/**
 * Continues "It is" with the name of what was opened, or with what it is meant to be and why it cannot be read. Never quotes a
 * secret. Returns `undefined` if nothing is known.
 */
export function openedText(opened: Opened): string | undefined {
  switch (opened.kind) {
    case 'psbt':
      return 'a PSBT';
    case 'transaction':
      return 'a transaction';
    case 'wallet':
      return `a wallet file (${WALLET_FILE_FORMATS[opened.file.format]})`;
    case 'signers':
      return `one signer’s ${opened.file.signers.length > 1 ? 'keys' : 'key'} for a multisig, which needs the keys of all its signers`;
    case 'secret':
      return SECRET_NAMES[opened.secret];
    case 'address':
      return 'an address';
    case 'payment':
      return 'a payment URI';
    case 'labels':
      return 'a label file (BIP329)';
    case 'message':
      return 'a signed message';
    case 'code':
      return 'a QR code';
    case 'hex':
      return 'hex, but not of a PSBT or a transaction';
    case 'refused':
      return `${MEANT[opened.what]} that cannot be read: ${opened.error.message}`;
    default:
      return opened.form;
  }
}
