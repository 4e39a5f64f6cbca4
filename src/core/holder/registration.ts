import { compactSize, encode, u8 } from '../bytes/codec.ts';
import { concatBytes } from '../bytes/compare.ts';
import { formatHex, parseHex } from '../bytes/hex.ts';
import { hmacSha256, hmacSha512, taggedHash } from '../crypto/hash.ts';
import type { PolicyTemplate } from '../descriptors/policyTemplate.ts';
import { withoutSecrets } from '../encoding/redaction.ts';
import { BtcError } from '../errors.ts';
import type { Network } from '../network/networks.ts';
import { fingerprintOf, type HeldKey } from './heldKey.ts';

/** What a registration binds: the exact policy, its name and network, and the wallets that it replaces. */
export interface RegisteredWallet extends PolicyTemplate {
  /** 1 to 64 printable ASCII characters. */
  readonly name: string;
  readonly network: Network;
  /** The ids of the wallets that it replaces, in hex. */
  readonly retires: readonly string[];
}

/** The proof that the holder of a root approved a wallet. Anybody may carry it. */
export interface Registration {
  readonly version: number;
  /** Of the root, in hex. */
  readonly fingerprint: string;
  /** HMAC-SHA256, in hex. */
  readonly token: string;
}

const REGISTRATION_VERSION = 1;

/** More than a wallet has cosigners. */
export const MOST_REGISTRATIONS = 16;

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const str = (text: string): Uint8Array => concatBytes(encode(compactSize, text.length), ascii(text));
const list = (items: readonly Uint8Array[]): Uint8Array => concatBytes(encode(compactSize, items.length), ...items);

const policyBytes = ({ template, keys, network }: Omit<RegisteredWallet, 'name' | 'retires'>): Uint8Array =>
  concatBytes(encode(u8, REGISTRATION_VERSION), str(network.name), str(template), list(keys.map(str)));

const policyHash = /* @__PURE__ */ taggedHash('countersign/policy');

/** Returns the id of a wallet in hex. Its name and what it retires are not part of it. */
export const walletId = (policy: Omit<RegisteredWallet, 'name' | 'retires'>): string =>
  formatHex(policyHash(policyBytes(policy)));

const NAME = /^[ -~]{1,64}$/;

/** Tells whether a text can be the name of a registered wallet. */
export const isWalletName = (text: string): boolean => NAME.test(text) && text.trim() === text;

const LABEL = /* @__PURE__ */ ascii('countersign wallet registration');
const NO_CHAIN_CODE = /* @__PURE__ */ new Uint8Array(32);

/** Computes the token of a wallet. Never leaves the holder but as a whole registration. */
function tokenOf(root: HeldKey, wallet: RegisteredWallet): Uint8Array {
  const message = concatBytes(policyBytes(wallet), list(wallet.retires.map((id) => parseHex(id))), str(wallet.name));
  const secret = concatBytes(root.key.chainCode ?? NO_CHAIN_CODE, root.key.secretKey);
  const key = hmacSha512(LABEL, secret).slice(0, 32);
  return hmacSha256(key, message);
}

/** @throws `holder/name` for a name that is empty, too long or not ASCII, or that may be a secret */
export function registerWallet(root: HeldKey, wallet: RegisteredWallet): Registration {
  if (!isWalletName(wallet.name)) {
    const message = 'The name of a wallet has 1 to 64 printable ASCII characters, and no space at either end';
    throw new BtcError('holder/name', {}, message);
  }
  if (withoutSecrets(wallet.name) !== wallet.name) {
    const message = 'The name of a wallet must not look like a key or seed words: whoever sees the file reads it';
    throw new BtcError('holder/name', {}, message);
  }
  return {
    version: REGISTRATION_VERSION,
    fingerprint: formatHex(fingerprintOf(root)),
    token: formatHex(tokenOf(root, wallet)),
  };
}

/** `other-root`: made by another seed, passphrase or version. */
export type RegistrationVerdict = 'valid' | 'invalid' | 'other-root';

/** Judges a registration by one root, without an early exit. */
export function verifyRegistration(
  root: HeldKey,
  wallet: RegisteredWallet,
  { version, fingerprint, token }: Registration,
): RegistrationVerdict {
  if (version !== REGISTRATION_VERSION || fingerprint !== formatHex(fingerprintOf(root))) return 'other-root';
  if (!isWalletName(wallet.name)) return 'invalid';
  const expected = formatHex(tokenOf(root, wallet));
  let difference = expected.length ^ token.length;
  for (let i = 0; i < expected.length; i += 1) difference |= expected.charCodeAt(i) ^ token.charCodeAt(i);
  return difference === 0 ? 'valid' : 'invalid';
}
