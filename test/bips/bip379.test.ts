import { describe, expect, test } from 'vitest';
import {
  type Context,
  collectKeys,
  decodeMiniscript,
  encodeMiniscript,
  findFault,
  maxSatisfactionSize,
  type ParsedMiniscript,
} from '../../src/core/descriptors/miniscript/index.ts';
import { formatHex, hash160 } from '../support/library.ts';
import { asIs, keyBytes, parse, rootOf, withHashes } from '../support/miniscript.ts';

const CONTEXTS: readonly Context[] = ['wsh', 'tapscript'];

const bytesIn = (context: Context, name: string): Uint8Array =>
  context === 'wsh' ? keyBytes(name) : keyBytes(name).slice(1);

/**
 * Completes the hex of a script: `A` is the push of a key, `hA` of its hash, `#` and `#20` of hashes of 32 and 20
 * bytes.
 */
const withPushes = (script: string, context: Context): string =>
  script
    .replace(/h([A-Z])/g, (_, name) => `14${formatHex(hash160(bytesIn(context, name)))}`)
    .replace(/([A-Z])/g, (_, name) => `${context === 'wsh' ? '21' : '20'}${formatHex(bytesIn(context, name))}`)
    .replaceAll('#20', `14${'5a'.repeat(20)}`)
    .replaceAll('#', `20${'5a'.repeat(32)}`);

const isValid = (parsed: ParsedMiniscript<string>): boolean =>
  parsed.kind === 'miniscript' && parsed.root.type.base === 'B' && findFault(parsed.root, asIs)?.reason !== 'invalid';

interface Row {
  readonly text: string;
  /** The properties `m` and `s` if they hold, and `x` if timelocks mix. */
  readonly flags: string;
  readonly only?: Context;
  readonly script: string | undefined;
  /** Opcodes, witness items, bytes of a P2WSH and of a tapscript witness, peak stack items; `-` if unknown. */
  readonly sizes: readonly (number | undefined)[] | undefined;
}
const row = (text: string, flags: string, script?: string, sizes?: string): Row => {
  const numbers = sizes?.split(' ').map((number) => (number === '-' ? undefined : Number(number)));
  return { text, flags, script, sizes: numbers };
};
const only = (context: Context, anyContext: Row): Row => ({ ...anyContext, only: context });

