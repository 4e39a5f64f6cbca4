import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ripemd160 } from '../../src/core/crypto/hash.ts';
import {
  type Context,
  collectKeys,
  decodeMiniscript,
  encodeMiniscript,
  type FaultReason,
  findFault,
  type HashName,
  type Miniscript,
  mapKeys,
  maxSatisfactionSize,
  parseMiniscript,
  printMiniscript,
  satisfy,
} from '../../src/core/descriptors/miniscript/index.ts';
import { campaign } from '../support/campaign.ts';
import {
  encodeDer,
  formatHex,
  hash160,
  nobleEcc,
  parseHex,
  type SignatureChecker,
  sha256,
  sha256d,
  tapLeafHash,
  tapTweakHash,
  verifyScript,
} from '../support/library.ts';

const CONTEXTS: readonly Context[] = ['wsh', 'tapscript'];
const RUNS = campaign(1500);

/** The keys, by number; each has signed the same digest in advance. */
const DIGEST = new Uint8Array(32).fill(7);
const SIGNERS = Array.from({ length: 60 }, (_, i) => {
  const secret = new Uint8Array(32).fill(i + 1);
  const publicKey = nobleEcc.publicKey(secret);
  return {
    wsh: { key: publicKey, signature: Uint8Array.of(...encodeDer(nobleEcc.signEcdsa(DIGEST, secret)), 1) },
    tapscript: {
      key: publicKey.slice(1),
      signature: Uint8Array.of(...nobleEcc.signSchnorr(DIGEST, secret, new Uint8Array(32)), 1),
    },
  };
});
const keyOf = (context: Context, number: number): Uint8Array =>
  (SIGNERS[number % SIGNERS.length] ?? SIGNERS[0])?.[context].key ?? new Uint8Array(0);
const signatureOf = (context: Context, key: Uint8Array): Uint8Array | undefined =>
  SIGNERS.find((signer) => formatHex(signer[context].key) === formatHex(key))?.[context].signature;

const HASHES: Readonly<Record<HashName, (data: Uint8Array) => Uint8Array>> = {
  sha256,
  hash256: sha256d,
  ripemd160,
  hash160,
};
const PREIMAGES = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
const hashes = (Object.keys(HASHES) as HashName[]).flatMap((name) =>
  PREIMAGES.map((preimage) => `${name}(${formatHex(HASHES[name](preimage))})`),
);

type Texts = {
  readonly B: string;
  readonly V: string;
  readonly K: string;
  readonly W: string;
  readonly D: string;
};

/** Generates texts that are mostly correctly typed. `D` are of type B, and most of them can be dissatisfied. */
function expressions(context: Context): fc.LetrecValue<Texts> {
  const wrapped = (letter: string, text: string): string =>
    /^[a-z]+:/.test(text) ? letter + text : `${letter}:${text}`;
  return fc.letrec<Texts>((tie) => {
    const list = (name: string, ...kinds: readonly (keyof Texts)[]): fc.Arbitrary<string> =>
      fc.tuple(...kinds.map((kind) => tie(kind))).map((subs) => `${name}(${subs.join(',')})`);
    const wrap = (letters: string, kind: keyof Texts): fc.Arbitrary<string> =>
      fc.tuple(fc.constantFrom(...letters), tie(kind)).map(([letter, text]) => wrapped(letter, text));
    const key = fc.nat({ max: SIGNERS.length - 1 }).map(String);
    const check = fc.tuple(fc.constantFrom('pk', 'pkh'), key).map(([name, number]) => `${name}(${number})`);
    const lock = fc
      .tuple(fc.constantFrom('older', 'after'), fc.constantFrom(1, 16, 17, 144, 4194305, 499999999, 500000000))
      .map(([name, number]) => `${name}(${number})`);
    const multi = fc
      .uniqueArray(fc.nat({ max: SIGNERS.length - 1 }), { minLength: 1, maxLength: 5 })
      .chain((keys) => fc.integer({ min: 1, max: keys.length }).map((required) => [required, ...keys].join(',')))
      .map((inner) => `${context === 'wsh' ? 'multi' : 'multi_a'}(${inner})`);
    const thresh = fc
      .tuple(tie('D'), fc.array(wrap('as', 'D'), { maxLength: 4 }), fc.nat())
      .map(([first, rest, n]) => `thresh(${1 + (n % (rest.length + 1))},${[first, ...rest].join(',')})`);
    const leaf = fc.oneof(check, check, check, multi, lock, fc.constantFrom(...hashes), fc.constantFrom('0', '1'));
    return {
      B: fc.oneof(
        { withCrossShrink: true, depthSize: 'small' },
        leaf,
        tie('D'),
        list('and_v', 'V', 'B'),
        list('and_b', 'B', 'W'),
        list('or_d', 'D', 'B'),
        list('or_i', 'B', 'B'),
        list('andor', 'D', 'B', 'B'),
        wrap('c', 'K'),
        wrap('dt', 'V'),
        wrap('jnlu', 'B'),
      ),
      D: fc.oneof(
        { withCrossShrink: true, depthSize: 'small' },
        fc.oneof(check, check, multi, fc.constant('0')),
        thresh,
        list('or_b', 'D', 'W'),
        list('or_d', 'D', 'D'),
        list('and_b', 'D', 'W'),
        list('and_n', 'D', 'B'),
        list('andor', 'D', 'B', 'D'),
        list('or_i', 'D', 'B'),
        wrap('lu', 'B'),
        wrap('d', 'V').map((text) => wrapped('n', text)),
        wrap('j', 'B'),
      ),
      V: fc.oneof(
        { withCrossShrink: true, depthSize: 'small' },
        wrap('v', 'B'),
        list('and_v', 'V', 'V'),
        list('or_c', 'D', 'V'),
        list('or_i', 'V', 'V'),
        list('andor', 'D', 'V', 'V'),
      ),
      K: fc.oneof(
        { withCrossShrink: true, depthSize: 'small' },
        fc.tuple(fc.constantFrom('pk_k', 'pk_h'), key).map(([name, number]) => `${name}(${number})`),
        list('and_v', 'V', 'K'),
        list('or_i', 'K', 'K'),
        list('andor', 'D', 'K', 'K'),
      ),
      W: fc.oneof(
        wrap('a', 'B'),
        check.map((text) => `s:${text}`),
        wrap('s', 'D'),
      ),
    };
  });
}

