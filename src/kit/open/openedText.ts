import { WALLET_FILE_FORMATS, type WalletFile } from '../account/walletFiles/walletFile.ts';
import type { Opened, SecretKind } from './open.ts';

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

/**
 * Continues "It is" with the name of what was opened. Never quotes a secret. Returns `undefined` for what is not known, and for
 * what is refused, whose error says it all.
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
      return `${signersText(opened.file)} for a multisig, which needs the keys of all its signers`;
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
    case 'unknown':
      return opened.form;
    default:
      return undefined;
  }
}

function signersText({ signers, fingerprints }: WalletFile): string {
  if (fingerprints.length > 1) return `the keys of ${fingerprints.length} signers`;
  return signers.length > 1 ? 'one signer’s keys' : 'one signer’s key';
}