// The expressions and their properties are those of Bitcoin Core's miniscript_tests, with other keys and hashes.
const VALID: readonly Row[] = [
  row('l:older(1)', 'm'),
  row('l:older(2147483647)', 'm'),
  row('u:after(1)', 'm'),
  row('u:after(2147483647)', 'm'),
  row('andor(0,1,1)', 'm'),
  row('andor(n:or_i(0,after(1)),1,1)', ''),
  row('c:andor(0,pk_k(A),pk_k(B))', 'ms'),
  row('t:andor(0,v:1,v:1)', 'm'),
  row('and_v(v:1,1)', 'm'),
  row('t:and_v(v:1,v:1)', 'm'),
  row('c:and_v(v:1,pk_k(A))', 'ms'),
  row('and_b(1,a:1)', 'm'),
  row('or_b(0,a:0)', 'ms'),
  row('t:or_c(0,v:1)', 'm'),
  row('t:or_c(n:or_i(0,after(1)),v:1)', ''),
  row('or_d(0,1)', 'm'),
  row('or_d(n:or_i(0,after(1)),1)', ''),
  row('or_i(1,1)', ''),
  row('t:or_i(v:1,v:1)', ''),
  row('c:or_i(pk_k(A),pk_k(B))', 'ms'),
  row('or_b(l:after(100),al:after(1000000000))', ''),
  row('and_b(after(100),a:after(1000000000))', 'mx'),
  row('pk(A)', 'ms', 'Aac'),
  row('pkh(A)', 'ms', '76a9hA88ac'),
  row('lltvln:after(1231488000)', 'm', '6300676300676300670400046749b1926869516868', '12 3 3 3 3'),
  only(
    'wsh',
    row(
      'uuj:and_v(v:multi(2,A,B),after(1231488000))',
      'ms',
      '636382926352AB52af0400046749b168670068670068',
      '14 5 151 0 7',
    ),
  ),
  only('wsh', row('or_b(un:multi(2,A,B),al:older(16))', '', '6352AB52ae926700686b63006760b2686c9b', '14 5 151 0 8')),
  row('j:and_v(vdv:after(1567547623),older(2016))', 'm', '829263766304e7e06e5db169686902e007b268', '11 1 2 2 2'),
  row('t:and_v(vu:hash256(#),v:sha256(#))', 'm', '6382012088aa#876700686982012088a8#8851', '12 3 68 68 4'),
  only(
    'wsh',
    row(
      't:andor(multi(3,A,B,C),v:older(4194305),v:sha256(#))',
      'm',
      '53ABC53ae6482012088a8#886703010040b2696851',
      '13 5 220 0 10',
    ),
  ),
  only(
    'wsh',
    row(
      'or_d(multi(1,A),or_b(multi(3,B,C,D),su:after(500000)))',
      'm',
      '51A51ae736453BCD53ae7c630320a107b16700689b68',
      '15 7 223 0 10',
    ),
  ),
  row(
    'or_d(sha256(#),and_n(un:after(499999999),older(4194305)))',
    '',
    '82012088a8#8773646304ff64cd1db19267006864006703010040b26868',
    '16 1 33 33 3',
  ),
  only(
    'wsh',
    row(
      'and_v(or_i(v:multi(2,A,B),v:multi(2,C,D)),sha256(#))',
      'ms',
      '6352AB52af6752CD52af6882012088a8#87',
      '11 5 182 0 8',
    ),
  ),
  only(
    'wsh',
    row(
      'j:and_b(multi(2,A,B),s:or_i(older(1),older(4252898)))',
      's',
      '82926352AB52ae7c6351b26703e2e440b2689a68',
      '14 4 149 0 8',
    ),
  ),
  row(
    'and_b(older(16),s:or_d(sha256(#),n:after(1567547623)))',
    '',
    '60b27c82012088a8#87736404e7e06e5db192689a',
    '12 1 33 33 4',
  ),
  row(
    'j:and_v(v:hash160(#),or_d(sha256(#),older(16)))',
    '',
    '82926382012088a9#208882012088a8#87736460b26868',
    '16 2 66 66 4',
  ),
  row(
    'and_b(hash256(#),a:and_b(hash256(#),a:older(1)))',
    'm',
    '82012088aa#876b82012088aa#876b51b26c9a6c9a',
    '15 2 66 66 4',
  ),
  only(
    'wsh',
    row('thresh(2,multi(2,A,B),a:multi(1,B),ac:pk_k(C))', 'ms', '52AB52ae6b51B51ae6c936bCac6c935287', '13 6 222 0 10'),
  ),
  row(
    'and_n(sha256(#),t:or_i(v:older(4252898),v:older(144)))',
    '',
    '82012088a8#876400676303e2e440b26967029000b269685168',
    '14 2 35 35 4',
  ),
  row(
    'or_d(nd:and_v(v:older(4252898),v:older(4252898)),sha256(#))',
    '',
    '766303e2e440b26903e2e440b2696892736482012088a8#8768',
    '15 2 34 34 3',
  ),
  only('wsh', row('c:and_v(or_c(sha256(#),v:multi(1,A)),pk_k(B))', 's', '82012088a8#876451A51af68Bac', '8 2 106 0 4')),
  only(
    'wsh',
    row('c:and_v(or_c(multi(2,A,B),v:ripemd160(#)),pk_k(C))', 'ms', '52AB52ae6482012088a6#208868Cac', '10 5 220 0 9'),
  ),
  row(
    'and_v(andor(hash256(#),v:hash256(#),v:older(50000)),after(499999999))',
    '',
    '82012088aa#87640350c300b2696782012088aa#886804ff64cd1db1',
    '14 2 66 66 4',
  ),
  row(
    'andor(hash256(#),j:and_v(v:hash160(#),older(4194305)),ripemd160(#))',
    '',
    '82012088aa#876482012088a6#20876782926382012088a9#208803010040b26868',
    '20 2 66 66 4',
  ),
  row('or_i(c:and_v(v:after(500000),pk_k(A)),sha256(#))', 'm', '630320a107b169Aac6782012088a8#8768', '10 2 75 68 3'),
  row(
    'thresh(2,c:pk_h(A),s:sha256(#),a:hash160(#))',
    '',
    '76a9hA88ac7c82012088a8#87936b82012088a9#20876c935287',
    '18 4 101 100 6',
  ),
  row(
    'and_n(sha256(#),uc:and_v(v:older(144),pk_k(A)))',
    's',
    '82012088a8#8764006763029000b269Aac67006868',
    '13 3 108 101 5',
  ),
  row(
    'and_n(c:pk_k(A),and_b(l:older(4252898),a:older(16)))',
    'msx',
    'Aac64006763006703e2e440b2686b60b26c9a68',
    '12 2 74 67 3',
  ),
  row('c:or_i(and_v(v:older(16),pk_h(A)),pk_h(B))', 'ms', '6360b26976a9hA886776a9hB8868ac', '12 3 109 101 4'),
  row(
    'or_d(c:pk_h(A),andor(c:pk_k(B),older(2016),after(1567547623)))',
    'm',
    '76a9hA88ac7364Bac6404e7e06e5db16702e007b26868',
    '13 3 108 100 5',
  ),
  row(
    'c:andor(ripemd160(#),pk_h(A),and_v(v:hash256(#),pk_h(B)))',
    's',
    '82012088a6#20876482012088aa#8876a9hB886776a9hA8868ac',
    '18 3 140 132 5',
  ),
  row(
    'c:andor(u:ripemd160(#),pk_h(A),or_i(pk_h(B),pk_h(C)))',
    's',
    '6382012088a6#2087670068646376a9hB886776a9hC88686776a9hA8868ac',
    '23 4 142 134 5',
  ),
  row(
    'c:or_i(andor(c:pk_h(A),pk_h(B),pk_h(C)),pk_k(D))',
    'ms',
    '6376a9hA88ac6476a9hC886776a9hB886867D68ac',
    '17 5 216 200 6',
  ),
  row(
    'thresh(1,c:pk_k(A),altv:after(1000000000),altv:after(100))',
    '',
    'Aac6b6300670400ca9a3bb16951686c936b6300670164b16951686c935187',
    '18 3 77 70 4',
  ),
  row(
    'thresh(2,c:pk_k(A),ac:pk_k(B),altv:after(1000000000),altv:after(100))',
    'mx',
    'Aac6bBac6c936b6300670400ca9a3bb16951686c936b6300670164b16951686c935287',
    '22 4 150 136 5',
  ),
  only('tapscript', row('and_v(v:multi_a(2,A,B),after(1231488000))', 'ms', 'AacBba529d0400046749b1', '4 2 - - 3')),
  // In a tapscript, `d:` leaves exactly 1: nothing else makes IF true there.
  only(
    'tapscript',
    row('thresh(2,dv:older(42),s:pk(A),s:pk(B))', 'ms', '7663012ab269687cAac937cBac935287', '12 3 - - 4'),
  ),
  row('thresh(2,c:pk_k(A),altv:after(100))', 'ms', 'Aac6b6300670164b16951686c935287'),
  row('thresh(1,c:pk_k(A),sc:pk_k(B))', 'ms', 'Aac7cBac935187'),
  only('wsh', row('multi(1,A,B,C)', 'ms', '51ABC53ae', '4 2 74 - -')),
  row('after(100)', 'm'),
  row('after(1000000000)', 'm'),
  row('thresh(2,ltv:after(1000000000),altv:after(100),a:pk(A))', 'mx'),
];

