import type { Ecc } from '../../core/crypto/ecc.ts';
import { derivePath, type ExtendedKey, keyFingerprint } from '../../core/keys/bip32.ts';
import { HARDENED, type KeyOrigin } from '../../core/keys/path.ts';
import type { Network } from '../../core/network/networks.ts';

/** @see SLIP-0044: 0 for Bitcoin, 1 for every test network, 2 for Litecoin */
export function coinType({ isMain, ticker }: Network): number {
  if (!isMain) return 1;
  return ticker === 'LTC' ? 2 : 0;
}

/** Derives the key of an account. @see BIP44 "Path levels" */
export function accountBelow(
  master: ExtendedKey,
  purpose: number,
  { network, account, ecc }: { readonly network: Network; readonly account: number; readonly ecc: Ecc },
): { readonly key: ExtendedKey; readonly origin: KeyOrigin } {
  const path = [purpose, coinType(network), account].map((step) => step + HARDENED);
  return { key: derivePath(master, path, { ecc }), origin: { fingerprint: keyFingerprint(master), path } };
}
