import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBtcError } from '../../src/core/errors.ts';
import { campaign, rounds } from '../support/campaign.ts';
import { bodyOf, expectInferred, parse, scriptsAt } from '../support/descriptorRows.ts';
import {
  BtcError,
  createDeriver,
  type Descriptor,
  formatDescriptor,
  formatHex,
  formatPath,
  formatWif,
  formatXprv,
  formatXpub,
  HARDENED,
  hasPrivateKeys,
  isRanged,
  masterKey,
  networks,
  nobleEcc,
  parseDescriptor,
  sha256,
  singlePaths,
} from '../support/library.ts';

const { main } = networks;

/**
 * Places of keys in the shapes of descriptors: `K` in a witness script, `L` where uncompressed keys are allowed, too, `X`
 * in a script tree, `M` where `musig()` is allowed. Each place gets a different key.
 */
const KEY_PLACES = /[KLXM](?=[,)}])/g;
const KEY_COUNT = 24;

const joined = (name: string, texts: readonly string[]): string => `${name}(${texts.join(',')})`;
const lock = fc.constantFrom('older(1)', 'older(144)', 'older(4194305)', 'after(499999999)', 'after(500000000)');
const hash = fc
  .tuple(fc.constantFrom('sha256', 'hash256', 'ripemd160', 'hash160'), fc.nat({ max: 3 }))
  .map(([name, n]) => `${name}(${formatHex(sha256(Uint8Array.of(n))).slice(0, name.endsWith('160') ? 40 : 64)})`);

/** Generates a multisig of `most` keys at most. */
function multi(names: readonly string[], letter: string, most: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: most }), fc.nat())
    .map(([name, count, n]) => joined(name, [`${1 + (n % count)}`, ...Array.from({ length: count }, () => letter)]));
}

/** Generates miniscript that is sane if all its keys are different. */
function miniscript(key: string, multiName: string): fc.Arbitrary<string> {
  const { sane } = fc.letrec<{ sane: string; check: string }>((tie) => ({
    check: fc.oneof(fc.constant(`pk(${key})`), fc.constant(`pkh(${key})`), multi([multiName], key, 3)),
    sane: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.tuple(fc.oneof(lock, hash), tie('check')).map(([condition, check]) => `and_v(v:${check},${condition})`),
      fc.tuple(tie('check'), tie('sane')).map(([check, other]) => `or_d(${check},${other})`),
      fc.tuple(tie('check'), tie('sane')).map(([check, other]) => `and_v(v:${check},${other})`),
      fc.tuple(tie('sane'), tie('sane')).map(([first, second]) => `or_i(${first},${second})`),
      fc.tuple(tie('check'), lock, tie('sane')).map(([check, after, other]) => `andor(${check},${after},${other})`),
      fc
        .tuple(fc.integer({ min: 2, max: 3 }), lock)
        .map(([n, after]) => `thresh(${n},pk(${key}),s:pk(${key}),sln:${after})`),
      fc.constant(`t:or_c(pk(${key}),v:pkh(${key}))`),
      fc.constant(`or_b(pk(${key}),a:pkh(${key}))`),
      fc.constant(`andor(pk(${key}),1,pk(${key}))`),
    ),
  }));
  return sane;
}

const leaf = fc.oneof(
  fc.constant('pk(M)'),
  fc.constant('pkh(X)'),
  multi(['multi_a', 'sortedmulti_a'], 'X', 4),
  miniscript('X', 'multi_a'),
);
const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.tuple(tie('tree'), tie('tree')).map(([left, right]) => `{${left},${right}}`),
  ),
}));
const witness = fc.oneof(
  fc.constantFrom('pk(K)', 'pkh(K)'),
  multi(['multi', 'sortedmulti'], 'K', 5),
  miniscript('K', 'multi'),
);
const shape = fc
  .oneof(
    fc.constantFrom('pk(L)', 'pkh(L)', 'wpkh(K)', 'combo(L)', 'sh(pk(L))', 'sh(pkh(L))', 'sh(wpkh(K))'),
    fc.constantFrom('tr(M)', 'rawtr(M)'),
    multi(['multi', 'sortedmulti'], 'L', 3),
    multi(['multi', 'sortedmulti'], 'L', 6).map((text) => `sh(${text})`),
    witness.map((text) => `wsh(${text})`),
    witness.map((text) => `sh(wsh(${text}))`),
    tree.map((text) => `tr(M,${text})`),
  )
  .filter((text) => (text.match(KEY_PLACES)?.length ?? 0) <= KEY_COUNT);

/** The text of a key expression or descriptor in its private and its public form. */
interface Key {
  readonly secret: string;
  readonly shown: string;
}
const MASTERS = Array.from({ length: 4 * KEY_COUNT }, (_, i) => masterKey(new Uint8Array(32).fill(i + 1)));

