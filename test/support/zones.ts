import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { KeyDigest } from '../../src/core/dnssec/zoneKey.ts';

// A signer of DNS zones with a root of its own, whose every step a test can break. It shares no code with the verifier.

/** Numbers of algorithms and types, as IANA assigns them. */
export const ALGORITHM = {
  RSASHA1: 5,
  RSASHA256: 8,
  RSASHA512: 10,
  ECDSAP256: 13,
  ECDSAP384: 14,
  ED25519: 15,
} as const;
export const DNS = {
  NS: 2,
  CNAME: 5,
  SOA: 6,
  TXT: 16,
  DNAME: 39,
  DS: 43,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
} as const;

/** Valid in all tests unless they say otherwise: 2026-11-01 to 2027-01-01. */
export const WINDOW = { from: 1_793_491_200, until: 1_798_761_600, now: 1_796_000_000 } as const;

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const u32 = (value: number): Buffer =>
  Buffer.from([value >>> 24, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff]);

/** Wire form of a name without escapes; `.` is the root. */
export const wireName = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .split('.')
      .filter((label) => label !== '')
      .flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, 'latin1')]),
    Buffer.from([0]),
  ]);

const lower = (name: string): string => name.toLowerCase();
const labelsOf = (name: string): number => name.split('.').filter((label) => label !== '' && label !== '*').length;

/** A record: name, type, and data in wire form. */
export interface DnsRecord {
  readonly owner: string;
  readonly type: number;
  readonly data: Buffer;
  readonly ttl?: number;
  readonly class?: number;
}

export const wireRecord = ({ owner, type, data, ttl = 300, class: of = 1 }: DnsRecord): Buffer =>
  Buffer.concat([wireName(owner), u16(type), u16(of), u32(ttl), u16(data.length), data]);

/** Joins records to a proof. */
export const proofOf = (...records: readonly (DnsRecord | readonly DnsRecord[])[]): Uint8Array =>
  new Uint8Array(Buffer.concat(records.flat().map((record) => wireRecord(record as DnsRecord))));

export const txt = (owner: string, ...strings: readonly string[]): DnsRecord => ({
  owner,
  type: DNS.TXT,
  data: Buffer.concat(strings.flatMap((text) => [Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)])),
});
export const cname = (owner: string, to: string): DnsRecord => ({ owner, type: DNS.CNAME, data: wireName(to) });
export const dname = (owner: string, to: string): DnsRecord => ({ owner, type: DNS.DNAME, data: wireName(to) });

function bitMap(types: readonly number[]): Buffer {
  const bytes = Buffer.alloc(32);
  for (const type of types) bytes[type >> 3] = (bytes[type >> 3] ?? 0) | (0x80 >> (type & 7));
  const length = Math.max(...types.map((type) => (type >> 3) + 1));
  return Buffer.concat([Buffer.from([0, length]), bytes.subarray(0, length)]);
}

export const nsec = (
  owner: string,
  next: string,
  types: readonly number[] = [DNS.TXT, DNS.RRSIG, DNS.NSEC],
): DnsRecord => ({
  owner,
  type: DNS.NSEC,
  data: Buffer.concat([wireName(next), bitMap(types)]),
});

const HEX32 = '0123456789abcdefghijklmnopqrstuv';

function base32Hex(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => HEX32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

interface Hashing {
  readonly iterations?: number;
  readonly salt?: Buffer;
}

export function nsec3Hash(name: string, { iterations = 0, salt = Buffer.from('aabb', 'hex') }: Hashing = {}): Buffer {
  let hash = createHash('sha1')
    .update(wireName(lower(name)))
    .update(salt)
    .digest();
  for (let i = 0; i < iterations; i += 1) hash = createHash('sha1').update(hash).update(salt).digest();
  return hash;
}

/** Makes an NSEC3 record from one hash to the next. */
export function nsec3(
  zone: string,
  [from, to]: readonly [Buffer, Buffer],
  {
    flags = 0,
    iterations = 0,
    salt = Buffer.from('aabb', 'hex'),
    algorithm = 1,
  }: Hashing & { readonly flags?: number; readonly algorithm?: number } = {},
): DnsRecord {
  return {
    owner: `${base32Hex(from)}.${zone}`,
    type: DNS.NSEC3,
    data: Buffer.concat([
      Buffer.from([algorithm, flags]),
      u16(iterations),
      Buffer.from([salt.length]),
      salt,
      Buffer.from([to.length]),
      to,
      bitMap([DNS.TXT, DNS.RRSIG]),
    ]),
  };
}

/** Makes an NSEC3 record around the hash of a name: it shows that the name does not exist. */
export function nsec3Around(zone: string, name: string, options: Parameters<typeof nsec3>[2] = {}): DnsRecord {
  const hash = BigInt(`0x${nsec3Hash(name, options).toString('hex')}`);
  const at = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(40, '0'), 'hex');
  return nsec3(zone, [at(hash - 5n), at(hash + 5n)], options);
}

/** A key of a zone, and how it signs. */
export interface ZoneSigner {
  readonly algorithm: number;
  /** The data of its DNSKEY record. */
  readonly data: Buffer;
  readonly tag: number;
  readonly sign: (message: Buffer) => Buffer;
}

const HASHES: Readonly<Record<number, string | null>> = {
  5: 'sha1',
  8: 'sha256',
  10: 'sha512',
  13: 'sha256',
  14: 'sha384',
  15: null,
};

export function keyTag(data: Uint8Array): number {
  let sum = 0;
  for (const [i, byte] of data.entries()) sum += i & 1 ? byte : byte << 8;
  return (sum + (sum >> 16)) & 0xffff;
}

