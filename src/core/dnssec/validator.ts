import { concatBytes } from '../bytes/compare.ts';
import { joinBytes } from '../bytes/joinBytes.ts';
import { type Chain, type RecordSet, recordsAt, type Signature, TYPE } from './chain.ts';
import { type DomainName, encodeDomainName, isSameName, nameKey, ROOT } from './domainName.ts';
import { refuse } from './fault.ts';
import {
  isSupported,
  type KeyDigest,
  parseKeyDigest,
  parseZoneKey,
  verifySigned,
  verifyWeight,
  vouchedKeys,
  type ZoneKey,
} from './zoneKey.ts';

/** Finds record sets in a proof, and follows their signatures up to the anchors. Each call throws DnssecError. */
export interface Validator {
  /** Tells whether the proof has records with a signature. A resolver may add such as nobody signs. */
  readonly has: (owner: DomainName, type: number) => boolean;
  /** Returns a set that the keys of its zone sign. `encloser`: the name below which a wildcard answered, if one did. */
  readonly verify: (owner: DomainName, type: number) => { readonly set: RecordSet; readonly encloser?: DomainName };
  /** Verifies records that must be in a zone, and not come from a wildcard. */
  readonly verifyIn: (zone: DomainName, set: RecordSet) => void;
  /** Returns the zone that a name is in, if the proof has all the delegations above it. */
  readonly zoneOf: (owner: DomainName, type: number) => DomainName;
}

/**
 * An honest proof takes about 12 signatures, of which a name with aliases takes most. A hostile one may not cost more than this, in
 * verifications of secp256k1.
 */
const MAX_WEIGHT = 48;

/** Verifies only what leads to a name, from the anchors down, so that other records neither cost nor matter. @see RFC 4035 §5 */
export function createValidator(chain: Chain, anchors: readonly KeyDigest[]): Validator {
  const keys = new Map<string, readonly ZoneKey[]>();
  let weight = 0;

  const findSet = (owner: DomainName, type: number): RecordSet =>
    chain.find(owner, type) ?? refuse('missing', recordsAt(owner, type));

  /** A delegation is signed above it. */
  const zoneOf = (owner: DomainName, type: number): DomainName => {
    for (let i = type === TYPE.DS ? 1 : 0; i < owner.length; i += 1) {
      if (chain.find(owner.slice(i), TYPE.DS)) return owner.slice(i);
    }
    return ROOT;
  };

  /** Tries one signature, with one key: a proof with more of them could take for ever to refuse. @see CVE-2023-50387 */
  const verifyWith = (candidates: readonly ZoneKey[], zone: DomainName, set: RecordSet): Signature => {
    const at = recordsAt(set.owner, set.type);
    const signatures = chain.signatures(set.owner, set.type).filter(({ signer }) => isSameName(signer, zone));
    const accepted = candidates.filter(({ isAccepted }) => isAccepted);
    const signature = signatures.find((one) => accepted.some((key) => mayVerify(key, one)));
    if (!signature) {
      const isElse = signatures.some((one) => candidates.some((key) => mayVerify(key, one)));
      return refuse(isElse ? 'unsupported' : 'unsigned', at);
    }
    const [key, other] = accepted.filter((one) => mayVerify(one, signature));
    if (!key || other) return refuse('key-tag', at);
    weight += verifyWeight(key);
    if (weight > MAX_WEIGHT) refuse('work', at);
    const message = signedMessage(set, signature, zone);
    if (!message || !verifySigned(signature.signature, message, key)) refuse('signature', at);
    return signature;
  };

  const verifyIn = (zone: DomainName, set: RecordSet): void => {
    const { labels } = verifyWith(keysOf(zone), zone, set);
    if (labels < countLabels(set.owner)) refuse('wildcard', recordsAt(set.owner, set.type));
  };

  /** Returns the keys of a zone, of which one that is vouched for from above signs them all. */
  const keysOf = (zone: DomainName): readonly ZoneKey[] => {
    const known = keys.get(nameKey(zone));
    if (known) return known;
    const set = findSet(zone, TYPE.DNSKEY);
    const all = set.records.flatMap((record) => parseZoneKey(record) ?? []);
    const digests = digestsOf(zone);
    const vouched = vouchedKeys(all, digests, zone);
    if (vouched.length === 0) refuse(digests.some(isSupported) ? 'key' : 'unsupported', recordsAt(zone, TYPE.DNSKEY));
    const { labels } = verifyWith(vouched, zone, set);
    if (labels !== zone.length) refuse('wildcard', recordsAt(zone, TYPE.DNSKEY));
    keys.set(nameKey(zone), all);
    return all;
  };

  const digestsOf = (zone: DomainName): readonly KeyDigest[] => {
    if (zone.length === 0) return anchors;
    const set = findSet(zone, TYPE.DS);
    verifyIn(zoneOf(zone, TYPE.DS), set);
    return set.records.map(parseKeyDigest);
  };

  return {
    has: (owner, type) => chain.find(owner, type) !== undefined && chain.signatures(owner, type).length > 0,
    verify: (owner, type) => {
      const set = findSet(owner, type);
      const zone = zoneOf(owner, type);
      const { labels } = verifyWith(keysOf(zone), zone, set);
      const isExpanded = labels < countLabels(owner);
      return { set, ...(isExpanded && { encloser: owner.slice(owner.length - labels) }) };
    },
    verifyIn,
    zoneOf,
  };
}

const mayVerify = ({ tag, algorithm }: ZoneKey, signature: Signature): boolean =>
  tag === signature.keyTag && algorithm === signature.algorithm;

/** Counts as signatures do. @see RFC 4034 §3.1.3 */
const countLabels = (owner: DomainName): number => owner.length - (owner[0] === '*' ? 1 : 0);

/** Writes what was signed; `undefined` if the signature counts more labels than the name has, or a wildcard above its zone. @see RFC 4034 §3.1.8.1 */
function signedMessage(
  { owner, type, records }: RecordSet,
  { labels, head, originalTtl }: Signature,
  zone: DomainName,
): Uint8Array | undefined {
  const count = countLabels(owner);
  if (labels > count || (labels < count && labels < zone.length)) return undefined;
  const signed = labels < count ? ['*', ...owner.slice(owner.length - labels)] : owner;
  const start = concatBytes(encodeDomainName(signed), bigEndian(type, 2), bigEndian(1, 2), bigEndian(originalTtl, 4));
  return joinBytes([head, ...records.flatMap((data) => [start, bigEndian(data.length, 2), data])]);
}

const bigEndian = (value: number, size: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, i) => (value / 256 ** (size - 1 - i)) & 0xff);
