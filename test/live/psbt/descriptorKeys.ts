import fc from 'fast-check';
import { bytes } from '../../support/arbitraries.ts';
import { formatHex, formatXprv, formatXpub, masterKey, networks } from '../../support/library.ts';
import { sha256 } from '../scripts/bytes.ts';
import { mostly } from '../scripts/stackItems.ts';
import { makeKey, oddKeyText, secret, wifOf } from '../signing/keys.ts';

/** Random key expressions as text, valid and invalid. */

const REGTEST = networks['litecoin-regtest'];

/** Draws from `usual`, and by default about one time in twenty from `odd`. */
export const rarely = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>, weight = 20): fc.Arbitrary<T> =>
  mostly(usual, odd, weight);

const form = (weight: number): fc.Arbitrary<'compressed' | 'uncompressed' | 'hybrid'> =>
  rarely(fc.constant('compressed'), fc.constantFrom('uncompressed', 'uncompressed', 'hybrid'), weight);
const hexKey = fc.tuple(secret, form(15)).map(([drawn, how]) => formatHex(makeKey(drawn, how).publicKey));
const privateKey = fc
  .tuple(secret, form(8))
  .map(([drawn, how]) => wifOf({ secret: drawn, form: how === 'hybrid' ? 'uncompressed' : how }));

const oddHexKey = fc.oneof(
  hexKey.map((hex) => hex.slice(2)),
  hexKey.map((hex) => `${hex}00`),
  hexKey.map((hex) => hex.slice(1)),
  hexKey.map((hex) => hex.toUpperCase()),
  hexKey.map((hex) => `05${hex.slice(2)}`),
  bytes(32).map((data) => `02${formatHex(data)}`),
  bytes(64).map((data) => `04${formatHex(data)}`),
  fc.constantFrom('', '00', '02', 'zz', ' ', '0', '*', 'h', "'"),
);

const textOf = (json: string): string => (json.startsWith('"') ? (JSON.parse(json) as string) : json);
const oddWif = oddKeyText.map(textOf).map((text) => text.replace(/[^\x20-\x7e]/g, '?'));

const seed = fc.nat({ max: 5 }).map((number) => sha256(Uint8Array.of(number)));
const extendedKey = (weight: number): fc.Arbitrary<string> =>
  fc
    .tuple(seed, fc.boolean(), rarely(fc.constant(REGTEST), fc.constantFrom(...Object.values(networks)), weight))
    .map(([from, isPrivate, network]) => {
      const key = masterKey(from);
      return isPrivate ? formatXprv(key, network) : formatXpub(key, network);
    });
const oddExtendedKey = fc
  .tuple(extendedKey(3), fc.nat({ max: 111 }), fc.constantFrom('', '1', 'z', '0', '+'))
  .map(([text, at, letter]) => `${text.slice(0, at)}${letter}${text.slice(at + 1)}`);

const mark = fc.constantFrom('', '', '', 'h', "'");
const number = rarely(
  fc.oneof(fc.nat({ max: 50 }), fc.constantFrom(0x7fff_ffff, 0)).map(String),
  fc.constantFrom(
    '2147483648',
    '4294967295',
    '4294967296',
    '-1',
    '+1',
    '',
    ' 1',
    '1 ',
    '0x1',
    '1.0',
    '00',
    '007',
    'a',
    'H',
    '*',
    '1hh',
    '99999999999',
  ),
);
const step = fc.tuple(number, mark).map(([digits, hardened]) => `/${digits}${hardened}`);
const path = fc.array(step, { maxLength: 3 }).map((steps) => steps.join(''));
const wildcard = fc.oneof(
  { weight: 5, arbitrary: fc.constant('') },
  { weight: 8, arbitrary: fc.constant('/*') },
  { weight: 2, arbitrary: fc.constantFrom('/*h', "/*'") },
  { weight: 1, arbitrary: fc.constantFrom('/**', '/*H', '/*/0', '*', '/', '//*', '/*hh', '/h', "/'", '/* ') },
);

const origin = fc.tuple(bytes(4).map(formatHex), path).map(([fingerprint, steps]) => `[${fingerprint}${steps}]`);
const oddOrigin = fc.oneof(
  fc.constantFrom(
    '[]',
    '[',
    ']',
    '[deadbeef',
    'deadbeef]',
    '[deadbee]',
    '[deadbeef0]',
    '[deadbeeg]',
    '[DEADBEEF]',
    '[[deadbeef]',
  ),
  fc.constantFrom(
    '[deadbeef/]',
    '[deadbeef]]',
    '[deadbeef//0]',
    '[deadbeef /0]',
    '[/0]',
    '[deadbeef/0/*]',
    '(deadbeef)',
    '[dead/beef]',
  ),
  fc.tuple(origin, origin).map(([a, b]) => a + b),
  origin.map((text) => `x${text}`),
);
const anyOrigin = fc.oneof(
  { weight: 10, arbitrary: fc.constant('') },
  { weight: 6, arbitrary: origin },
  { weight: 1, arbitrary: oddOrigin },
);

const fixed = rarely(fc.oneof(hexKey, hexKey, privateKey), fc.oneof(oddHexKey, oddWif), 25);
const extended = rarely(extendedKey(25), oddExtendedKey, 30);
const blank = fc.constantFrom(' ', '  ', '\t', '\n');
const expression = fc.oneof(
  { weight: 10, arbitrary: fixed },
  { weight: 10, arbitrary: fc.tuple(extended, path, wildcard).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.tuple(fixed, path, wildcard).map((parts) => parts.join('')) },
);

/** A key expression. */
export const keyText: fc.Arbitrary<string> = fc
  .tuple(anyOrigin, rarely(fc.constant(''), blank, 40), expression, rarely(fc.constant(''), blank, 40))
  .map((parts) => parts.join(''));
/** A multisig threshold, rarely an invalid one. */
export const thresholdText = (count: number): fc.Arbitrary<string> =>
  rarely(
    fc.integer({ min: 1, max: Math.max(1, Math.min(count, 16)) }).map(String),
    fc.oneof(
      fc.constantFrom(
        '0',
        '-1',
        '+1',
        '',
        ' 1',
        '01',
        '1h',
        'a',
        '17',
        '21',
        '4294967295',
        '4294967296',
        '99999999999',
        '1.0',
        '*',
      ),
      fc.constant(String(count + 1)),
    ),
    8,
  );
/** Arbitrary bytes as hex. */
export const someHex: fc.Arbitrary<string> = bytes(0, 60).map(formatHex);
