import type { Network } from '../../../core/network/networks.ts';
import { type Opened, open, type SecretKind } from '../../../kit/open/open.ts';
import { openedText } from '../../../kit/open/openedText.ts';
import { withUsageErrors } from '../../terminal/usageError.ts';

/** The option that takes each secret. */
export const SECRET_OPTIONS: Readonly<Record<SecretKind, string>> = {
  words: '--seed-file',
  'seed-qr': '--seed-file',
  codex32: '--seed-file',
  'extended-key': '--keys-file',
  wif: '--keys-file',
  'encrypted-key': '--keys-file',
  minikey: '--keys-file',
  descriptors: '--descriptors-file',
  'wallet-file': '--descriptors-file',
};

const PLURAL: ReadonlySet<SecretKind> = new Set(['words', 'descriptors']);

/** Says where a content belongs, if it was given elsewhere. */
function placeOf(opened: Opened): string {
  switch (opened.kind) {
    case 'secret':
      return `; commands that sign take ${PLURAL.has(opened.secret) ? 'them' : 'it'} with ${SECRET_OPTIONS[opened.secret]}`;
    case 'wallet':
      return '; commands that sign take it with --descriptors-file';
    case 'signers':
      return ': "countersign quorum" makes the wallet';
    case 'transaction':
    case 'payment':
      return '; "countersign inspect" shows it';
    case 'labels':
      return '; "countersign labels" reads it';
    case 'message':
      return '; "countersign verifymessage --bip322 --file" verifies it';
    default:
      return '';
  }
}

/** Continues "it is" with the name of what was opened and where to give it. Never quotes the content. */
export function contentText(opened: Opened): string | undefined {
  const text = openedText(opened);
  return text === undefined ? undefined : `${text}${placeOf(opened)}`;
}

/** Adds the file's name to errors about a wallet file, and says what another content is. Quotes no key. */
export function explainWallet<T>(
  { name, content }: { readonly name: string; readonly content: Uint8Array },
  network: Network,
  work: () => T,
): T {
  return withUsageErrors(work, (reason) => {
    const opened = open(content, { network });
    if (opened.kind === 'refused' && opened.what !== 'wallet') return `${name}: ${opened.error.message}`;
    const other = isWallet(opened) ? undefined : contentText(opened);
    return other === undefined ? `${name}: ${reason}` : `${name} is ${other}`;
  });
}

const isWallet = (opened: Opened): boolean =>
  opened.kind === 'wallet' || (opened.kind === 'secret' && 'file' in opened);
