import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../src/shell/bitcoind/configText.ts';

const parse = (text: string) => parseConfig(text, 'bitcoin.conf');

describe('a configuration file', () => {
  test('has options, sections and comments', () => {
    const text = 'a=1 # one\n  b = x=y\t\r\n\n[regtest]\nrpcport=2\nmain.c=3\n# nothing\n';
    expect(parse(text)).toEqual({
      options: [
        ['a', '1'],
        ['b', 'x=y'],
        ['regtest.rpcport', '2'],
        ['regtest.main.c', '3'],
      ],
      sections: [
        { name: 'regtest', file: 'bitcoin.conf', line: 4 },
        { name: 'regtest.main', file: 'bitcoin.conf', line: 6 },
      ],
    });
  });

  test.each([
    ['a=1\ngarbage', 'parse error on line 2: garbage'],
    [
      'nolisten',
      'parse error on line 1: nolisten, if you intended to specify a negated option, use nolisten=1 instead',
    ],
    ['-a=1', 'parse error on line 1: -a=1, options in configuration file must be specified without leading -'],
    ['main.rpcpassword=a#b', 'parse error on line 1, using # in rpcpassword can be ambiguous and should be avoided'],
  ])('is refused: %s', (text, said) => {
    expect(() => parse(text)).toThrow(said);
  });

  test('never shows a password', () => {
    for (const text of ['rpcpassword hunter2hunter2', '-rpcpassword=hunter2hunter2']) {
      expect(() => parse(text)).toThrow(/^(?!.*hunter2)/);
    }
  });
});
