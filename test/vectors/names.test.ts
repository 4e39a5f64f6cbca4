import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDomainName } from '../../src/core/dnssec/domainName.ts';
import { DnssecError } from '../../src/core/dnssec/fault.ts';
import { type Resolved, resolveName } from '../../src/core/dnssec/resolve.ts';
import type { KeyDigest } from '../../src/core/dnssec/zoneKey.ts';
import { ROOT_ANCHORS } from '../../src/kit/names/anchors.ts';
import { proveName } from '../../src/kit/names/proveName.ts';
import { share, stride } from '../support/campaign.ts';
import { shared } from '../support/corpus.ts';
import { parseHex } from '../support/library.ts';
import { DNS, keyTag } from '../support/zones.ts';

// The real proofs of BIP353, drongo and dnssec-prover, and those of a root made for this project: ../shared/vectors/bip353.

interface RealProof {
  readonly id: string;
  /** A payment name, or the name in the DNS that the proof is about. */
  readonly name?: string;
  readonly dnsName?: string;
  readonly expect: string;
  readonly hex: string;
  readonly allSigsFrom: number;
  readonly allSigsUntil: number;
  readonly ourResult: { readonly proven: boolean; readonly ttl?: number; readonly uri?: string };
}

interface MadeProof {
  readonly label: string;
  readonly dnsName: string;
  readonly mustProve: boolean;
  readonly hex: string;
}

const file = (name: string): string => join(shared ?? '', 'vectors/bip353', name);
const read = (name: string) => JSON.parse(readFileSync(file(name), 'utf8'));
const isHere = shared !== undefined && existsSync(file('proofs.json'));

const TLSA = 52;
const RFC_9102: KeyDigest = {
  keyTag: 47_005,
  algorithm: 13,
  digestType: 2,
  digest: parseHex('2eb6e9f2480126691594d649a5a613de3052e37861634641bb568746f2ffc4d4'),
};

function resolve(
  hex: string | Uint8Array,
  dnsName: string,
  anchors: readonly KeyDigest[],
  type: number = DNS.TXT,
): Resolved | string {
  const name = parseDomainName(dnsName.replace(/\.$/, ''));
  if (!name) throw new Error(`${dnsName} is not a name`);
  try {
    return resolveName(typeof hex === 'string' ? parseHex(hex) : hex, { name, type, anchors });
  } catch (error) {
    if (error instanceof DnssecError) return error.fault;
    throw error;
  }
}

function dnsNameOf({ name, dnsName }: RealProof): string {
  const [user, domain] = (name ?? '').split('@');
  return dnsName ?? `${user}.user._bitcoin-payment.${domain}`;
}

function withBit(proof: Uint8Array, bit: number): Uint8Array {
  const changed = proof.slice();
  changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (0x80 >> (bit & 7));
  return changed;
}

/** The times of signatures that are not used may vary, but not widen the others'. */
function isSameOutcome(found: Resolved, whole: Resolved | string): boolean {
  if (typeof whole === 'string') return false;
  const isWider = found.from < whole.from && found.until > whole.until;
  return !isWider && found.isWildcard === whole.isWildcard && found.records.join() === whole.records.join();
}

