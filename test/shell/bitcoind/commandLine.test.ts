import { describe, expect, test } from 'vitest';
import { assertNoTokens, parseCommandLine } from '../../../src/shell/bitcoind/commandLine.ts';
import { optionsOf } from '../../../src/shell/bitcoind/optionTable.ts';

const parse = (...argv: readonly string[]) => parseCommandLine(argv, optionsOf('core-31'));
const FAULT = 'Error parsing command line arguments: ';

describe('a command line', () => {
  test('has options with one dash or two, values and negations', () => {
    const { values } = parse('-regtest', '--rpcport=1', '-rpcport=2', '-nolisten', '-uacomment=a=b');
    expect(Object.fromEntries(values)).toEqual({
      regtest: [{ type: 'string', value: '' }],
      rpcport: [
        { type: 'string', value: '1' },
        { type: 'string', value: '2' },
      ],
      listen: [{ type: 'bool', value: false }],
      uacomment: [{ type: 'string', value: 'a=b' }],
    });
  });

  test('warns of a double negation', () => {
    const { values, warnings } = parse('-nolisten=0');
    expect(values.get('listen')).toEqual([{ type: 'bool', value: true }]);
    expect(warnings).toEqual(['Parsed potentially confusing double-negative -listen=0']);
  });

  test.each([
    ['-foo', 'Invalid parameter -foo'],
    ['-dash_cli=1', 'Invalid parameter -dash_cli=1'],
    ['---regtest', 'Invalid parameter ---regtest'],
    ['-regtest.rpcport=1', 'Invalid parameter -regtest.rpcport=1'],
    ['-nodatadir', 'Negating of -datadir is meaningless and therefore forbidden'],
    ['-proxy', 'Can not set -proxy with no value. Please specify value with -proxy=value.'],
    ['-includeconf=a', '-includeconf cannot be used from commandline; -includeconf="a"'],
    ['-noincludeconf=0', '-includeconf cannot be used from commandline; -includeconf=true'],
    ['-rpcpasswrd=hunter2', 'Invalid parameter -rpcpasswrd=...'],
  ])('is refused: %s', (arg, said) => {
    expect(() => parse(arg)).toThrow(FAULT + said);
  });

  test('knows the options of its release', () => {
    const argv = ['-limitclustercount=0'];
    expect(() => parseCommandLine(argv, optionsOf('core-30'))).toThrow('Invalid parameter -limitclustercount=0');
    expect(parseCommandLine(argv, optionsOf('core-31')).values.size).toBe(1);
  });

  test('has no other arguments', () => {
    expect(() => assertNoTokens(['-regtest', 'stop'])).toThrow(
      "Command line contains unexpected token 'stop', see bitcoind -h for a list of options.",
    );
  });
});
