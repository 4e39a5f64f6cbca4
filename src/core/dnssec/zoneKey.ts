import { bytesKey, concatBytes } from '../bytes/compare.ts';
import { type Reader, readU8 } from '../bytes/reader.ts';
import { sha256, sha384, sha512 } from '../crypto/hash.ts';
import { verifyEd25519, verifyP256, verifyP384 } from '../crypto/otherCurves.ts';
import { isUsableRsaKey, type RsaPublicKey, verifyRsa } from '../crypto/rsa.ts';
import { parsed, readRest, readU16 } from './chain.ts';
import { type DomainName, encodeDomainName } from './domainName.ts';

/** A key of a zone that may sign its records. @see RFC 4034 §2 */
export interface ZoneKey {
  /** All of the record's data. */
  readonly record: Uint8Array;
  readonly tag: number;
  readonly algorithm: number;
  readonly key: Uint8Array;
  /** False for an algorithm or a size that is not accepted here. */
  readonly isAccepted: boolean;
}

/** Vouches for a key of a zone: a DS record of the zone above, or an anchor of trust. @see RFC 4034 §5 */
export interface KeyDigest {
  readonly keyTag: number;
  readonly algorithm: number;
  readonly digestType: number;
  readonly digest: Uint8Array;
}

interface Algorithm {
  /** What a verification costs, about in those of secp256k1. */
  readonly weight: number;
  readonly isKey: (key: Uint8Array) => boolean;
  readonly verify: (signature: Uint8Array, message: Uint8Array, key: Uint8Array) => boolean;
}

const rsa = (hash: 'sha256' | 'sha512', digest: (message: Uint8Array) => Uint8Array): Algorithm => ({
  weight: 1,
  isKey: (key) => isUsableRsaKey(readRsaKey(key)),
  verify: (signature, message, key) => verifyRsa(signature, digest(message), { key: readRsaKey(key), hash }),
});

const ecdsa = (
  size: number,
  weight: number,
  verify: (signature: Uint8Array, message: Uint8Array, point: Uint8Array) => boolean,
): Algorithm => ({
  weight,
  isKey: ({ length }) => length === size,
  verify: (signature, message, key) => verify(signature, message, concatBytes(UNCOMPRESSED, key)),
});

const UNCOMPRESSED = /* @__PURE__ */ Uint8Array.of(4);

/** By number; those of SHA-1, DSA and GOST are not accepted. @see RFC 5702, 6605, 8080, 8624; BIP353 "Resolution" */
const ALGORITHMS: Readonly<Record<number, Algorithm>> = {
  8: rsa('sha256', sha256),
  10: rsa('sha512', sha512),
  13: ecdsa(64, 2, (signature, message, point) => verifyP256(signature, sha256(message), point)),
  14: ecdsa(96, 4, (signature, message, point) => verifyP384(signature, sha384(message), point)),
  15: { weight: 1, isKey: ({ length }) => length === 32, verify: verifyEd25519 },
};

/** By number; SHA-1 is not accepted. @see RFC 4509, 6605 */
const DIGESTS: Readonly<Record<number, (bytes: Uint8Array) => Uint8Array>> = { 2: sha256, 4: sha384 };

export const isSupported = ({ algorithm, digestType }: KeyDigest): boolean =>
  ALGORITHMS[algorithm] !== undefined && DIGESTS[digestType] !== undefined;

/** The length of the exponent takes one byte, or a zero and two. @see RFC 3110 §2 */
function readRsaKey(key: Uint8Array): RsaPublicKey {
  const isLong = key[0] === 0;
  const length = isLong ? ((key[1] ?? 0) << 8) | (key[2] ?? 0) : (key[0] ?? 0);
  const start = isLong ? 3 : 1;
  return { exponent: key.slice(start, start + length), modulus: key.slice(start + length) };
}

const ZONE = 0x0100;
const REVOKED = 0x0080;
const DNSSEC = 3;

/** Parses a DNSKEY record; `undefined` if it may not sign records of its zone. */
export function parseZoneKey(record: Uint8Array): ZoneKey | undefined {
  const { flags, protocol, algorithm, key } = parsed(record, readZoneKey);
  const isForZone = (flags & ZONE) !== 0 && (flags & REVOKED) === 0 && protocol === DNSSEC;
  const isAccepted = ALGORITHMS[algorithm]?.isKey(key) ?? false;
  return isForZone ? { record, tag: keyTag(record), algorithm, key, isAccepted } : undefined;
}

const readZoneKey = (reader: Reader) => ({
  flags: readU16(reader),
  protocol: readU8(reader),
  algorithm: readU8(reader),
  key: readRest(reader),
});

/** @see RFC 4034 appendix B */
function keyTag(record: Uint8Array): number {
  const sum = record.reduce((total, byte, i) => total + (i % 2 === 0 ? byte << 8 : byte), 0);
  return (sum + ((sum >> 16) & 0xffff)) & 0xffff;
}

export const parseKeyDigest = (record: Uint8Array): KeyDigest =>
  parsed(record, (reader) => ({
    keyTag: readU16(reader),
    algorithm: readU8(reader),
    digestType: readU8(reader),
    digest: readRest(reader),
  }));

/**
 * Finds the keys of a zone that digests vouch for. Hashes each key once for a type of digest, whatever their number: a proof may have
 * a hundred of both under one tag.
 */
export function vouchedKeys(
  keys: readonly ZoneKey[],
  digests: readonly KeyDigest[],
  zone: DomainName,
): readonly ZoneKey[] {
  const owner = encodeDomainName(zone);
  const wanted = new Set(digests.map(({ digest, ...of }) => digestName(of, digest)));
  const types = Object.entries(DIGESTS).map(([type, compute]) => ({ digestType: Number(type), compute }));
  return keys.filter(({ tag, algorithm, record }) =>
    types.some(({ digestType, compute }) => {
      if (!digests.some((one) => one.keyTag === tag && one.digestType === digestType)) return false;
      return wanted.has(digestName({ keyTag: tag, algorithm, digestType }, compute(concatBytes(owner, record))));
    }),
  );
}

const digestName = ({ keyTag: tag, algorithm, digestType }: Omit<KeyDigest, 'digest'>, digest: Uint8Array): string =>
  `${tag} ${algorithm} ${digestType} ${bytesKey(digest)}`;

export const verifyWeight = ({ algorithm }: ZoneKey): number => ALGORITHMS[algorithm]?.weight ?? 0;

export const verifySigned = (signature: Uint8Array, message: Uint8Array, { algorithm, key }: ZoneKey): boolean =>
  ALGORITHMS[algorithm]?.verify(signature, message, key) ?? false;