function parse(text: string, context: Context): Miniscript<number> | undefined {
  const parsed = parseMiniscript(text, { context, parseKey: Number });
  return parsed.kind === 'miniscript' && parsed.root.type.base === 'B' ? parsed.root : undefined;
}
const encode = (root: Miniscript<number>): Uint8Array => encodeMiniscript(root, (key) => keyOf(root.context, key));
const print = (root: Miniscript<number>): string => printMiniscript(root, String);

/** Decides for each lock whether it is met, and for each key and hash whether its signature or preimage is known. */
type Knows = (item: string) => boolean;

function checkerFor(knows: Knows, context: Context): SignatureChecker {
  const isOwn = (signature: Uint8Array, key: Uint8Array): boolean => {
    const own = signatureOf(context, key);
    return own !== undefined && formatHex(own) === formatHex(signature);
  };
  return {
    checkEcdsa: isOwn,
    checkSchnorr: (signature, key) => (isOwn(signature, key) ? undefined : 'SCHNORR_SIG'),
    checkLockTime: (lock) => knows(`after(${lock})`),
    checkSequence: (lock) => knows(`older(${lock})`),
  };
}

function satisfied(root: Miniscript<number>, knows: Knows): readonly Uint8Array[] | undefined {
  const { context } = root;
  return satisfy(
    mapKeys(root, (key) => keyOf(context, key)),
    {
      sign: (key) => (knows(formatHex(key)) ? signatureOf(context, key) : undefined),
      preimage: (name, hash) =>
        knows(formatHex(hash))
          ? PREIMAGES.find((preimage) => formatHex(HASHES[name](preimage)) === formatHex(hash))
          : undefined,
      isMet: (kind, lock) => knows(`${kind}(${lock})`),
    },
  );
}

const INTERNAL = nobleEcc.publicKey(new Uint8Array(32).fill(99)).slice(1);

/** Verifies a witness against an output that pays to the script. */
function run(root: Miniscript<number>, items: readonly Uint8Array[], knows: Knows): ReturnType<typeof verifyScript> {
  const script = encode(root);
  const checker = checkerFor(knows, root.context);
  const scriptSig = new Uint8Array(0);
  if (root.context === 'wsh') {
    const scriptPubKey = Uint8Array.of(0, 32, ...sha256(script));
    return verifyScript({ scriptSig, scriptPubKey, witness: [...items, script], checker });
  }
  const output = nobleEcc.tweakPublicKey(INTERNAL, tapTweakHash(INTERNAL, tapLeafHash(script)));
  const scriptPubKey = Uint8Array.of(0x51, 32, ...(output?.publicKey ?? []));
  const controlBlock = Uint8Array.of(0xc0 | (output?.parity ?? 0), ...INTERNAL);
  return verifyScript({ scriptSig, scriptPubKey, witness: [...items, script, controlBlock], checker });
}

const sizeOf = (items: readonly Uint8Array[]): number => items.reduce((size, item) => size + item.length + 1, 0);

