import { readdirSync, readFileSync } from 'node:fs';
import { parseWalletFile } from '../../src/kit/account/index.ts';
import { formatDescriptor, networks } from './library.ts';

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
