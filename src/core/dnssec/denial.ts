import { concatBytes } from '../bytes/compare.ts';
import { type Reader, readBytes, readU8, remaining } from '../bytes/reader.ts';
import { sha1 } from '../crypto/hash.ts';
import { formatBase32Hex } from '../encoding/base32.ts';
import { type Chain, parsed, type RecordSet, readRest, readU16, recordsAt, TYPE } from './chain.ts';
import { compareNames, type DomainName, encodeDomainName, isSameName, isWithin, readDomainName } from './domainName.ts';
import { refuse } from './fault.ts';
import type { Validator } from './validator.ts';

/**
 * Requires a proof that a name does not exist in its zone: a wildcard answers only for such. A record that shows that the name
 * exists, but without the type, is none. @see RFC 4035 §5.3.4; RFC 5155 §8.8
 * @throws DnssecError
 */
export function assertAbsent(
  name: DomainName,
  zone: DomainName,
  { chain, validator }: { readonly chain: Chain; readonly validator: Validator },
): void {
  // A zone below may have records that seem to cover the name, too.
  const isOfZone = ({ owner, type }: RecordSet): boolean =>
    chain.signatures(owner, type).some(({ signer }) => isSameName(signer, zone));
  const covering =
    chain.ofType(TYPE.NSEC).find((set) => isOfZone(set) && isWithin(set.owner, zone) && coversName(set, name)) ??
    findHashed(chain.ofType(TYPE.NSEC3).filter(isOfZone), name, zone);
  if (!covering) refuse('denial', recordsAt(name, TYPE.NSEC));
  validator.verifyIn(zone, covering);
}

const NS = 2;
const SOA = 6;

/** @see RFC 4034 §4; RFC 6840 §4.1 */
function coversName({ owner, records: [data, ...others] }: RecordSet, name: DomainName): boolean {
  if (!data || others.length > 0) return false;
  const { next, types } = parsed(data, (reader) => ({ next: readDomainName(reader), types: readTypes(reader) }));
  // The last name of a zone is followed by the first.
  const isLast = compareNames(next, owner) <= 0;
  if (compareNames(owner, name) >= 0 || (!isLast && compareNames(name, next) >= 0)) return false;
  // A name with others below it exists, even if it has no records.
  if (isWithin(next, name)) return false;
  const isElsewhere = types.has(TYPE.DNAME) || (types.has(NS) && !types.has(SOA));
  return !(isElsewhere && isWithin(name, owner));
}

/** Reads a bit map of types. @see RFC 4034 §4.1.2 */
function readTypes(reader: Reader): ReadonlySet<number> {
  const types = new Set<number>();
  let previous = -1;
  while (remaining(reader) > 0) {
    const window = readU8(reader);
    const bits = readBytes(reader, readU8(reader));
    if (window <= previous || bits.length === 0 || bits.length > 32) refuse('malformed');
    previous = window;
    bits.forEach((byte, i) => {
      for (let bit = 0; bit < 8; bit += 1) if (byte & (0x80 >> bit)) types.add(256 * window + 8 * i + bit);
    });
  }
  return types;
}

/** A zone hashes with one set of parameters, and with two while it changes them; more iterations than this are not for validators. @see RFC 9276 §3.2 */
const HASHING = { most: 2, iterations: 150 } as const;

const SHA1 = 1;

interface Hashed {
  readonly iterations: number;
  readonly salt: Uint8Array;
}

/** @see RFC 5155 §3, §5 */
function findHashed(sets: readonly RecordSet[], name: DomainName, zone: DomainName): RecordSet | undefined {
  const hashes = new Map<string, string>();
  const hash = (hashed: Hashed): string => {
    const key = `${hashed.iterations} ${formatBase32Hex(hashed.salt)}`;
    const known = hashes.get(key) ?? formatBase32Hex(hashName(name, hashed));
    hashes.set(key, known);
    if (hashes.size > HASHING.most) refuse('work');
    return known;
  };
  let isElse = false;
  const found = sets.find(({ owner: [label, ...above], records: [data, ...others] }) => {
    if (label === undefined || !isSameName(above, zone) || !data || others.length > 0) return false;
    const { algorithm, flags, next, ...hashed } = parsed(data, readHashed);
    // The only flag, opt-out, leaves names in between unsigned.
    if (algorithm !== SHA1 || flags !== 0 || hashed.iterations > HASHING.iterations) {
      isElse = true;
      return false;
    }
    const hashOfName = hash(hashed);
    const isLast = next <= label;
    return isLast ? hashOfName > label || hashOfName < next : label < hashOfName && hashOfName < next;
  });
  return found ?? (isElse ? refuse('unsupported', recordsAt(name, TYPE.NSEC3)) : undefined);
}

function readHashed(reader: Reader) {
  const [algorithm, flags, iterations] = [readU8(reader), readU8(reader), readU16(reader)];
  const salt = readBytes(reader, readU8(reader));
  const next = formatBase32Hex(readBytes(reader, readU8(reader)));
  readRest(reader);
  return { algorithm, flags, iterations, salt, next };
}

function hashName(name: DomainName, { iterations, salt }: Hashed): Uint8Array {
  let hash = sha1(concatBytes(encodeDomainName(name), salt));
  for (let i = 0; i < iterations; i += 1) hash = sha1(concatBytes(hash, salt));
  return hash;
}
