import fc from 'fast-check';
import { script as anyScript } from '../../support/arbitraries.ts';
import { descriptorChecksum, formatAddress, formatHex, networks } from '../../support/library.ts';
import { mostly } from '../scripts/stackItems.ts';
import { keyText, rarely, someHex, thresholdText } from './descriptorKeys.ts';
import { type Call, call, junkJson, junkText, named, otherArgs, quote } from './requests.ts';

/**
 * Random calls of `getdescriptorinfo` and `deriveaddresses`, in the syntax of 0.21: no taproot, miniscript or
 * multipath.
 */

const ofKey = (name: string): fc.Arbitrary<string> => keyText.map((key) => `${name}(${key})`);
const keyFunction = fc.constantFrom('pk', 'pkh', 'wpkh', 'combo').chain(ofKey);

const keyCount = mostly(
  fc.integer({ min: 1, max: 4 }),
  fc.oneof(fc.constantFrom(0, 15, 16, 17, 20, 21), fc.integer({ min: 5, max: 21 })),
  8,
);
const multi: fc.Arbitrary<string> = keyCount.chain((count) =>
  fc
    .tuple(
      fc.constantFrom('multi', 'sortedmulti'),
      thresholdText(count),
      fc.array(keyText, { minLength: count, maxLength: count }),
    )
    .map(([name, required, keys]) => `${name}(${[required, ...keys].join()})`),
);

const address = fc
  .tuple(rarely(fc.constant(networks['litecoin-regtest']), fc.constantFrom(...Object.values(networks)), 6), anyScript)
  .map(([network, scriptPubKey]) => formatAddress(scriptPubKey, network) ?? formatHex(scriptPubKey));
const plain = fc.oneof(
  rarely(address, junkText).map((text) => `addr(${text})`),
  rarely(
    anyScript.map((scriptPubKey) => formatHex(scriptPubKey)),
    fc.oneof(someHex, fc.constantFrom('', '0', 'zz', '5152 ', 'AB')),
  ).map((text) => `raw(${text})`),
);

const inSh = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('wpkh', 'pkh', 'pk').chain(ofKey) },
  { weight: 6, arbitrary: multi },
);
const wrapping = (name: string, inner: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  inner.map((text) => `${name}(${text})`);
const inWsh = fc.oneof(fc.constantFrom('pkh', 'pk').chain(ofKey), multi);
const good: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: keyFunction },
  { weight: 4, arbitrary: multi },
  { weight: 4, arbitrary: wrapping('sh', inSh) },
  { weight: 4, arbitrary: wrapping('wsh', inWsh) },
  { weight: 3, arbitrary: wrapping('sh', wrapping('wsh', inWsh)) },
  { weight: 2, arbitrary: plain },
);
/** Functions in invalid positions. */
const misplaced = fc
  .tuple(
    fc.array(fc.constantFrom('sh', 'wsh', 'sh', 'wsh', 'wpkh', 'pkh', 'pk', 'combo'), { minLength: 1, maxLength: 3 }),
    good,
  )
  .map(([names, inner]) => names.reduce((text, name) => `${name}(${text})`, inner));

const LETTERS = [...'(),/*\'h[]#0a {}<>;@"\\', 'é', '\n'];
/** Inserts, removes or changes a character. */
const mistyped = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(text, fc.nat(), fc.nat({ max: 1 }), fc.constantFrom('', ...LETTERS)).map(([whole, at, removed, letter]) => {
    const letters = [...whole];
    letters.splice(at % (letters.length + 1), removed, letter);
    return letters.join('');
  });
const oddText = fc.oneof(
  { weight: 4, arbitrary: mistyped(good) },
  { weight: 3, arbitrary: misplaced },
  { weight: 1, arbitrary: good.map((text) => text.toUpperCase()) },
  { weight: 1, arbitrary: fc.tuple(good, good).map((texts) => texts.join()) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '()',
      'pk',
      'pk()',
      'pk(',
      'sh()',
      'sh(sh())',
      'multi()',
      'multi(1)',
      'multi(1,)',
      'wsh(,)',
    ),
  },
  { weight: 1, arbitrary: junkText },
);

