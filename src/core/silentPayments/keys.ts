import { withSecretKey } from '../crypto/concealed.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { derivePath, type ExtendedKey } from '../keys/bip32.ts';
import { ACCOUNT_DEPTH, HARDENED, type KeyOrigin } from '../keys/path.ts';

/** The keys of a wallet of silent payments. Logs do not show the private ones, and spreads leave them out. */
export interface SilentPaymentKeys {
  /** Finds payments. */
  readonly scan: { readonly publicKey: Uint8Array; readonly secretKey: Uint8Array };
  /** Spends them, if its private key is known. */
  readonly spend: { readonly publicKey: Uint8Array; readonly secretKey?: Uint8Array };
  readonly spendOrigin?: KeyOrigin;
  /** The key from which both derive along BIP352's paths, if they do. */
  readonly origin?: KeyOrigin;
}

const SCAN_BRANCH = 1 + HARDENED;
const SCAN_PATH = [SCAN_BRANCH, 0];
const SPEND_PATH = [0 + HARDENED, 0];

/**
 * Recognizes a path below a key that leads to a scan key, `m/352h/coin/account/1h`, whatever purpose it states: a key
 * below the master does not show its own.
 */
export const mayLeadToScanKey = ({ depth }: Pick<ExtendedKey, 'depth'>, path: readonly number[]): boolean =>
  path[ACCOUNT_DEPTH - depth] === SCAN_BRANCH;

/** Returns the origins of both keys below that of an account. */
export const originsBelow = ({ fingerprint, path }: KeyOrigin): Readonly<Record<'scan' | 'spend', KeyOrigin>> => ({
  scan: { fingerprint, path: [...path, ...SCAN_PATH] },
  spend: { fingerprint, path: [...path, ...SPEND_PATH] },
});

/**
 * Derives both keys from the private key of an account, `m/352h/coin/account`.
 * @throws `xkey/underivable` without its private key
 * @see BIP352 "Key Derivation"
 */
export function keysBelow(account: ExtendedKey, origin: KeyOrigin, ecc: Ecc): SilentPaymentKeys {
  const [scan, spend] = [SCAN_PATH, SPEND_PATH].map((path) => {
    const { publicKey, secretKey = NO_KEY } = derivePath(account, path, { ecc });
    return withSecretKey({ publicKey }, secretKey);
  }) as [SilentPaymentKeys['scan'], SilentPaymentKeys['scan']];
  return { scan, spend, origin, spendOrigin: originsBelow(origin).spend };
}

/** Hardened steps have no other. */
const NO_KEY = /* @__PURE__ */ new Uint8Array(0);
