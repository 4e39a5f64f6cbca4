import { parseChain, parsed, type RecordSet, recordsAt, TYPE } from './chain.ts';
import { assertAbsent } from './denial.ts';
import { type DomainName, formatDomainName, readDomainName, replaceEnd } from './domainName.ts';
import { refuse } from './fault.ts';
import { createValidator } from './validator.ts';
import type { KeyDigest } from './zoneKey.ts';

/** What a proof shows of a name, whatever the time is. */
export interface Resolved {
  readonly records: readonly Uint8Array[];
  /** From the first to the last Unix second at which every signature of the proof is valid. */
  readonly from: number;
  readonly until: number;
  /** In seconds: the shortest time to live that the proof signs. */
  readonly ttl: number;
  /** True if the zone has a wildcard, and not the name. */
  readonly isWildcard: boolean;
}

const MAX_ALIASES = 8;

/**
 * Finds the records of a name in a DNSSEC proof, also by way of aliases and wildcards, and follows their signatures up to the anchors.
 * @throws DnssecError
 * @see RFC 4035 §5; RFC 9102 §5
 */
export function resolveName(
  proof: Uint8Array,
  { name, type, anchors }: { readonly name: DomainName; readonly type: number; readonly anchors: readonly KeyDigest[] },
): Resolved {
  const chain = parseChain(proof);
  const validator = createValidator(chain, anchors);
  let isWildcard = false;

  /** A wildcard answers for a name of which not even the part just below it exists. */
  const verify = (owner: DomainName, of: number): RecordSet => {
    const { set, encloser } = validator.verify(owner, of);
    if (encloser) {
      isWildcard = true;
      assertAbsent(owner.slice(owner.length - encloser.length - 1), validator.zoneOf(owner, of), { chain, validator });
    }
    return set;
  };

  const aliasOf = (owner: DomainName): DomainName => {
    if (validator.has(owner, TYPE.CNAME)) return target(verify(owner, TYPE.CNAME));
    for (let i = 1; i < owner.length; i += 1) {
      const above = owner.slice(i);
      if (!validator.has(above, TYPE.DNAME)) continue;
      const { set, encloser } = validator.verify(above, TYPE.DNAME);
      if (encloser) refuse('wildcard', recordsAt(above, TYPE.DNAME));
      return replaceEnd(owner, above, target(set)) ?? refuse('alias', formatDomainName(owner));
    }
    return refuse('missing', recordsAt(owner, type));
  };

  let owner = name;
  for (let aliases = 0; aliases <= MAX_ALIASES; aliases += 1) {
    // A question for the wildcard itself would be answered as if it were a name.
    if (owner[0] === '*') refuse('wildcard', formatDomainName(owner));
    if (validator.has(owner, type)) {
      const { records } = verify(owner, type);
      const { from, until, ttl } = chain;
      return { records, from, until, ttl, isWildcard };
    }
    owner = aliasOf(owner);
  }
  return refuse('alias', formatDomainName(name));
}

function target({ owner, type, records: [data, ...others] }: RecordSet): DomainName {
  if (!data || others.length > 0) refuse('alias', recordsAt(owner, type));
  return parsed(data, readDomainName);
}
