import { describe, expect, test } from 'vitest';
import { DIALECTS, isOld, networkNode } from '../../../support/networkNode.ts';

const BOTH = '-32602 Only one of address and nodeid should be provided.';
const NOT_FOUND = '-29 Node not found in connected nodes';
const RANGE = '-1 JSON integer out of range';

describe.each(DIALECTS)('a node without peers, %s', (dialect) => {
  const ask = networkNode(dialect);

  test('pings nobody', () => {
    expect(ask('ping')).toBeNull();
  });

  test.each([
    [['10.0.0.1:8333'], NOT_FOUND],
    [[''], NOT_FOUND],
    [['10.0.0.1:8333', null], NOT_FOUND],
    [['', 0], NOT_FOUND],
    [[null, 0], NOT_FOUND],
    [[], BOTH],
    [[null, null], BOTH],
    [['10.0.0.1:8333', 0], BOTH],
    [['', 1.5], RANGE],
    [[null, 1e30], RANGE],
  ])('disconnects nothing: %j', (params, answer) => {
    expect(ask('disconnectnode', ...params)).toBe(answer);
  });

  test('reads the number of a connection first since 31', () => {
    const isLate = isOld(dialect) || dialect === 'core-29' || dialect === 'core-30';
    expect(ask('disconnectnode', '10.0.0.1:8333', 1.5)).toBe(isLate ? BOTH : RANGE);
  });

  test('says whether it may have peers', () => {
    const isActive = () => (ask('getnetworkinfo') as { readonly networkactive: boolean }).networkactive;
    expect(isActive()).toBe(true);
    for (const state of [false, false, true]) {
      expect(ask('setnetworkactive', state)).toBe(state);
      expect(isActive()).toBe(state);
    }
    expect(ask('setnetworkactive', 1)).toMatch(isOld(dialect) ? /^-1 .* not a boolean as expected$/ : /^-3 /);
    expect(ask('setnetworkactive')).toMatch(/^-1 setnetworkactive state\n/);
  });

  test('knows no addresses', () => {
    expect(ask('getnodeaddresses')).toEqual([]);
    for (const count of [0, 8, null]) expect(ask('getnodeaddresses', count)).toEqual([]);
    expect(ask('getnodeaddresses', -1)).toBe('-8 Address count out of range');
    expect(ask('getnodeaddresses', 2 ** 31)).toBe(RANGE);
  });
});

test.each([
  ['core-0.21', '-1', '-1', '-1'],
  ['core-29', '[]', '[]', '-8'],
  ['core-30', '[]', '[]', '-8'],
  ['core-31', '[]', '-8', '-8'],
  ['core-32', '[]', '-8', '-8'],
] as const)('getnodeaddresses of %s knows names of networks', (dialect, ...answers) => {
  const ask = networkNode(dialect);
  const shown = (network: unknown): string => {
    const answer = ask('getnodeaddresses', 1, network);
    return typeof answer === 'string' ? answer.slice(0, 2) : JSON.stringify(answer);
  };
  for (const network of ['ipv4', 'IPv6', 'onion', 'i2p', 'cjdns', null]) expect(shown(network)).toBe(answers[0]);
  expect(shown('Tor')).toBe(answers[1]);
  expect(shown('internal')).toBe(answers[2]);
});

test('getnodeaddresses repeats a network that it does not know', () => {
  const ask = networkNode();
  expect(ask('getnodeaddresses', 1, 'Foo')).toBe('-8 Network not recognized: Foo');
  expect(ask('getnodeaddresses', -1, 'Foo')).toBe('-8 Address count out of range');
});

test('getaddrmaninfo counts no addresses, since 29', () => {
  const none = { new: 0, tried: 0, total: 0 };
  const all = { ipv4: none, ipv6: none, onion: none, i2p: none, cjdns: none, all_networks: none };
  for (const dialect of DIALECTS) {
    const answer = networkNode(dialect)('getaddrmaninfo');
    if (isOld(dialect)) expect(answer).toBe('-32601 Method not found');
    else expect(JSON.stringify(answer)).toBe(JSON.stringify(all));
  }
});