const step = fc.oneof(fc.nat({ max: 3 }), fc.integer({ min: 0, max: HARDENED - 1 }));
const anyStep = fc.oneof({ weight: 5, arbitrary: step }, { weight: 1, arbitrary: step.map((n) => n + HARDENED) });
const keyStyle = fc.record({
  form: fc.constantFrom<('single' | 'long' | 'full' | 'musig' | 'extended')[]>(
    'single',
    'long',
    'full',
    'musig',
    'extended',
    'extended',
    'extended',
  ),
  mark: fc.constantFrom<("'" | 'h')[]>("'", 'h'),
  origin: fc.option(fc.tuple(fc.uint8Array({ minLength: 4, maxLength: 4 }), fc.array(anyStep, { maxLength: 3 }))),
  path: fc.array(anyStep, { maxLength: 3 }),
  choiceAt: fc.option(fc.nat({ max: 3 })),
  wildcard: fc.constantFrom('', '', '/*', '/*', '/*h'),
});
type KeyStyle = typeof keyStyle extends fc.Arbitrary<infer T> ? T : never;

function pathText({ path, choiceAt, mark }: KeyStyle, paths: number): string {
  const steps = path.map((child) => formatPath([child], mark));
  if (choiceAt === null || paths === 1) return steps.join('');
  const choices = Array.from({ length: paths }, (_, i) =>
    formatPath([(path[0] ?? 0) % HARDENED < 1000 ? i : i + 7], mark),
  );
  return [
    ...steps.slice(0, choiceAt),
    `/<${choices.map((choice) => choice.slice(1)).join(';')}>`,
    ...steps.slice(choiceAt),
  ].join('');
}

function extendedKey(number: number, suffix: string): Key {
  const master = MASTERS[number] ?? MASTERS[0];
  if (!master) throw new Error('no keys');
  return { secret: `${formatXprv(master, main)}${suffix}`, shown: `${formatXpub(master, main)}${suffix}` };
}

function singleKey(number: number, { isLong, isXOnly }: { isLong: boolean; isXOnly: boolean }): Key {
  const secretKey = sha256(Uint8Array.of(number, 1));
  const shown = formatHex(nobleEcc.publicKey(secretKey, !isLong));
  return {
    secret: formatWif({ secretKey, isCompressed: !isLong }, main),
    shown: isXOnly ? shown.slice(2) : shown,
  };
}

const unhardened = (path: readonly number[]): readonly number[] => path.map((child) => child % HARDENED);
/**
 * Makes a `musig()` expression; its participants use `MASTERS` beyond those of other places, so that no key repeats.
 */
function musigKey(number: number, style: KeyStyle, paths: number): Key {
  const others = [number + KEY_COUNT, number + 2 * KEY_COUNT, number + 3 * KEY_COUNT].slice(0, 1 + (number % 3));
  const isDerived = style.mark === 'h';
  const isWild = style.wildcard !== '';
  const own = isDerived
    ? `${pathText({ ...style, path: unhardened(style.path) as number[] }, paths)}${isWild ? '/*' : ''}`
    : '';
  const parts = others.map((other, i) => {
    if (!isDerived && i === 0) return singleKey(other, { isLong: false, isXOnly: false });
    return extendedKey(other, isDerived ? '/5' : `${pathText(style, paths)}${style.wildcard.replace('h', style.mark)}`);
  });
  const form = (of: 'secret' | 'shown'): string => `musig(${parts.map((part) => part[of]).join(',')})${own}`;
  return { secret: form('secret'), shown: form('shown') };
}

function keyAt(place: string, number: number, style: KeyStyle, paths: number): Key {
  const { form, mark, origin, wildcard } = style;
  if (form === 'musig' && place === 'M') return musigKey(number, style, paths);
  const isXOnly = place === 'X' || place === 'M';
  const key =
    form === 'extended' || form === 'musig'
      ? extendedKey(number, `${pathText(style, paths)}${wildcard.replace('h', mark)}`)
      : singleKey(number, { isLong: form === 'long' && place === 'L', isXOnly });
  const isMarked = key.shown.startsWith('x') && key.shown.includes(mark);
  if (!origin) return key;
  // Origin and path share a hardened marker: that of the path, or of the origin if the path has no hardened step.
  const [fingerprint, path] = origin;
  const hasMark = isMarked || path.some((child) => child >= HARDENED);
  const from = `[${formatHex(fingerprint)}${formatPath(path, hasMark ? mark : 'h')}]`;
  return { secret: `${from}${key.secret}`, shown: `${from}${key.shown}` };
}

const descriptor: fc.Arbitrary<Key> = fc
  .tuple(shape, fc.array(keyStyle, { minLength: KEY_COUNT, maxLength: KEY_COUNT }), fc.integer({ min: 1, max: 3 }))
  .map(([text, styles, paths]) => {
    let next = 0;
    const keys: Key[] = [];
    const template = text.replace(KEY_PLACES, (place) => {
      const style = styles[next];
      if (!style) throw new Error('too many keys');
      keys.push(keyAt(place, next, style, paths));
      next += 1;
      return '$';
    });
    const fill = (of: 'secret' | 'shown'): string => {
      let at = 0;
      return template.replaceAll('$', () => keys[at++]?.[of] ?? '');
    };
    return { secret: fill('secret'), shown: fill('shown') };
  });