const base64Url = (key: KeyObject, member: 'x' | 'y' | 'n' | 'e'): Buffer =>
  Buffer.from(key.export({ format: 'jwk' })[member] ?? '', 'base64url');

interface KeyShape {
  readonly flags?: number;
  readonly protocol?: number;
  /** In bits, of RSA. */
  readonly bits?: number;
  readonly exponent?: number;
}

/** Makes a key; 257 flags a key that signs keys. */
export function makeKey(
  algorithm: number,
  { flags = 257, protocol = 3, bits = 1024, exponent = 65_537 }: KeyShape = {},
): ZoneSigner {
  const isRsa = algorithm < 13;
  const { publicKey, privateKey } = isRsa
    ? generateKeyPairSync('rsa', { modulusLength: bits, publicExponent: exponent })
    : algorithm === ALGORITHM.ED25519
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: algorithm === ALGORITHM.ECDSAP256 ? 'P-256' : 'P-384' });
  const size = algorithm === ALGORITHM.ECDSAP256 ? 32 : 48;
  const pad = (bytes: Buffer): Buffer => Buffer.concat([Buffer.alloc(Math.max(0, size - bytes.length)), bytes]);
  const e = isRsa ? base64Url(publicKey, 'e') : Buffer.alloc(0);
  const material = isRsa
    ? Buffer.concat([Buffer.from([e.length]), e, base64Url(publicKey, 'n')])
    : algorithm === ALGORITHM.ED25519
      ? base64Url(publicKey, 'x')
      : Buffer.concat([pad(base64Url(publicKey, 'x')), pad(base64Url(publicKey, 'y'))]);
  const data = Buffer.concat([u16(flags), Buffer.from([protocol, algorithm]), material]);
  return {
    algorithm,
    data,
    tag: keyTag(data),
    sign: (message) =>
      sign(
        HASHES[algorithm] ?? null,
        message,
        isRsa || algorithm === ALGORITHM.ED25519 ? privateKey : { key: privateKey, dsaEncoding: 'ieee-p1363' },
      ),
  };
}

/** What a signature says, in the place of what it should. */
export interface Changes {
  readonly labels?: number;
  readonly signer?: string;
  readonly from?: number;
  readonly until?: number;
  readonly tag?: number;
  readonly algorithm?: number;
  /** The name that is signed, such as a wildcard. */
  readonly signedAs?: string;
  readonly originalTtl?: number;
  readonly spoil?: (signature: Buffer) => Buffer;
}

/** Signs all records of one name and type, and returns them with the signature. @see RFC 4034 §3.1.8.1 */
export function signSet(
  records: readonly DnsRecord[],
  zone: string,
  key: ZoneSigner,
  changes: Changes = {},
): readonly DnsRecord[] {
  const [first] = records;
  if (!first) throw new Error('nothing to sign');
  const { owner, type } = first;
  const { signedAs = owner, signer = zone, originalTtl = 300, from = WINDOW.from, until = WINDOW.until } = changes;
  const {
    labels = labelsOf(signedAs),
    tag = key.tag,
    algorithm = key.algorithm,
    spoil = (same: Buffer) => same,
  } = changes;
  const head = Buffer.concat([
    u16(type),
    Buffer.from([algorithm, labels]),
    u32(originalTtl),
    u32(until),
    u32(from),
    u16(tag),
    wireName(lower(signer)),
  ]);
  const lines = [...records]
    .sort((a, b) => Buffer.compare(a.data, b.data))
    .map(({ data }) =>
      Buffer.concat([wireName(lower(signedAs)), u16(type), u16(1), u32(originalTtl), u16(data.length), data]),
    );
  const signature = spoil(key.sign(Buffer.concat([head, ...lines])));
  return [...records, { owner, type: DNS.RRSIG, data: Buffer.concat([head, signature]) }];
}

/** A zone with one key, or another that signs its keys. */
export interface Zone {
  readonly name: string;
  readonly key: ZoneSigner;
  /** Signs the zone's keys; the same unless given. */
  readonly keyKey: ZoneSigner;
  readonly keys: readonly DnsRecord[];
  readonly sign: (records: readonly DnsRecord[] | DnsRecord, changes?: Changes) => readonly DnsRecord[];
}

export function makeZone(
  name: string,
  algorithm: number,
  given: { readonly key?: ZoneSigner; readonly keyKey?: ZoneSigner } = {},
): Zone {
  const key = given.key ?? makeKey(algorithm);
  const keyKey = given.keyKey ?? key;
  const keys = [...new Set([key, keyKey])].map(({ data }) => ({ owner: name, type: DNS.DNSKEY, data }));
  return {
    name,
    key,
    keyKey,
    keys: signSet(keys, name, keyKey),
    sign: (records, changes) => signSet([records].flat() as readonly DnsRecord[], name, key, changes),
  };
}

const DIGESTS: Readonly<Record<number, string>> = { 1: 'sha1', 2: 'sha256', 4: 'sha384' };

const digestOf = (zone: Pick<Zone, 'name'>, key: ZoneSigner, digestType = 2): Buffer =>
  createHash(DIGESTS[digestType] ?? 'sha256')
    .update(wireName(lower(zone.name)))
    .update(key.data)
    .digest();

/** The DS record of a zone, for the zone above. */
export const delegation = (zone: Zone, digestType = 2): DnsRecord => ({
  owner: zone.name,
  type: DNS.DS,
  data: Buffer.concat([
    u16(zone.keyKey.tag),
    Buffer.from([zone.keyKey.algorithm, digestType]),
    digestOf(zone, zone.keyKey, digestType),
  ]),
});

export const anchorOf = (root: Zone): KeyDigest => ({
  keyTag: root.keyKey.tag,
  algorithm: root.keyKey.algorithm,
  digestType: 2,
  digest: new Uint8Array(digestOf(root, root.keyKey)),
});
