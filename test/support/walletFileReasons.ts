import { parseWalletFile } from '../../src/kit/account/index.ts';
import { refusalOf } from './refusal.ts';

/** Returns the reason for which a wallet file is refused, after the name of its format. */
export function reasonOf(text: string | Uint8Array): string {
  const { code, data } = refusalOf(() => parseWalletFile(text));
  const { format, reason } = data as { readonly format?: string; readonly reason?: string };
  if (reason === undefined) return code;
  return format === undefined ? reason : `${format}: ${reason}`;
}