/** Tells whether a text uses syntax that only newer nodes accept. */
const isNewer = (text: string): boolean =>
  /<|(^|[(,{:])(tr|rawtr|multi_a|sortedmulti_a|musig|unused|pk_k|pk_h|older|after|sha256|hash256|ripemd160|hash160|andor|and_v|and_b|and_n|or_b|or_c|or_d|or_i|thresh)\(/.test(
    text,
  );
const body = mostly(good, oddText, 2).filter((text) => !isNewer(text));

const checksumOf = (text: string): string => descriptorChecksum(text) ?? 'qqqqqqqq';
const CHECKSUMS = {
  right: (text) => `${text}#${checksumOf(text)}`,
  none: (text) => text,
  wrong: (text, at) =>
    `${text}#${checksumOf(text).replace(/./g, (c, i) => (i !== at % 8 ? c : c === 'q' ? 'p' : 'q'))}`,
  short: (text, at) => `${text}#${checksumOf(text).slice(0, at % 8)}`,
  long: (text) => `${text}#${checksumOf(text)}q`,
  upper: (text) => `${text}#${checksumOf(text).toUpperCase()}`,
  twice: (text) => `${text}#${checksumOf(text)}#${checksumOf(text)}`,
  ofOther: (text, at) => `${[...text].filter((_, i) => i !== at).join('')}#${checksumOf(text)}`,
} satisfies Readonly<Record<string, (text: string, at: number) => string>>;
const withChecksum = (usual: fc.Arbitrary<keyof typeof CHECKSUMS>): fc.Arbitrary<string> => {
  const names = Object.keys(CHECKSUMS) as (keyof typeof CHECKSUMS)[];
  return fc
    .tuple(body, mostly(usual, fc.constantFrom(...names), 9), fc.nat({ max: 60 }))
    .map(([text, how, at]) => CHECKSUMS[how](text, at))
    .filter((text) => !isNewer(text));
};

/** A descriptor, mostly valid, and mostly without a checksum. */
export const descriptorText: fc.Arbitrary<string> = withChecksum(fc.constantFrom('none', 'none', 'right'));

const oddCalls = (method: string, names: readonly string[], args: readonly string[]): fc.Arbitrary<Call> =>
  fc.oneof(
    otherArgs(args).map((other) => call(method, ...other)),
    named(names, args).map((params) => ({ method, params })),
  );

export const description: fc.Arbitrary<Call> = descriptorText.chain((text) =>
  rarely(
    fc.constant(call('getdescriptorinfo', quote(text))),
    oddCalls('getdescriptorinfo', ['descriptor'], [quote(text)]),
    40,
  ),
);

const index = fc.nat({ max: 6 });
const goodRange = fc.oneof(
  index.map(String),
  fc.tuple(index, index).map(([first, more]) => `[${first},${first + more}]`),
  index.map((more) => `[${0x7fff_ffff - more},2147483647]`),
);
export const oddRange = fc.oneof(
  fc.constantFrom(
    '-1',
    '[5,3]',
    '[-1,3]',
    '[0]',
    '[0,1,2]',
    '[]',
    '"5"',
    'null',
    '1.5',
    '1e1',
    '[0,1.5]',
    '["0","1"]',
    '[null,1]',
    '{}',
    'true',
  ),
  fc.constantFrom(
    '2147483648',
    '[2147483647,2147483648]',
    '1000000',
    '[5,1000005]',
    '[0,9223372036854775807]',
    '[0,9223372036854775808]',
  ),
  junkJson,
);
const isRanged = (text: string): boolean => /\/\*['h]?[,)]/.test(text);

export const derivation: fc.Arbitrary<Call> = fc
  .tuple(
    withChecksum(fc.constant('right')),
    rarely(goodRange, oddRange, 8),
    rarely(fc.constant(true), fc.constant(false), 15),
  )
  .chain(([text, range, isFitting]) => {
    const args = isRanged(text) === isFitting ? [quote(text), range] : [quote(text)];
    return rarely(
      fc.constant(call('deriveaddresses', ...args)),
      oddCalls('deriveaddresses', ['descriptor', 'range'], args),
      40,
    );
  });
