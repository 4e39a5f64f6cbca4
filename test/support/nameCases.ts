import type { DnssecFault } from '../../src/core/dnssec/fault.ts';
import type { KeyDigest } from '../../src/core/dnssec/zoneKey.ts';
import {
  ALGORITHM,
  anchorOf,
  type Changes,
  cname,
  DNS,
  type DnsRecord,
  delegation,
  dname,
  makeKey,
  makeZone,
  nsec,
  nsec3,
  nsec3Around,
  nsec3Hash,
  signSet,
  txt,
  WINDOW,
  type Zone,
} from './zones.ts';

/** A question about a name, the records that answer it, and what is right. */
export interface NameCase {
  readonly label: string;
  readonly question: string;
  readonly records: readonly DnsRecord[];
  /** Absent if the proof is right. */
  readonly fault?: DnssecFault;
  readonly isWildcard?: true;
  /** Says why resolvers take what is refused here. */
  readonly stricter?: string;
}

export interface NameCases {
  readonly anchors: readonly KeyDigest[];
  readonly root: Zone;
  readonly cases: readonly NameCase[];
}

/** Two true and a false text. */
export const TEXT = 'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const FALSE_TEXT = 'bitcoin:bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3';

const NAME = 'alice.user._bitcoin-payment.pay.test.';
const WILD = '*.user._bitcoin-payment.pay.test.';
const BELOW = 'user._bitcoin-payment.pay.test.';