describe.runIf(isHere)('proofs of BIP353', () => {
  const {
    proofs,
    anchors,
  }: {
    readonly proofs: readonly RealProof[];
    readonly anchors: readonly { readonly tag: number; readonly digest: string; readonly dnskeyRdata?: string }[];
  } = isHere ? read('proofs.json') : { proofs: [], anchors: [] };
  const made: {
    readonly proofs: readonly MadeProof[];
    readonly anchor: readonly {
      readonly tag: number;
      readonly alg: number;
      readonly dt: number;
      readonly digest: string;
    }[];
  } = isHere ? read('selfmade.json') : { proofs: [], anchor: [] };
  const madeAnchors = made.anchor.map(({ tag, alg, dt, digest }) => ({
    keyTag: tag,
    algorithm: alg,
    digestType: dt,
    digest: parseHex(digest),
  }));
  const anchorsOf = ({ id }: RealProof): readonly KeyDigest[] => (id.startsWith('rfc9102') ? [RFC_9102] : ROOT_ANCHORS);
  const typeOf = ({ id }: RealProof): number => (id.startsWith('rfc9102') ? TLSA : DNS.TXT);

  test('are all read', () => {
    expect([proofs.length, made.proofs.length]).toEqual([29, 11]);
  });

  test('the root keys that are trusted are those of IANA, with the tags that they have', () => {
    for (const { keyTag: tag, digest } of ROOT_ANCHORS) {
      const found = anchors.find((anchor) => anchor.tag === tag);
      expect(found && parseHex(found.digest.toLowerCase())).toEqual(digest);
      if (found?.dnskeyRdata) expect(keyTag(parseHex(found.dnskeyRdata))).toBe(tag);
    }
  });

  // It has a wrap-around, which dnssec-prover 0.6.8 refuses and the RFC allows.
  test.each(proofs)('$id', (one) => {
    const found = resolve(one.hex, dnsNameOf(one), anchorsOf(one), typeOf(one));
    if (typeof found === 'string') return expect(one.ourResult.proven, found).toBe(false);
    expect(found).toMatchObject({
      from: one.allSigsFrom,
      until: one.allSigsUntil,
      ttl: one.ourResult.ttl ?? found.ttl,
    });
    // The one proof that has what is signed, and asks for two payments.
    expect(one.ourResult.proven || one.id === 'bip-two-txt').toBe(true);
  });

  test.each(proofs.filter(({ name }) => name))('$id as a payment name', (one) => {
    const record = { name: one.name ?? '', proof: parseHex(one.hex) };
    const at = (now?: number) => proveName(record, now === undefined ? {} : { now });
    if (!one.ourResult.proven)
      return expect(at(one.allSigsFrom)).toMatchObject({
        status: 'refuted',
        fault: one.id === 'bip-two-txt' ? 'several' : 'denial',
      });
    const [address = ''] = /bc1[a-z0-9]{20,}|\b1[A-Za-z0-9]{25,}/i.exec(one.expect) ?? [];
    expect(at(one.allSigsFrom)).toMatchObject({ status: 'proven', name: one.name, payment: { addresses: [address] } });
    expect(at(one.allSigsUntil).status).toBe('proven');
    expect(at(one.allSigsFrom - 1).status).toBe('early');
    expect(at(one.allSigsUntil + 1).status).toBe('expired');
    expect(at().status).toBe('no-clock');
  });

  test.each(made.proofs)('made here: $label', ({ hex, dnsName, mustProve }) => {
    expect(typeof resolve(hex, dnsName, madeAnchors)).toBe(mustProve ? 'object' : 'string');
    // No other root is trusted.
    expect(resolve(hex, dnsName, ROOT_ANCHORS)).toBe('key');
  });

  const right = [
    ...proofs
      .filter(({ ourResult }) => ourResult.proven)
      .map((one) => ({
        title: one.id,
        hex: one.hex,
        dnsName: dnsNameOf(one),
        anchors: anchorsOf(one),
        type: typeOf(one),
      })),
    ...made.proofs
      .filter(({ mustProve }) => mustProve)
      .map(({ label, hex, dnsName }) => ({
        title: label,
        hex,
        dnsName,
        anchors: madeAnchors,
        type: DNS.TXT as number,
      })),
  ];

  /** Of each proof, every bit in its turn: the share of a commit is every sixteenth of 64 of its bits. */
  const SPARSE = 64;
  test.each(right)(
    'with any bit changed, $title proves nothing else',
    { timeout: 600_000 },
    ({ title, hex, dnsName, anchors: trusted, type }) => {
      const proof = parseHex(hex);
      const whole = resolve(proof, dnsName, trusted, type);
      const step = title === 'bip-simple' ? stride : stride * SPARSE;
      let proven = 0;
      for (let bit = share; bit < proof.length * 8; bit += step) {
        const found = resolve(withBit(proof, bit), dnsName, trusted, type);
        if (typeof found === 'string') continue;
        proven += 1;
        if (!isSameOutcome(found, whole)) expect.unreachable(`bit ${bit} proves something else`);
      }
      expect(proven).toBeLessThan(proof.length);
    },
  );
});