const INVALID: readonly string[] = [
  'l:older(0)',
  'l:older(2147483648)',
  'u:after(0)',
  'u:after(2147483648)',
  'andor(a:0,1,1)',
  'andor(0,a:1,a:1)',
  'andor(1,1,1)',
  'andor(or_i(0,after(1)),1,1)',
  'and_v(1,1)',
  'and_v(pk_k(A),1)',
  'and_v(v:1,a:1)',
  'and_b(1,1)',
  'and_b(v:1,a:1)',
  'and_b(a:1,a:1)',
  'and_b(pk_k(A),a:1)',
  'or_b(1,a:0)',
  'or_b(0,a:1)',
  'or_b(0,0)',
  'or_b(v:0,a:0)',
  'or_b(a:0,a:0)',
  'or_b(pk_k(A),a:0)',
  't:or_c(a:0,v:1)',
  't:or_c(1,v:1)',
  't:or_c(or_i(0,after(1)),v:1)',
  't:or_c(0,1)',
  'or_d(a:0,1)',
  'or_d(1,1)',
  'or_d(or_i(0,after(1)),1)',
  'or_d(0,v:1)',
  'or_i(a:1,a:1)',
  'thresh(3,c:pk_k(A),sc:pk_k(B))',
  'thresh(0,c:pk_k(A),sc:pk_k(B))',
  'after(-1)',
  'after(+1)',
  'thresh(-1,pk(A))',
  'multi(+1,A)',
];

const contextsOf = ({ only: context }: Row): readonly Context[] => (context ? [context] : CONTEXTS);

describe.each(CONTEXTS)("BIP379's expressions, from Core's miniscript_tests, in %s", (context) => {
  const rows = VALID.filter((entry) => contextsOf(entry).includes(context));
  const titled = rows.map((entry) => [entry.text, entry] as const);

  test.each(titled)('%s has the properties, script and sizes of Core', (_, { text, flags, script, sizes }) => {
    const root = rootOf(withHashes(text), context);
    expect(isValid({ kind: 'miniscript', root })).toBe(true);
    const { m, s, k } = root.type;
    expect({ m, s, k }).toEqual({ m: flags.includes('m'), s: flags.includes('s'), k: !flags.includes('x') });
    const encoded = encodeMiniscript(root, keyBytes);
    expect(root.scriptSize).toBe(encoded.length);
    if (script !== undefined) expect(formatHex(encoded)).toBe(withPushes(script, context));
    const keyOfHash = new Map(
      collectKeys(root).map((key) => [formatHex(hash160(bytesIn(context, key))), bytesIn(context, key)]),
    );
    const decoded = decodeMiniscript(encoded, (hash) => keyOfHash.get(formatHex(hash)), context);
    expect(decoded && encodeMiniscript(decoded, (key) => key)).toEqual(encoded);
    if (!sizes) return;
    const [ops, items, wsh, tapscript, peakItems] = sizes;
    const size = maxSatisfactionSize(root);
    expect(size).toEqual({
      ops,
      items,
      peakItems: peakItems ?? size?.peakItems,
      bytes: (context === 'wsh' ? wsh : tapscript) ?? size?.bytes,
    });
  });

  test.each([...INVALID, ...VALID.filter((entry) => !contextsOf(entry).includes(context)).map(({ text }) => text)])(
    '%s is invalid',
    (text) => {
      expect(isValid(parse(withHashes(text), context))).toBe(false);
    },
  );
});
