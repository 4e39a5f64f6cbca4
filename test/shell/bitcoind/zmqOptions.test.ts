import { describe, expect, test } from 'vitest';
import { parseCommandLine } from '../../../src/shell/bitcoind/commandLine.ts';
import { readOptions } from '../../../src/shell/bitcoind/options.ts';
import { optionsOf } from '../../../src/shell/bitcoind/optionTable.ts';
import { readNotifiers } from '../../../src/shell/bitcoind/zmqOptions.ts';

type Generation = Parameters<typeof readNotifiers>[1];

function read(generation: Generation, ...argv: readonly string[]): readonly string[] {
  const find = optionsOf(generation);
  const { values } = parseCommandLine(argv, find);
  const settings = { forced: new Map(), commandLine: values, saved: new Map(), configured: new Map() };
  const notifiers = readNotifiers(readOptions(settings, 'regtest', find), generation);
  return notifiers.map(({ type, address, hwm }) => `${type} ${address} ${hwm}`);
}

describe('the addresses of ZeroMQ', () => {
  test('are listed by topic, whatever their order', () => {
    const argv = ['-zmqpubsequence=a', '-zmqpubhashtx=b', '-zmqpubhashblock=c', '-zmqpubhashtx=a', '-zmqpubrawblock=a'];
    expect(read('core-31', ...argv)).toEqual([
      'pubhashblock c 1000',
      'pubhashtx b 1000',
      'pubhashtx a 1000',
      'pubrawblock a 1000',
      'pubsequence a 1000',
    ]);
    expect(read('core-31', ...argv, '-nozmqpubhashtx')).toHaveLength(3);
  });

  test.each([
    ['0', 0],
    ['7', 7],
    ['-1', 1000],
    ['x', 0],
  ])('have a high-water mark: %s', (text, hwm) => {
    expect(read('core-32', '-zmqpubrawtx=a', `-zmqpubrawtxhwm=${text}`)).toEqual([`pubrawtx a ${hwm}`]);
  });

  test('are paths after unix: in newer releases', () => {
    expect(read('core-29', '-zmqpubrawtx=unix:/tmp/a')).toEqual(['pubrawtx ipc:///tmp/a 1000']);
    expect(read('core-0.21', '-zmqpubrawtx=unix:/tmp/a')).toEqual(['pubrawtx unix:/tmp/a 1000']);
  });
});