/** Counts the keys of a text that need a private key to be derived. */
const hardenedKeys = (text: string): number => text.match(/xpub[^/,)]*\/[^,)]*?[0-9*]['h]/g)?.length ?? 0;

/**
 * Tells whether Core refuses a generated descriptor, too: for mixed timelocks, or keys that it takes for duplicates.
 */
const isCoreRefusal = (reason: string): boolean =>
  /is not sane: (contains mixes|malleable)/.test(reason) ||
  (reason.includes('is not sane: contains duplicate public keys') && hardenedKeys(reason) > 1);

/** Parses a descriptor; `undefined` if Core refuses it, too. */
function parsed(text: string): Descriptor | undefined {
  try {
    return parse(text);
  } catch (error) {
    if (isBtcError(error, 'descriptor/invalid') && isCoreRefusal(error.data.reason)) return undefined;
    throw error;
  }
}

function scriptsOf(single: Descriptor, indexes: readonly number[]): readonly string[] | undefined {
  const derive = createDeriver(single);
  try {
    return indexes.map((index) => scriptsAt(derive(index)));
  } catch (error) {
    if (error instanceof BtcError && error.code === 'descriptor/underivable') return undefined;
    throw error;
  }
}

describe('random descriptors', () => {
  const index = fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: HARDENED - 1 }));

  test('survive parsing and printing, and have the same scripts in private and public form', () => {
    let read = 0;
    fc.assert(
      fc.property(descriptor, index, ({ secret, shown }, at) => {
        const own = parsed(secret);
        if (!own) return;
        read += 1;
        const known = parse(shown);
        expect([bodyOf(own, true), bodyOf(own), bodyOf(known), bodyOf(known, true)]).toEqual([
          secret,
          shown,
          shown,
          shown,
        ]);
        expect([hasPrivateKeys(own), hasPrivateKeys(known)]).toEqual([true, false]);
        const [singles, knownSingles] = [singlePaths(own), singlePaths(known)];
        expect(knownSingles.map((known) => bodyOf(known))).toEqual(singles.map((single) => bodyOf(single)));
        for (const [i, single] of singles.entries()) {
          const scripts = scriptsOf(single, [0, 1, at]);
          expect(scripts).toBeDefined();
          const again = parseDescriptor(formatDescriptor(single, main, { isPrivate: true }), main, {
            requireChecksum: true,
          });
          expect(scriptsOf(again, [0, 1, at])).toEqual(scripts);
          expect(new Set(scripts).size > 1).toBe(isRanged(single));
          const knownSingle = knownSingles[i];
          const inPublic = knownSingle && scriptsOf(knownSingle, [0, 1, at]);
          if (inPublic || !/[0-9*]['h]/.test(shown.replace(/\[[^\]]*\]/g, ''))) expect(inPublic).toEqual(scripts);
        }
      }),
      campaign(800),
    );
    expect(read).toBeGreaterThan(rounds(500));
  });

  test('are of every kind', () => {
    const kinds = new Set(
      fc.sample(descriptor, { numRuns: 800, seed: 1 }).map(({ secret }) => secret.replace(/\(.*/, '')),
    );
    expect([...kinds].sort()).toEqual([
      'combo',
      'multi',
      'pk',
      'pkh',
      'rawtr',
      'sh',
      'sortedmulti',
      'tr',
      'wpkh',
      'wsh',
    ]);
  });

  test('are inferred from their scripts when the keys are known', () => {
    fc.assert(
      fc.property(descriptor, index, ({ secret }, at) => {
        const own = parsed(secret);
        if (own) for (const single of singlePaths(own)) expectInferred(single, at);
      }),
      campaign(300),
    );
  });

  /** Finds words that an error quotes from the input and that could be part of a private key. */
  function leakedSecrets(text: string): readonly string[] {
    try {
      const first = formatDescriptor(parse(text), main, { isPrivate: true });
      expect(formatDescriptor(parse(first), main, { isPrivate: true })).toBe(first);
      return [];
    } catch (error) {
      if (!(error instanceof BtcError)) throw error;
      const logged = `${error.message} ${JSON.stringify(error.data)}`;
      const words = logged.match(/[1-9A-HJ-NP-Za-km-z]{20,}/g) ?? [];
      return words.filter((word) => text.includes(word) && !/^([0-9a-f]+$|xpub)/.test(word));
    }
  }

  test('are parsed, or refused by an error without private keys, after being mangled', () => {
    const change = fc.tuple(fc.nat(), fc.nat({ max: 2 }), fc.constantFrom(..."()[]{}<>,;/*'h#0aKpx "));
    fc.assert(
      fc.property(descriptor, fc.array(change, { minLength: 1, maxLength: 3 }), ({ secret }, changes) => {
        const mangled = changes.reduce((text, [where, removed, added]) => {
          const at = where % (text.length + 1);
          return text.slice(0, at) + added + text.slice(at + removed);
        }, secret);
        expect(leakedSecrets(mangled)).toEqual([]);
      }),
      campaign(1500),
    );
  });
});
