import { BtcError, unlessRefused } from '../../../core/errors.ts';
import type { Network } from '../../../core/network/networks.ts';
import { WALLET_FILE_FORMATS } from '../../../kit/account/walletFiles/walletFile.ts';
import { type Recognized, recognize } from '../../../kit/recognize/recognize.ts';
import { withUsageErrors } from '../../terminal/usageError.ts';
import { SECRETS } from './secretText.ts';

/** Continues "it is" with the name of a recognized content and where to give it. Never quotes the content. */
export function contentText(content: Uint8Array, network: Network): string | undefined {
  try {
    return describe(recognize(content, { network }));
  } catch (error) {
    if (error instanceof BtcError) return `damaged: ${error.message}`;
    throw error;
  }
}

function describe(recognized: Recognized): string | undefined {
  switch (recognized.kind) {
    case 'psbt':
      return 'a PSBT';
    case 'transaction':
      return 'a transaction; "countersign inspect" shows it';
    case 'wallet':
      return `a wallet file (${WALLET_FILE_FORMATS[recognized.file.format]}); give it with --descriptors-file`;
    case 'secret':
      return SECRETS[recognized.secret];
    case 'address':
      return 'an address';
    case 'payment':
      return 'a payment URI; "countersign inspect" shows it';
    case 'code':
      return 'a QR code';
    default:
      return recognized.form;
  }
}

/** Adds the file's name to errors about a wallet file, and advice where it is a secret. Quotes no key. */
export function explainWallet<T>(
  { name, content }: { readonly name: string; readonly content: Uint8Array },
  network: Network,
  work: () => T,
): T {
  return withUsageErrors(work, (reason) => {
    const recognized = unlessRefused(() => recognize(content, { network }));
    return recognized?.kind === 'secret' ? `${name} is ${SECRETS[recognized.secret]}` : `${name}: ${reason}`;
  });
}
