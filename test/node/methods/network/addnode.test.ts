import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DIALECTS, isOld, networkNode } from '../../../support/networkNode.ts';

const KNOWN = '-23 Error: Node already added';
const NOT_ADDED = '-24 Error: Node could not be removed. It has not been added previously.';
const UNKNOWN = '-24 Error: Node has not been added.';
const I2P = 'ukeu3k5oycgaauneqgtnvselmt4yemvoilkln7jpvamvfx7dnkdq.b32.i2p';

const unconnected = (addednode: string) => ({ addednode, connected: false, addresses: [] });

describe.each(DIALECTS)('addnode of %s', (dialect) => {
  test('keeps a list, in the order in which nodes were added', () => {
    const ask = networkNode(dialect);
    expect(ask('getaddednodeinfo')).toEqual([]);
    for (const node of ['example.org', '10.0.0.1']) expect(ask('addnode', node, 'add')).toBeNull();
    const listed = [unconnected('example.org'), unconnected('10.0.0.1')];
    expect(JSON.stringify(ask('getaddednodeinfo'))).toBe(JSON.stringify(listed));
    expect(ask('getaddednodeinfo', '10.0.0.1')).toEqual([unconnected('10.0.0.1')]);
    expect(ask('getaddednodeinfo', '10.0.0.2')).toBe(UNKNOWN);
    expect(ask('addnode', 'example.org', 'add')).toBe(KNOWN);
    expect(ask('addnode', '10.0.0.2', 'remove')).toBe(NOT_ADDED);
    expect(ask('addnode', 'example.org', 'remove')).toBeNull();
    expect(ask('addnode', 'example.org', 'remove')).toBe(NOT_ADDED);
    expect(ask('getaddednodeinfo')).toEqual([unconnected('10.0.0.1')]);
  });

  test('tries no connection, and lists none that it tried', () => {
    const ask = networkNode(dialect);
    expect(ask('addnode', '10.0.0.1', 'onetry')).toBeNull();
    expect(ask('getaddednodeinfo')).toEqual([]);
  });

  test('answers other commands with its help, before it looks at the node', () => {
    const ask = networkNode(dialect);
    const help = `-1 ${ask('help', 'addnode')}\n`;
    const synopsis = isOld(dialect) ? 'addnode "node" "command"\n' : 'addnode "node" "command" ( v2transport )\n';
    expect(help.startsWith(`-1 ${synopsis}`)).toBe(true);
    expect(ask('addnode', '', 'abc')).toBe(help);
    expect(ask('addnode', '10.0.0.1')).toBe(help);
    expect(ask('addnode', '10.0.0.1', 'add', true, 1)).toBe(help);
    expect(ask('addnode', '10.0.0.1', 'add', true)).toBe(isOld(dialect) ? help : null);
    expect(ask('addnode', '10.0.0.2', 'add', false)).toBe(isOld(dialect) ? help : null);
  });

  test('takes a blank node until 31', () => {
    const answer = ['core-32'].includes(dialect) ? '-8 Error: Node address cannot be empty' : null;
    const ask = networkNode(dialect);
    for (const node of ['', ' \f\n\r\t\v']) {
      expect(ask('addnode', node, 'add')).toBe(answer);
      expect(ask('addnode', node, 'onetry')).toBe(answer);
      expect(ask('addnode', node, 'remove')).toBe(answer);
    }
  });
});

// 18444 is the port of regtest.
test.each([
  ['127.0.0.1', '127.0.0.1:18444', true],
  ['127.0.0.1:7', '127.1:7', true],
  ['127.0.0.1:7', '127.1:07', true],
  ['127.0.0.1:7', '::ffff:127.0.0.1', false],
  ['127.0.0.1', '[::ffff:127.0.0.1]:18444', true],
  ['127.0.0.1', '[127.0.0.1]', true],
  ['127.0.0.1', '127.0.0.1:18445', false],
  ['127.0.0.1:65536', '127.0.0.1:65537', false],
  ['1::2', '[1:0::2]:18444', true],
  ['1::2', '1::2:18444', false],
  ['example.org', 'example.org:18444', false],
  ['0.0.0.0', '0', false],
  ['2001:db8::1', '2001:db8:0::1', false],
  ['fe80::1', 'fe80::1%3', true],
  [I2P, `${I2P}:0`, true],
  [I2P, `${I2P}:18444`, false],
])('addnode takes %s and %s for the same node since 29: %s', (one, other, isSame) => {
  for (const dialect of DIALECTS) {
    for (const [first, second] of [
      [one, other],
      [other, one],
    ] as const) {
      const ask = networkNode(dialect);
      const isRefused = isSame && !isOld(dialect);
      expect(ask('addnode', first, 'add')).toBeNull();
      expect([dialect, ask('addnode', second, 'add')]).toEqual([dialect, isRefused ? KNOWN : null]);
      expect(ask('addnode', second, 'remove')).toBe(isRefused ? NOT_ADDED : null);
    }
  }
});

test('addnode of 29 reads ports with a plus sign', () => {
  for (const [dialect, answer] of [
    ['core-29', KNOWN],
    ['core-30', null],
  ] as const) {
    const ask = networkNode(dialect);
    ask('addnode', '1.2.3.4:7', 'add');
    expect(ask('addnode', '1.2.3.4:+7', 'add')).toBe(answer);
  }
});

test('addnode and getaddednodeinfo of 0.21 look at an argument late', () => {
  const ask = networkNode('core-0.21');
  const text = '-1 JSON value is not a string as expected';
  expect(ask('getaddednodeinfo', 5)).toBe(UNKNOWN);
  expect(ask('addnode', 5, 'abc')).toMatch(/^-1 addnode/);
  expect(ask('addnode', 5, null)).toMatch(/^-1 addnode/);
  for (const node of [5, null]) expect(ask('addnode', node, 'add')).toBe(text);
  ask('addnode', 'a', 'add');
  expect(ask('getaddednodeinfo', 5)).toBe(text);
  expect(ask('getaddednodeinfo', null)).toEqual([unconnected('a')]);
});

test('a node that is removed leaves the others as they were', () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}$/), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(names, fc.constantFrom(...DIALECTS), ([last = '', ...others], dialect) => {
      const ask = networkNode(dialect);
      for (const other of others) ask('addnode', other, 'add');
      const before = ask('getaddednodeinfo');
      for (const command of ['add', 'remove']) expect(ask('addnode', last, command)).toBeNull();
      expect(ask('getaddednodeinfo')).toEqual(before);
    }),
    { numRuns: 40 },
  );
});
