import { concatBytes } from '../bytes/compare.ts';
import { BtcError } from '../errors.ts';
import type { Network } from '../network/networks.ts';
import { formatBase58Check, parseBase58Check } from '../text/base58check.ts';

const SECRET_SIZE = 32;
const COMPRESSED_MARK = 0x01;
/** The order of secp256k1's group, high byte first. */
const ORDER = 0xffffffff_ffffffff_ffffffff_fffffffe_baaedce6_af48a03b_bfd25e8c_d0364141n;

/** A private key and the form of public key that it is meant for. */
export interface WifKey {
  /** 32 bytes, a number from 1 to the group order minus 1. */
  readonly secretKey: Uint8Array;
  readonly isCompressed: boolean;
}

/** Whether 32 bytes are a private key at all: not zero, below the group order. */
function isSecretKey(bytes: Uint8Array): boolean {
  const value = bytes.reduce((number, byte) => number * 256n + BigInt(byte), 0n);
  return value > 0n && value < ORDER;
}

/**
 * Parses a private key in wallet import format. The key never appears in an error.
 * @throws `wif/invalid`, `base58/invalid`
 * @see Bitcoin Core `DecodeSecret`
 */
export function parseWif(text: string, network: Network): WifKey {
  const payload = parseBase58Check(text, 1 + SECRET_SIZE + 1);
  const isCompressed = payload.length === SECRET_SIZE + 2 && payload[SECRET_SIZE + 1] === COMPRESSED_MARK;
  if (payload[0] !== network.wif) throw new BtcError('wif/invalid', { reason: 'prefix' });
  if (payload.length !== SECRET_SIZE + 1 && !isCompressed) throw new BtcError('wif/invalid', { reason: 'length' });
  const secretKey = payload.slice(1, 1 + SECRET_SIZE);
  if (!isSecretKey(secretKey)) throw new BtcError('wif/invalid', { reason: 'range' });
  return { secretKey, isCompressed };
}

/** Formats a private key in wallet import format. */
export function formatWif({ secretKey, isCompressed }: WifKey, network: Network): string {
  const mark = isCompressed ? Uint8Array.of(COMPRESSED_MARK) : new Uint8Array(0);
  return formatBase58Check(concatBytes(Uint8Array.of(network.wif), secretKey, mark));
}
