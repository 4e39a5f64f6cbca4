import { readdirSync, readFileSync } from 'node:fs';
import { parseWalletFile } from '../../src/account/index.ts';
import { formatDescriptor, networks } from './library.ts';
import { refusalOf } from './refusal.ts';

const folder = new URL('../../vectors/wallets/', import.meta.url);

/** The names of the recorded wallet files. */
export const WALLET_FILES: readonly string[] = readdirSync(folder);

/** Reads a recorded wallet file. */
export const walletFile = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

/** Formats the descriptors of a wallet file, without its private keys. */
export function descriptorsOf(text: string | Uint8Array): readonly string[] {
  const { descriptors, network = networks.testnet3 } = parseWalletFile(text);
  return descriptors.map((descriptor) => formatDescriptor(descriptor, network));
}

/** Returns the reason for which a wallet file is refused, after the name of its format. */
export function reasonOf(text: string | Uint8Array): string {
  const { code, data } = refusalOf(() => parseWalletFile(text));
  const { format, reason } = data as { readonly format?: string; readonly reason?: string };
  if (reason === undefined) return code;
  return format === undefined ? reason : `${format}: ${reason}`;
}
