import { compareBytes, concatBytes, equalBytes } from '../bytes/compare.ts';
import { append } from '../bytes/groups.ts';
import { createReader, type Reader, readBytes, readU8, remaining, take } from '../bytes/reader.ts';
import { isBtcError } from '../errors.ts';
import { type DomainName, encodeDomainName, formatDomainName, nameKey, readDomainName } from './domainName.ts';
import { refuse } from './fault.ts';

/** The types of records that a proof is made of. @see RFC 1035, 4034, 5155, 6672 */
export const TYPE = { CNAME: 5, TXT: 16, DNAME: 39, DS: 43, RRSIG: 46, NSEC: 47, DNSKEY: 48, NSEC3: 50 } as const;

/** All records of a name and type, each once. */
export interface RecordSet {
  readonly owner: DomainName;
  readonly type: number;
  /** In canonical form and order. @see RFC 4034 §6.2, §6.3 */
  readonly records: readonly Uint8Array[];
}

/** A signature of a record set. @see RFC 4034 §3 */
export interface Signature {
  readonly covered: number;
  readonly algorithm: number;
  /** The labels of the name that was signed, without the root and `*`. */
  readonly labels: number;
  /** In seconds. */
  readonly originalTtl: number;
  /** Unix times in seconds. */
  readonly expiration: number;
  readonly inception: number;
  readonly keyTag: number;
  readonly signer: DomainName;
  /** What precedes the signature, in canonical form. */
  readonly head: Uint8Array;
  readonly signature: Uint8Array;
}

/** The records of a proof, by name and type. */
export interface Chain {
  readonly find: (owner: DomainName, type: number) => RecordSet | undefined;
  readonly signatures: (owner: DomainName, type: number) => readonly Signature[];
  readonly ofType: (type: number) => readonly RecordSet[];
  /** When all signatures of the proof are valid, used or not, in Unix seconds; the shortest time to live that any signs. */
  readonly from: number;
  readonly until: number;
  readonly ttl: number;
}

/** An honest proof takes about 6,000 bytes and 43 records. */
const LIMITS = { bytes: 65_535, records: 300 } as const;

const INTERNET = 1;

interface Entry {
  readonly owner: DomainName;
  readonly type: number;
  readonly data: Uint8Array;
}

/**
 * Parses the records of an `AuthenticationChain`, in any order. Types that no proof needs are left out.
 * @throws DnssecError
 * @see RFC 9102 §2
 */
export function parseChain(bytes: Uint8Array): Chain {
  if (bytes.length > LIMITS.bytes) refuse('size');
  const entries = parsed(bytes, readEntries);
  const sets = new Map<string, Entry[]>();
  const signatures = new Map<string, Signature[]>();
  for (const entry of entries) {
    if (entry.type !== TYPE.RRSIG) append(sets, setKey(entry.owner, entry.type), entry);
    else {
      const signature = parsed(entry.data, readSignature);
      append(signatures, setKey(entry.owner, signature.covered), signature);
    }
  }
  const found = new Map([...sets].map(([key, records]) => [key, recordSet(records)] as const));
  const all = [...signatures.values()].flat();
  return {
    find: (owner, type) => found.get(setKey(owner, type)),
    signatures: (owner, type) => signatures.get(setKey(owner, type)) ?? [],
    ofType: (type) => [...found.values()].flatMap((set) => (set?.type === type ? [set] : [])),
    from: Math.max(...all.map(({ inception }) => inception)),
    until: Math.min(...all.map(({ expiration }) => expiration)),
    ttl: Math.min(...all.map(({ originalTtl }) => originalTtl)),
  };
}

const setKey = (owner: DomainName, type: number): string => `${type} ${nameKey(owner)}`;

/** Reads all of the bytes. @throws DnssecError for what ends too early or goes on */
export function parsed<T>(bytes: Uint8Array, read: (reader: Reader) => T): T {
  const reader = createReader(bytes);
  try {
    const value = read(reader);
    if (remaining(reader) > 0) refuse('malformed');
    return value;
  } catch (error) {
    if (isBtcError(error, 'bytes/end-of-data')) refuse('malformed');
    throw error;
  }
}

export const readU16 = (reader: Reader): number => reader.view.getUint16(take(reader, 2));
const readU32 = (reader: Reader): number => reader.view.getUint32(take(reader, 4));
export const readRest = (reader: Reader): Uint8Array => readBytes(reader, remaining(reader));

function readEntries(reader: Reader): readonly Entry[] {
  const entries: Entry[] = [];
  while (remaining(reader) > 0) {
    if (entries.length === LIMITS.records) refuse('size');
    const owner = readDomainName(reader);
    const type = readU16(reader);
    if (readU16(reader) !== INTERNET) refuse('malformed');
    // Nothing signs the time to live of a record: its signature has the original one.
    take(reader, 4);
    entries.push({ owner, type, data: readBytes(reader, readU16(reader)) });
  }
  return entries;
}

/** Signatures of earlier times tell that a clock, or the field itself, has wrapped around: 1997-01-01. */
const EARLIEST = 852_076_800;

function readSignature(reader: Reader): Signature {
  const covered = readU16(reader);
  const algorithm = readU8(reader);
  const labels = readU8(reader);
  const [originalTtl, expiration, inception] = [readU32(reader), readU32(reader), readU32(reader)];
  const keyTag = readU16(reader);
  const fixed = reader.bytes.slice(0, reader.offset);
  const signer = readDomainName(reader);
  if (inception < EARLIEST || inception >= expiration) refuse('malformed');
  return {
    ...{ covered, algorithm, labels, originalTtl, expiration, inception, keyTag, signer },
    head: concatBytes(fixed, encodeDomainName(signer)),
    signature: readRest(reader),
  };
}

function recordSet(entries: readonly Entry[]): RecordSet | undefined {
  const [first] = entries;
  if (!first) return undefined;
  const { owner, type } = first;
  const sorted = entries.map(({ data }) => canonicalData(type, data)).sort(compareBytes);
  return { owner, type, records: sorted.filter((data, i) => i === 0 || !equalBytes(data, sorted[i - 1] ?? data)) };
}

/** Only targets are in lower case: the next name of NSEC is not. @see RFC 6840 §5.1 */
const canonicalData = (type: number, data: Uint8Array): Uint8Array =>
  type === TYPE.CNAME || type === TYPE.DNAME ? encodeDomainName(parsed(data, readDomainName)) : data;

/** Names records for people. */
export const recordsAt = (owner: DomainName, type: number): string =>
  `${Object.entries(TYPE).find(([, value]) => value === type)?.[0] ?? `TYPE${type}`} of ${formatDomainName(owner)}`;