/** Makes zones below a root, and for each law of validation a proof with one step broken. */
export function makeNameCases(window: { readonly from: number; readonly until: number } = WINDOW): NameCases {
  const dated: Changes = { from: window.from, until: window.until };
  const zone = (name: string, algorithm: number, given: Parameters<typeof makeZone>[2] = {}): Zone => {
    const made = makeZone(name, algorithm, given);
    const keys = made.keys.filter(({ type }) => type === DNS.DNSKEY);
    return {
      ...made,
      keys: signSet(keys, name, made.keyKey, dated),
      sign: (records, changes) => made.sign(records, { ...dated, ...changes }),
    };
  };
  const rsa = (flags: number, bits = 2048) => makeKey(ALGORITHM.RSASHA256, { flags, bits });
  const root = zone('.', ALGORITHM.RSASHA256, { key: rsa(256, 1024), keyKey: rsa(257) });
  const test = zone('test.', ALGORITHM.ECDSAP384);
  const pay = zone('pay.test.', ALGORITHM.ECDSAP256);
  const other = zone('other.test.', ALGORITHM.ED25519);
  const sha512 = zone('sha512.test.', ALGORITHM.RSASHA512);
  const below = zone('_z.pay.test.', ALGORITHM.ECDSAP256);

  const above = [...root.keys, ...root.sign(delegation(test)), ...test.keys];
  const down = (child: Zone, digestType = 2): readonly DnsRecord[] => [
    ...test.sign(delegation(child, digestType)),
    ...child.keys,
  ];
  const whole = [...above, ...down(pay)];
  const alice = pay.sign(txt(NAME, TEXT));
  const spoilt = (at: number) => (signature: Buffer) => {
    const copy = Buffer.from(signature);
    copy[at] = (copy[at] ?? 0) ^ 1;
    return copy;
  };
  const wild = pay.sign(txt(NAME, TEXT), { signedAs: WILD });
  const absent = pay.sign(nsec(`alibi.${BELOW}`, `bob.${BELOW}`));
  const hashedAbsent = pay.sign(nsec3Around('pay.test.', NAME));

  /** A zone of its own below `test.`, made of a broken part. */
  const withKeys = (broken: Zone, keys: readonly DnsRecord[] = broken.keys, digestType = 2): readonly DnsRecord[] => [
    ...above,
    ...test.sign(delegation(broken, digestType)),
    ...keys,
    ...broken.sign(txt(`alice.user._bitcoin-payment.${broken.name}`, TEXT)),
  ];
  const brokenName = (label: string): string => `alice.user._bitcoin-payment.${label}.test.`;
  const broken = (label: string, key: Parameters<typeof makeKey>[1], algorithm: number = ALGORITHM.ECDSAP256): Zone =>
    zone(`${label}.test.`, algorithm, { key: makeKey(algorithm, key) });
  const only = (label: string, zoneOf: Zone, fault: DnssecFault, more: Partial<NameCase> = {}): NameCase => ({
    ...{ label, question: brokenName(zoneOf.name.split('.')[0] ?? ''), records: withKeys(zoneOf), fault },
    ...more,
  });

  const zsk = zone('split.test.', ALGORITHM.ECDSAP256, {
    key: makeKey(ALGORITHM.ECDSAP256, { flags: 256 }),
    keyKey: makeKey(ALGORITHM.ECDSAP256),
  });
  const zskKeys = zsk.keys.filter(({ type }) => type === DNS.DNSKEY);
  const stranger = zone('pay.test.', ALGORITHM.ECDSAP256);
  const collision = collidingKeys();
  const colliding = zone('twins.test.', ALGORITHM.ED25519, { key: collision[0], keyKey: collision[1] });

  const alias = (from: string, to: string, of = pay): readonly DnsRecord[] => of.sign(cname(from, to));
  const hop = (i: number): string => `hop${i}.${BELOW}`;
  const hops = (count: number): readonly DnsRecord[] => [
    ...Array.from({ length: count }, (_, i) => alias(hop(i), hop(i + 1))).flat(),
    ...pay.sign(txt(hop(count), TEXT)),
  ];

  const cases: readonly NameCase[] = [
    { label: 'the plain chain', question: NAME, records: [...whole, ...alice] },
    { label: 'in another order, and twice', question: NAME, records: [...whole, ...alice, ...whole].reverse() },
    {
      label: 'beside another text',
      question: NAME,
      records: [...whole, ...pay.sign([txt(NAME, TEXT), txt(NAME, 'v=spf1')])],
    },
    {
      label: 'with another letter case',
      question: NAME,
      records: [...whole, ...alice].map((one) => ({ ...one, owner: one.owner.toUpperCase() })),
    },
    { label: 'by keys of RSA with SHA-512', question: brokenName('sha512'), records: withKeys(sha512) },
    { label: 'by keys of Ed25519', question: brokenName('other'), records: withKeys(other) },
    { label: 'by a digest of SHA-384', question: brokenName('other'), records: withKeys(other, other.keys, 4) },
    { label: 'with a key for keys', question: brokenName('split'), records: withKeys(zsk) },
    {
      label: 'by an alias to another zone',
      question: NAME,
      records: [
        ...whole,
        ...down(other),
        ...alias(NAME, 'bob.other.test.'),
        ...other.sign(txt('bob.other.test.', TEXT)),
      ],
    },
    { label: 'by eight aliases', question: hop(0), records: [...whole, ...hops(8)] },
    {
      label: 'by an alias for all that is below',
      question: NAME,
      records: [
        ...whole,
        ...down(other),
        ...pay.sign(dname(BELOW, 'names.other.test.')),
        ...other.sign(txt('alice.names.other.test.', TEXT)),
      ],
    },
    { label: 'by a wildcard, with NSEC', question: NAME, records: [...whole, ...wild, ...absent], isWildcard: true },
    {
      label: 'by a wildcard, with NSEC3',
      question: NAME,
      records: [...whole, ...wild, ...hashedAbsent],
      isWildcard: true,
    },
    {
      label: 'by a wildcard, after the last name of the zone',
      question: NAME,
      records: [...whole, ...wild, ...pay.sign(nsec(`alibi.${BELOW}`, 'pay.test.'))],
      isWildcard: true,
    },
    {
      label: 'by a wildcard further up',
      question: `a.b.${BELOW}`,
      records: [
        ...whole,
        ...pay.sign(txt(`a.b.${BELOW}`, TEXT), { signedAs: WILD }),
        ...pay.sign(nsec(`alibi.${BELOW}`, `bob.${BELOW}`)),
      ],
      isWildcard: true,
    },

    {
      label: 'by a wildcard, among denials of a zone below',
      question: `x.y._z.pay.test.`,
      records: [
        ...whole,
        ...below.sign(nsec('_z.pay.test.', '_z.pay.test.')),
        ...below.sign(nsec('a._z.pay.test.', '_z.pay.test.')),
        ...pay.sign(txt('x.y._z.pay.test.', TEXT), { signedAs: '*.pay.test.' }),
        ...pay.sign(nsec('_a.pay.test.', 'zz.pay.test.')),
      ],
      isWildcard: true,
      stricter: 'nothing shows BIND the zone below',
    },
    {
      label: 'a text that was changed',
      question: NAME,
      records: [...whole, txt(NAME, FALSE_TEXT), ...alice.slice(1)],
      fault: 'signature',
    },
    {
      label: 'a text that was added',
      question: NAME,
      records: [...whole, ...alice, txt(NAME, FALSE_TEXT)],
      fault: 'signature',
    },
    {
      label: 'a signature with one bit changed',
      question: NAME,
      records: [...whole, ...pay.sign(txt(NAME, TEXT), { spoil: spoilt(5) })],
      fault: 'signature',
    },
    {
      label: 'a signature that is too short',
      question: NAME,
      records: [...whole, ...pay.sign(txt(NAME, TEXT), { spoil: (all) => all.subarray(0, 63) })],
      fault: 'signature',
    },
    {
      label: 'another time to live than was signed',
      question: NAME,
      records: [...whole, ...pay.sign(txt(NAME, TEXT)).map((one) => ({ ...one, ttl: 9 }))],
    },
    { label: 'no text', question: NAME, records: whole, fault: 'missing' },
    {
      label: 'a text of another name',
      question: NAME,
      records: [...whole, ...pay.sign(txt(`bob.${BELOW}`, TEXT))],
      fault: 'missing',
    },
    { label: 'a text without a signature', question: NAME, records: [...whole, txt(NAME, TEXT)], fault: 'missing' },
    {
      label: 'no keys of the zone',
      question: NAME,
      records: [...above, ...test.sign(delegation(pay)), ...alice],
      fault: 'missing',
    },
    { label: 'no delegation', question: NAME, records: [...above, ...pay.keys, ...alice], fault: 'unsigned' },
    {
      label: 'a delegation that nobody signs',
      question: NAME,
      records: [...above, delegation(pay), ...pay.keys, ...alice],
      fault: 'unsigned',
    },
    {
      label: 'a delegation to other keys',
      question: NAME,
      records: [...above, ...test.sign(delegation(stranger)), ...pay.keys, ...alice],
      fault: 'key',
    },
    {
      label: 'keys of a stranger',
      question: NAME,
      records: [...above, ...test.sign(delegation(pay)), ...stranger.keys, ...stranger.sign(txt(NAME, TEXT))],
      fault: 'key',
    },
    {
      label: 'a key added to those of the zone',
      question: NAME,
      records: [
        ...above,
        ...test.sign(delegation(pay)),
        ...pay.keys,
        ...stranger.keys,
        ...stranger.sign(txt(NAME, TEXT)),
      ],
      fault: 'signature',
    },
    {
      label: 'keys that only a key not vouched for signs',
      question: brokenName('split'),
      records: [
        ...above,
        ...test.sign(delegation(zsk)),
        ...signSet(zskKeys, zsk.name, zsk.key, dated),
        ...zsk.sign(txt(brokenName('split'), TEXT)),
      ],
      fault: 'unsigned',
    },
    {
      label: 'a sibling that signs',
      question: NAME,
      records: [...whole, ...down(other), ...other.sign(txt(NAME, TEXT))],
      fault: 'unsigned',
    },
    {
      label: 'a sibling that signs as the zone',
      question: NAME,
      records: [
        ...whole,
        ...down(other),
        ...other.sign(txt(NAME, TEXT), { signer: 'pay.test.', tag: pay.key.tag, algorithm: pay.key.algorithm }),
      ],
      fault: 'signature',
    },
    {
      label: 'a name that only ends like the zone',
      question: 'alice.user._bitcoin-payment.xpay.test.',
      records: [...whole, ...pay.sign(txt('alice.user._bitcoin-payment.xpay.test.', TEXT))],
      fault: 'unsigned',
    },
    {
      label: 'the zone above that signs',
      question: NAME,
      records: [...whole, ...test.sign(txt(NAME, TEXT))],
      fault: 'unsigned',
      stricter: 'BIND lets a zone answer for what it has delegated',
    },

    only('a key that may not sign for the zone', broken('noflag', { flags: 1 }), 'key'),
    only('a revoked key', broken('revoked', { flags: 0x0181 }), 'key'),
    only('a key of another protocol', broken('protocol', { protocol: 2 }), 'key'),
    only('keys of RSA with SHA-1', broken('sha1', { bits: 2048 }, ALGORITHM.RSASHA1), 'unsupported', {
      stricter: 'BIP353 forbids SHA-1',
    }),
    {
      label: 'a digest of SHA-1',
      question: brokenName('other'),
      records: withKeys(other, other.keys, 1),
      fault: 'unsupported',
      stricter: 'SHA-1 is never taken here',
    },
    only('keys of 1,016 bits', broken('short', { bits: 1016 }, ALGORITHM.RSASHA256), 'unsupported', {
      stricter: 'BIP353 forbids shorter keys than 1,024 bits',
    }),
    only('keys of 4,104 bits', broken('long', { bits: 4104 }, ALGORITHM.RSASHA256), 'unsupported', {
      stricter: 'no zone has such',
    }),
    {
      label: 'two keys with one tag',
      question: brokenName('twins'),
      records: [
        ...above,
        ...test.sign(delegation(colliding)),
        ...signSet(
          colliding.keys.filter(({ type }) => type === DNS.DNSKEY),
          colliding.name,
          colliding.keyKey,
          dated,
        ),
        ...colliding.sign(txt(brokenName('twins'), TEXT)),
      ],
      fault: 'key-tag',
      stricter: 'resolvers try a few keys of one tag',
    },

    { label: 'a wildcard, and no denial', question: NAME, records: [...whole, ...wild], fault: 'denial' },
    {
      label: 'a wildcard, and an NSEC that matches the name',
      question: NAME,
      records: [...whole, ...wild, ...pay.sign(nsec(NAME, `bob.${BELOW}`, [DNS.CNAME, DNS.RRSIG, DNS.NSEC]))],
      fault: 'denial',
    },
    {
      label: 'a wildcard, and an NSEC that shows the name to have others below',
      question: NAME,
      records: [...whole, ...wild, ...pay.sign(nsec(`alibi.${BELOW}`, `x.${NAME}`))],
      fault: 'denial',
    },
    {
      label: 'a wildcard, and an NSEC of another part',
      question: NAME,
      records: [...whole, ...wild, ...pay.sign(nsec(`carol.${BELOW}`, `dave.${BELOW}`))],
      fault: 'denial',
    },
    {
      label: 'a wildcard, and an NSEC of another zone',
      question: NAME,
      records: [...whole, ...down(other), ...wild, ...other.sign(nsec(`alibi.${BELOW}`, `bob.${BELOW}`))],
      fault: 'denial',
    },
    {
      label: 'a wildcard, and an NSEC from a wildcard',
      question: NAME,
      records: [...whole, ...wild, ...pay.sign(nsec(`alibi.${BELOW}`, `bob.${BELOW}`), { signedAs: WILD })],
      fault: 'wildcard',
    },
    {
      label: 'a wildcard, and the NSEC of a delegation above the name',
      question: `a.sub.${BELOW}`,
      records: [
        ...whole,
        ...pay.sign(txt(`a.sub.${BELOW}`, TEXT), { signedAs: `*.sub.${BELOW}` }),
        ...pay.sign(nsec(`sub.${BELOW}`, `t.${BELOW}`, [DNS.NS, DNS.RRSIG, DNS.NSEC])),
      ],
      fault: 'denial',
    },
    {
      label: 'a wildcard, and the NSEC of an alias for all that is below',
      question: `a.sub.${BELOW}`,
      records: [
        ...whole,
        ...pay.sign(txt(`a.sub.${BELOW}`, TEXT), { signedAs: `*.sub.${BELOW}` }),
        ...pay.sign(nsec(`sub.${BELOW}`, `t.${BELOW}`, [DNS.DNAME, DNS.RRSIG, DNS.NSEC])),
      ],
      fault: 'denial',
    },
    {
      label: 'a wildcard, and an NSEC3 that matches the name',
      question: NAME,
      records: [...whole, ...wild, ...pay.sign(nsec3('pay.test.', [nsec3Hash(NAME), nsec3Hash(`bob.${BELOW}`)]))],
      fault: 'denial',
    },
    {
      label: 'a wildcard, and an NSEC3 that leaves names out',
      question: NAME,
      records: [...whole, ...wild, ...pay.sign(nsec3Around('pay.test.', NAME, { flags: 1 }))],
      fault: 'unsupported',
      stricter: 'what is opted out would have no signature',
    },
    {
      label: 'a wildcard, and an NSEC3 of too many iterations',
      question: NAME,
      records: [...whole, ...wild, ...pay.sign(nsec3Around('pay.test.', NAME, { iterations: 151 }))],
      fault: 'unsupported',
    },
    {
      label: 'a wildcard, and a false NSEC3',
      question: NAME,
      records: [...whole, ...wild, ...pay.sign(nsec3Around('pay.test.', NAME), { spoil: spoilt(3) })],
      fault: 'signature',
    },
    {
      label: 'a wildcard above the zone',
      question: NAME,
      records: [...whole, ...pay.sign(txt(NAME, TEXT), { signedAs: '*.test.' }), ...absent],
      fault: 'signature',
    },
    {
      label: 'more labels than the name has',
      question: NAME,
      records: [...whole, ...pay.sign(txt(NAME, TEXT), { labels: 7 })],
      fault: 'signature',
    },
    {
      label: 'a delegation from a wildcard',
      question: NAME,
      records: [
        ...above,
        ...test.sign(delegation(pay), { signedAs: '*.test.' }),
        ...test.sign(nsec('pax.test.', 'paz.test.')),
        ...pay.keys,
        ...alice,
      ],
      fault: 'wildcard',
      stricter: 'BIND takes a wildcard for delegations',
    },
    {
      label: 'an alias below from a wildcard',
      question: NAME,
      records: [
        ...whole,
        ...down(other),
        ...pay.sign(dname(BELOW, 'names.other.test.'), { signedAs: '*._bitcoin-payment.pay.test.' }),
        ...absent,
        ...other.sign(txt('alice.names.other.test.', TEXT)),
      ],
      fault: 'wildcard',
    },
    {
      label: 'the wildcard itself',
      question: WILD,
      records: [...whole, ...pay.sign(txt(WILD, TEXT))],
      fault: 'wildcard',
      stricter: 'nobody is called *',
    },

    {
      label: 'nine aliases',
      question: hop(0),
      records: [...whole, ...hops(9)],
      fault: 'alias',
      stricter: 'no name needs so many',
    },
    {
      label: 'aliases in a circle',
      question: hop(0),
      records: [...whole, ...alias(hop(0), hop(1)), ...alias(hop(1), hop(0))],
      fault: 'alias',
    },
    {
      label: 'two aliases of one name',
      question: NAME,
      records: [
        ...whole,
        ...pay.sign([cname(NAME, hop(0)), cname(NAME, hop(1))]),
        ...pay.sign(txt(hop(0), TEXT)),
        ...pay.sign(txt(hop(1), TEXT)),
      ],
      fault: 'alias',
    },
    {
      label: 'an alias that nobody signs',
      question: NAME,
      records: [...whole, cname(NAME, hop(0)), ...pay.sign(txt(hop(0), TEXT))],
      fault: 'missing',
    },
    {
      label: 'an alias that grows too long',
      question: `${'a'.repeat(63)}.${BELOW}`,
      records: [...whole, ...pay.sign(dname(BELOW, `${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.test.`))],
      fault: 'alias',
    },
  ];
  return { anchors: [anchorOf(root)], root, cases };
}

/** Finds two keys of Ed25519 with one tag among many: the tag has only 16 bits. */
function collidingKeys(): readonly [ReturnType<typeof makeKey>, ReturnType<typeof makeKey>] {
  const seen = new Map<number, ReturnType<typeof makeKey>>();
  for (;;) {
    const key = makeKey(ALGORITHM.ED25519);
    const twin = seen.get(key.tag);
    if (twin) return [twin, key];
    seen.set(key.tag, key);
  }
}
