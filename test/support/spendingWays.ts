import fc from 'fast-check';
import {
  type Descriptor,
  formatHex,
  formatWif,
  hash160,
  networks,
  nobleEcc,
  parseDescriptor,
  sha256,
} from './library.ts';

// Descriptors with several ways to spend, of keys A to E.

const NOTHING = new Uint8Array(0);
export const LETTERS = ['A', 'B', 'C', 'D', 'E'];
const SECRETS = LETTERS.map((_, i) => new Uint8Array(32).fill(i + 1));
export const KEYS = SECRETS.map((secret) => nobleEcc.publicKey(secret));
export const PREIMAGE = new Uint8Array(32).fill(9);
export const HASHES = [sha256(PREIMAGE), hash160(PREIMAGE)];
/** BIP341's H. */
const H = '50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0';

/** Parses a descriptor of keys A to E, of which those of `signers` are private. */
export function descriptorOf(text: string, signers: readonly string[]): Descriptor {
  const keyOf = (letter: string): string => {
    const i = LETTERS.indexOf(letter);
    const secretKey = SECRETS[i] ?? NOTHING;
    return signers.includes(letter)
      ? formatWif({ secretKey, isCompressed: true }, networks.regtest)
      : formatHex(KEYS[i] ?? NOTHING);
  };
  const [sha = NOTHING, hash = NOTHING] = HASHES;
  const written = text
    .replace(/\bNUMS\b/g, H)
    .replace(/\bSHA\b/g, formatHex(sha))
    .replace(/\bHASH\b/g, formatHex(hash))
    .replace(/\b[A-E]\b/g, keyOf);
  return parseDescriptor(written, networks.regtest);
}

export const TEXTS = [
  'pkh(A)',
  'wpkh(A)',
  'sh(wpkh(A))',
  'tr(A)',
  'sh(multi(2,A,B,C))',
  'wsh(sortedmulti(2,A,B,C))',
  'sh(wsh(multi(1,A,B)))',
  'wsh(or_d(multi(2,A,B),and_v(v:pkh(C),older(10000))))',
  'wsh(or_d(pk(A),and_v(v:pkh(B),older(10))))',
  'tr(A,and_v(v:pk(B),older(10)))',
  'tr(NUMS,multi_a(2,A,B,C))',
  'tr(NUMS,pk(A))',
  'tr(A,{pk(B),{multi_a(2,B,C,D),and_v(v:pk(E),after(500))}})',
  'wsh(andor(pk(A),sha256(SHA),and_v(v:pk(B),after(500))))',
  'tr(NUMS,{and_v(v:hash160(HASH),pk(A)),and_v(v:pk(B),after(500))})',
  'wsh(thresh(2,pk(A),s:pk(B),sln:older(10)))',
  'wsh(or_i(and_v(v:pkh(A),sha256(SHA)),thresh(2,pk(B),s:pk(C),s:pk(D))))',
  'wsh(or_b(pk(A),a:and_b(pk(B),a:pk(C))))',
] as const;

/** Lists all sets of some items. */
export const subsets = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: 2 ** items.length }, (_, bits) => items.filter((_item, i) => bits & (1 << i)));

export const keysOf = (signers: readonly string[]): readonly Uint8Array[] =>
  signers.flatMap((letter) => KEYS[LETTERS.indexOf(letter)] ?? []);

/** Generates expressions of some keys, each used once. */
function expressions(keys: readonly string[], multi: 'multi' | 'multi_a'): fc.Arbitrary<string> {
  const [key = 'A', second = 'B', ...others] = keys;
  const lock = fc.constantFrom('older(10)', 'older(10000)', 'after(500)', 'sha256(SHA)', 'hash160(HASH)');
  const single = fc.constantFrom(`pk(${key})`, `pkh(${key})`);
  const locked = fc.tuple(single, lock).map(([of, by]) => `and_v(v:${of},${by})`);
  if (keys.length < 2) return fc.oneof(single, locked);
  const rest = expressions(keys.slice(1), multi);
  const quorum = fc.integer({ min: 1, max: keys.length }).map((required) => `${multi}(${[required, ...keys]})`);
  const compound = fc
    .tuple(fc.constantFrom('or_d', 'or_i', 'andor'), lock, rest)
    .map(([kind, by, of]) => (kind === 'andor' ? `andor(pk(${key}),${by},${of})` : `${kind}(pk(${key}),${of})`));
  const thresh = fc.constant(`thresh(2,pk(${key}),s:pk(${second}),sln:older(10))`);
  return fc.oneof(quorum, compound, ...(others.length === 0 ? [thresh] : []));
}

/** Generates descriptors of the same keys. */
export const generatedTexts: fc.Arbitrary<string> = fc
  .tuple(fc.shuffledSubarray(LETTERS, { minLength: 2 }), fc.constantFrom('wsh', 'sh(wsh', 'tr', 'tr2'))
  .chain(([keys, kind]) => {
    const [key = 'A', ...others] = keys;
    if (kind === 'wsh') return expressions(keys, 'multi').map((of) => `wsh(${of})`);
    if (kind === 'sh(wsh') return expressions(keys, 'multi').map((of) => `sh(wsh(${of}))`);
    const internal = fc.constantFrom(key, 'NUMS');
    if (kind === 'tr' || others.length < 2) {
      return fc.tuple(internal, expressions(others, 'multi_a')).map(([of, leaf]) => `tr(${of},${leaf})`);
    }
    const leaves = [others.slice(0, 1), others.slice(1)].map((of) => expressions(of, 'multi_a'));
    return fc.tuple(internal, ...leaves).map(([of, ...each]) => `tr(${of},{${each}})`);
  });