describe.each(CONTEXTS)('random expressions, %s', (context) => {
  const { B } = expressions(context);
  const keyLookup = (root: Miniscript<number>): ((hash: Uint8Array) => Uint8Array | undefined) => {
    const known = new Map(
      collectKeys(root).map((key) => [formatHex(hash160(keyOf(context, key))), keyOf(context, key)]),
    );
    return (hash) => known.get(formatHex(hash));
  };

  test('survive printing and parsing, and encoding and decoding', () => {
    let valid = 0;
    fc.assert(
      fc.property(B, (text) => {
        const root = parse(text, context);
        if (!root) return;
        valid += 1;
        const script = encode(root);
        expect(script).toHaveLength(root.scriptSize);
        const again = parse(print(root), context);
        expect(again && print(again)).toBe(print(root));
        expect(again && encode(again)).toEqual(script);
        const decoded = decodeMiniscript(script, keyLookup(root), context);
        // Only the scripts are equal: different expressions can share a script, as when and_v moves out of a fragment.
        expect(decoded && encodeMiniscript(decoded, (key) => key)).toEqual(script);
        const twice = decoded && decodeMiniscript(script, keyLookup(root), context);
        expect(twice && printMiniscript(twice, formatHex)).toBe(decoded && printMiniscript(decoded, formatHex));
      }),
      RUNS,
    );
    expect(valid).toBeGreaterThan(RUNS.numRuns / 8);
  });

  function expectSpend(
    root: Miniscript<number>,
    items: readonly Uint8Array[],
    knows: Knows,
    reason: FaultReason | undefined,
  ): void {
    if (run(root, items, knows).kind !== 'valid') expect(reason).toBe('resource-limits');
    const most = maxSatisfactionSize(root);
    expect(items.length).toBeLessThanOrEqual(most?.items ?? -1);
    expect(sizeOf(items)).toBeLessThanOrEqual(most?.bytes ?? -1);
  }

  test('are satisfied by witnesses that the interpreter accepts, within the computed size', () => {
    let spent = 0;
    fc.assert(
      fc.property(B, fc.func(fc.boolean()), fc.boolean(), (text, chosen, knowsAll) => {
        const root = parse(text, context);
        if (!root) return;
        const knows: Knows = (item) => knowsAll || chosen(item);
        const reason = findFault(root, String)?.reason;
        const items = satisfied(root, knows);
        if (knowsAll && reason === undefined) expect(items).toBeDefined();
        if (!items) return;
        spent += 1;
        expect(reason).not.toBe('not-satisfiable');
        expectSpend(root, items, knows, reason);
      }),
      RUNS,
    );
    expect(spent).toBeGreaterThan(RUNS.numRuns / 20);
  });

  test('stay satisfiable when more is known', () => {
    fc.assert(
      fc.property(B, fc.func(fc.boolean()), fc.func(fc.boolean()), (text, first, more) => {
        const root = parse(text, context);
        if (!root || findFault(root, String)) return;
        const before = satisfied(root, first);
        const after = satisfied(root, (item) => first(item) || more(item));
        if (before) expect(after).toBeDefined();
      }),
      RUNS,
    );
  });

  test('obey the rules between type properties', () => {
    fc.assert(
      fc.property(B, (text) => {
        const { type } = parse(text, context) ?? {};
        if (!type) return;
        expect(type.z && type.o).toBe(false);
        expect(type.n && type.z).toBe(false);
        expect(type.e && type.f).toBe(false);
        expect(type.d && type.f).toBe(false);
        expect(type.e && !type.d).toBe(false);
        expect(type.z && !type.m).toBe(false);
      }),
      RUNS,
    );
  });
});

describe('random input', () => {
  const PIECES = [
    'pk(',
    'pk_h(',
    'or_i(',
    'thresh(',
    'andor(',
    'multi(',
    'multi_a(',
    'older(',
    '0',
    '1',
    ',',
    ')',
    'v:',
    'asdcvjntlu',
    ':',
    '{',
    '}',
    '2',
    '-',
  ];
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join('')),
    expressions('wsh').B.chain((valid) =>
      fc
        .tuple(fc.nat({ max: valid.length }), fc.constantFrom(...PIECES, ''))
        .map(([at, piece]) => valid.slice(0, at) + piece + valid.slice(at + 1)),
    ),
  );

  test('as text is refused, or can be printed and parsed again', () => {
    fc.assert(
      fc.property(text, (input) => {
        for (const context of CONTEXTS) {
          const parsed = parseMiniscript(input, { context, parseKey: (key) => key });
          if (parsed.kind === 'fault') expect(parsed.offset).toBeLessThanOrEqual(input.length);
          else
            expect(
              parseMiniscript(
                printMiniscript(parsed.root, (key) => key),
                { context, parseKey: (key) => key },
              ).kind,
            ).toBe('miniscript');
        }
      }),
      campaign(3000),
    );
  });

  test('as script is refused, or decoded into an expression with the same script', () => {
    const opcode = fc.constantFrom(
      '51',
      '00',
      '52',
      '63',
      '64',
      '67',
      '68',
      '69',
      '6b',
      '6c',
      '73',
      '76',
      '7c',
      '82',
      '87',
      '88',
      '92',
      '93',
      '9a',
      '9b',
      '9c',
      'ac',
      'ad',
      'ba',
      'b1',
      'b2',
    );
    const key = fc.nat({ max: 5 }).map((number) => formatHex(keyOf('tapscript', number)));
    const script = fc.array(
      fc.oneof(
        opcode,
        key.map((x) => `20${x}`),
        key.map((x) => `2102${x}`),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(script, fc.constantFrom(...CONTEXTS), (parts, context) => {
        const bytes = parseHex(parts.join(''));
        const root = decodeMiniscript(bytes, () => undefined, context);
        if (root) expect(encodeMiniscript(root, (key) => key)).toEqual(bytes);
      }),
      campaign(20_000),
    );
  });
});
