import { formatBase64 } from '../../core/bytes/base64.ts';
import { encode, varBytes } from '../../core/bytes/codec.ts';
import { concatBytes, equalBytes } from '../../core/bytes/compare.ts';
import { encodeUtf8 } from '../../core/bytes/utf8.ts';
import { type Ecc, signatureFault } from '../../core/crypto/ecc.ts';
import { chosenArithmetic, type EccOption } from '../../core/crypto/eccOption.ts';
import { hash160, sha256d } from '../../core/crypto/hash.ts';
import { recoverPublicKey } from '../../core/crypto/recoverPublicKey.ts';
import type { WifKey } from '../../core/keys/wif.ts';
import type { Network } from '../../core/network/networks.ts';
import { payToWitness } from '../../core/script/build.ts';

/** Plus the recovery id, plus 4 for a compressed key. */
const FIRST_HEADER = 27;
const COMPRESSED = 4;
export const SIGNATURE_SIZE = 65;

/** @see Bitcoin Core `MessageHash` */
function messageDigest(message: string, { messageMagic = 'Bitcoin Signed Message:\n' }: Network): Uint8Array {
  const parts = [messageMagic, message].map((text) => encode(varBytes, encodeUtf8(text)));
  return sha256d(concatBytes(...parts));
}

/**
 * Signs for a P2PKH address, as Core does: RFC6979 nonce, low s, no grinding for a low r. Returns base64.
 * @throws `ecc/secret-key`, `ecc/fault`
 * @see Bitcoin Core `MessageSign`
 */
export function signLegacyMessage(
  message: string,
  { secretKey, isCompressed }: WifKey,
  network: Network,
  options: EccOption = {},
): string {
  const ecc = chosenArithmetic(options);
  const first = FIRST_HEADER + (isCompressed ? COMPRESSED : 0);
  return formatBase64(signRecoverable(message, secretKey, { first, network, ecc }));
}

/** The headers that say which kind of address a compressed key signs for. @see BIP137 "Specification" */
const FIRST_HEADERS = { pkh: FIRST_HEADER + COMPRESSED, 'sh(wpkh)': 35, wpkh: 39 } as const;
const LAST_HEADER = 42;

/** Signs for the address of a compressed key as hardware wallets do. @throws `ecc/secret-key`, `ecc/fault` */
export function signBip137(
  message: string,
  secretKey: Uint8Array,
  { kind, ...signing }: { readonly kind: keyof typeof FIRST_HEADERS; readonly network: Network; readonly ecc: Ecc },
): Uint8Array {
  return signRecoverable(message, secretKey, { ...signing, first: FIRST_HEADERS[kind] });
}

function signRecoverable(
  message: string,
  secretKey: Uint8Array,
  { first, network, ecc }: { readonly first: number; readonly network: Network; readonly ecc: Ecc },
): Uint8Array {
  const digest = messageDigest(message, network);
  const signature = ecc.signEcdsa(digest, secretKey);
  const publicKey = ecc.publicKey(secretKey);
  const recoveryId = [0, 1, 2, 3].find((id) => {
    const recovered = recoverPublicKey(signature, digest, { recoveryId: id });
    return recovered !== undefined && equalBytes(recovered, publicKey);
  });
  if (recoveryId === undefined) throw signatureFault();
  return concatBytes(Uint8Array.of(first + recoveryId), signature);
}

interface SignedMessage {
  readonly message: string;
  readonly signature: Uint8Array;
  readonly network: Network;
}

/** A signed message, and the key that is said to have signed it. */
export interface LegacyMessage extends SignedMessage {
  /** HASH160 of the public key, compressed or not as the signature's header says. */
  readonly keyHash: Uint8Array;
}

/**
 * Returns whether the key with this hash signed a message. Like Core, accepts any header byte, and a high s.
 * @see Bitcoin Core `MessageVerify`
 */
export function verifyLegacyMessage({ message, signature, keyHash, network }: LegacyMessage): boolean {
  if (signature.length !== SIGNATURE_SIZE) return false;
  const flags = (signature[0] ?? 0) - FIRST_HEADER;
  const isCompressed = (flags & COMPRESSED) !== 0;
  const digest = messageDigest(message, network);
  const publicKey = recoverPublicKey(signature.slice(1), digest, { recoveryId: flags & 3, isCompressed });
  return publicKey !== undefined && equalBytes(hash160(publicKey), keyHash);
}

export function isRecoverable(signature: Uint8Array): boolean {
  const [header = 0] = signature;
  return signature.length === SIGNATURE_SIZE && header >= FIRST_HEADER && header <= LAST_HEADER;
}

interface SegwitMessage extends SignedMessage {
  readonly kind: 'p2wpkh' | 'p2sh-p2wpkh';
  /** Of the key, or of the redeem script. */
  readonly hash: Uint8Array;
}

/** How the key of an address is said to have signed; `header` if the header is that of another kind of address. */
export type SegwitVerdict = 'bip137' | 'electrum' | 'header';

/**
 * Tells how the key of an address signed; `undefined` if another key did, or another message. Trezor and Coldcard state the
 * kind of address in the header, and Sparrow where the user chooses BIP137; Electrum, and Sparrow otherwise, write that of a
 * compressed P2PKH key.
 */
export function judgeSegwitMessage(signed: SegwitMessage): SegwitVerdict | undefined {
  const { message, signature, kind, hash, network } = signed;
  const flags = (signature[0] ?? 0) - FIRST_HEADER;
  const digest = messageDigest(message, network);
  const publicKey = recoverPublicKey(signature.slice(1), digest, { recoveryId: flags & 3 });
  if (!publicKey) return undefined;
  const keyHash = hash160(publicKey);
  if (!equalBytes(kind === 'p2wpkh' ? keyHash : hash160(payToWitness(0, keyHash)), hash)) return undefined;
  const family = FIRST_HEADER + (flags & ~3);
  if (family === FIRST_HEADERS[kind === 'p2wpkh' ? 'wpkh' : 'sh(wpkh)']) return 'bip137';
  return family === FIRST_HEADERS.pkh ? 'electrum' : 'header';
}

/** Tells whether the key signed in its other form, compressed or not, which is another address. */
export function isOtherKeyForm({ signature, ...signed }: LegacyMessage): boolean {
  const [header = 0, ...rest] = signature;
  const other = FIRST_HEADER + ((header - FIRST_HEADER) ^ COMPRESSED);
  return isRecoverable(signature) && verifyLegacyMessage({ ...signed, signature: Uint8Array.of(other, ...rest) });
}
