import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DialectName } from '../../../support/library.ts';
import { DIALECTS, isOld, networkNode } from '../../../support/networkNode.ts';

const NOW = 1_701_000_000;
const INVALID = '-30 Error: Invalid IP/Subnet';
const KNOWN = '-23 Error: IP/Subnet already banned';
const NOT_BANNED = '-30 Error: Unban failed. Requested address/subnet was not previously manually banned.';
const ONION = 'pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.onion';
const I2P = 'ukeu3k5oycgaauneqgtnvselmt4yemvoilkln7jpvamvfx7dnkdq.b32.i2p';
const SHORT_ONION = '6hzph5hv6337r6p2.onion';

const addressesOf = (ask: ReturnType<typeof networkNode>): readonly string[] =>
  (ask('listbanned') as readonly { readonly address: string }[]).map(({ address }) => address);

/** Bans one, and returns how it is listed, or the error. */
function listedAs(text: string, dialect?: DialectName): unknown {
  const ask = networkNode(dialect);
  return ask('setban', text, 'add') ?? addressesOf(ask)[0];
}

describe('setban reads subnets as Core does', () => {
  // Core's netbase_tests.cpp, `subnet_test`.
  test.each([
    ['1.2.3.4', '1.2.3.4/32'],
    ['1.2.3.4/32', '1.2.3.4/32'],
    ['1.2.3.4/8', '1.0.0.0/8'],
    ['1.2.3.4/0', '0.0.0.0/0'],
    ['1.2.3.0/33', INVALID],
    ['1.2.3.0/300', INVALID],
    ['1.2.3.0/-1', INVALID],
    ['1.2.3.4/255.255.255.255', '1.2.3.4/32'],
    ['1.2.3.4/255.255.255.254', '1.2.3.4/31'],
    ['1.2.3.4/255.255.255.248', '1.2.3.0/29'],
    ['1.2.3.4/255.255.254.0', '1.2.2.0/23'],
    ['1.2.3.4/255.128.0.0', '1.0.0.0/9'],
    ['1.2.3.4/254.0.0.0', '0.0.0.0/7'],
    ['1.2.3.4/0.0.0.0', '0.0.0.0/0'],
    ['1.2.3.4/255.255.232.0', INVALID],
    ['1.2.3.4/255.0.255.255', INVALID],
    ['1.1.1.1/ffff::', INVALID],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8/128'],
    ['1:2:3:4:5:6:7:8/33', '1:2::/33'],
    ['1:2:3:4:5:6:7:8/128', '1:2:3:4:5:6:7:8/128'],
    ['1:2:3:4:5:6:7:8/129', INVALID],
    ['1:2:3:4:5:6:7:8/-1', INVALID],
    ['1:2:3:4:5:6:7:8/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '1:2:3:4:5:6:7:8/128'],
    ['1:2:3:4:5:6:7:8/ffff:0000:0000:0000:0000:0000:0000:0000', '1::/16'],
    ['1:2:3:4:5:6:7:8/0000:0000:0000:0000:0000:0000:0000:0000', '::/0'],
    ['1:2:3:4:5:6:7:8/ffff:ffff:ffff:fffe:ffff:ffff:ffff:ff0f', INVALID],
    ['::1/255.0.0.0', INVALID],
    ['::ffff:127.0.0.1', '127.0.0.1/32'],
    ['fuzzy', INVALID],
    ['', INVALID],
  ])('%s is %s', (text, listed) => {
    for (const dialect of DIALECTS) expect([dialect, listedAs(text, dialect)]).toEqual([dialect, listed]);
  });

  test.each([
    ['[1.2.3.4]', '1.2.3.4/32'],
    ['[::1]', '::1/128'],
    ['[::1', INVALID],
    ['1.2.3.4:8333', INVALID],
    ['localhost', INVALID],
    [' 1.2.3.4', INVALID],
    ['1.2.3.4/', INVALID],
    ['/24', INVALID],
    ['1.2.3.4/24/8', INVALID],
    ['1.2.3.4/024', '1.2.3.0/24'],
    ['1.2.3.4/[255.0.0.0]', '1.0.0.0/8'],
    // As getaddrinfo of the C library reads numeric addresses.
    ['127', '0.0.0.127/32'],
    ['10.1', '10.0.0.1/32'],
    ['10.1.300', '10.1.1.44/32'],
    ['10.1.65536', INVALID],
    ['010.0x10.0.1', '8.16.0.1/32'],
    ['08.1.1.1', INVALID],
    ['0x.1.1.1', INVALID],
    ['1.2.3.256', INVALID],
    ['1.2.3.4.5', INVALID],
    ['4294967295', INVALID],
    ['4294967294', '255.255.255.254/32'],
    ['4294967296', INVALID],
    ['1.2.3.4/4294967040', '1.2.3.0/24'],
    // Addresses that no node has; subnets may have them.
    ['0.0.0.0', INVALID],
    ['255.255.255.255', INVALID],
    ['::', INVALID],
    ['2001:db8::1', INVALID],
    ['2001:db8::1/128', '2001:db8::1/128'],
    ['::/0', '::/0'],
    ['fd6b:88c0:8724:1:2:3:4:5', INVALID],
    ['fd6c:88c0:8724:1:2:3:4:5', 'fd6c:88c0:8724:1:2:3:4:5/128'],
    ['fc00::1', 'fc00::1/128'],
    ['::ffff:1.2.3.4/120', INVALID],
    ['::ffff:1.2.3.4/24', '1.2.3.0/24'],
    ['::FFFF:0102:0304', '1.2.3.4/32'],
    // RFC 5952
    ['2001:0DB9:0:0:1:0:0:1', '2001:db9::1:0:0:1/128'],
    ['2001:db9:0:1:1:1:1:1', '2001:db9:0:1:1:1:1:1/128'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3/128'],
    ['1::', '1::/128'],
    ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0/128'],
    ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304/128'],
    ['1:2:3:4:5:6:7', INVALID],
    ['1:2:3:4:5:6:7:8:9', INVALID],
    ['1:2:3:4:5:6:7:8::', INVALID],
    ['1::2::3', INVALID],
    ['1:::2', INVALID],
    [':1::2', INVALID],
    ['1::2:', INVALID],
    ['12345::', INVALID],
    ['g::', INVALID],
    ['::1.2.3', INVALID],
    ['::1.2.3.04', INVALID],
    ['::1.2.3.256', INVALID],
    ['1.2.3.4::', INVALID],
    ['fe80::1%2', 'fe80::1%2/128'],
    ['fe80::1%4294967296', INVALID],
    ['fe80::1%', INVALID],
    // Onion addresses have no netmask.
    [ONION, ONION],
    [`[${ONION}]`, ONION],
    [ONION.toUpperCase().replace('ONION', 'onion'), ONION],
    [ONION.toUpperCase(), INVALID],
    [ONION.replace('pg6', 'pg7'), INVALID],
    [`${ONION}:8333`, INVALID],
    [`${ONION}/24`, INVALID],
    [`${ONION}/255.0.0.0`, INVALID],
  ])('%s is %s', (text, listed) => {
    for (const dialect of DIALECTS) expect([dialect, listedAs(text, dialect)]).toEqual([dialect, listed]);
  });

  test.each([
    ['::1.2.3.4', '::1.2.3.4/128', '::102:304/128'],
    ['::1:0', '::0.1.0.0/128', '::1:0/128'],
    [SHORT_ONION, SHORT_ONION, INVALID],
    ['fd87:d87e:eb43:f1f2:f3f4:f5f6:f7f8:f9fa', SHORT_ONION, INVALID],
    [I2P, INVALID, I2P],
    [I2P.toUpperCase(), INVALID, I2P],
    [I2P.replace('dq.', 'dr.'), INVALID, INVALID],
  ])('%s is %s in 0.21, and %s later', (text, old, modern) => {
    for (const dialect of DIALECTS) {
      expect([dialect, listedAs(text, dialect)]).toEqual([dialect, isOld(dialect) ? old : modern]);
    }
  });

  test('takes a plus sign before the number of bits until 29', () => {
    const listed = DIALECTS.map((dialect) => listedAs('1.2.3.4/+24', dialect));
    const [bits, none] = ['1.2.3.0/24', INVALID];
    expect(listed).toEqual([bits, bits, bits, none, none, none, none]);
    expect(listedAs('1.2.3.4/+256', 'core-29')).toBe(INVALID);
  });

  test('writes IPv6 so that it reads the same address again', () => {
    const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }));
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), fc.constantFrom(...DIALECTS), (groups, dialect) => {
        const text = groups.map((each) => each.toString(16)).join(':');
        const listed = String(listedAs(`${text}/128`, dialect));
        fc.pre(listed.includes(':'));
        expect(listedAs(listed, dialect)).toBe(listed);
        expect(new URL(`http://[${listed.slice(0, -4)}]`).hostname).toBe(new URL(`http://[${text}]`).hostname);
      }),
      { numRuns: 60 },
    );
  });
});

describe.each(DIALECTS)('setban of %s', (dialect) => {
  test('bans for a day unless told otherwise, and lists in order', () => {
    const ask = networkNode(dialect);
    const banned = ['fe80::', ONION, '10.0.0.2', '9.0.0.0/8', '10.0.0.0/8', '10.0.0.0/9'];
    for (const each of banned.slice(0, 4)) expect(ask('setban', each, 'add')).toBeNull();
    for (const each of banned.slice(4)) expect(ask('setban', each, 'add', 5)).toBeNull();
    const until = (address: string, seconds: number) =>
      isOld(dialect)
        ? { address, banned_until: NOW + seconds, ban_created: NOW }
        : {
            address,
            ban_created: NOW,
            banned_until: NOW + seconds,
            ban_duration: seconds,
            time_remaining: seconds,
          };
    const listed = [
      until('9.0.0.0/8', 86_400),
      until('10.0.0.0/8', 5),
      until('10.0.0.0/9', 5),
      until('10.0.0.2/32', 86_400),
      until('fe80::/128', 86_400),
      until(ONION, 86_400),
    ];
    expect(JSON.stringify(ask('listbanned'))).toBe(JSON.stringify(listed));
    expect(ask('clearbanned')).toBeNull();
    expect(ask('listbanned')).toEqual([]);
  });

  test('knows a subnet that it banned, and the addresses in it', () => {
    const ask = networkNode(dialect);
    ask('setban', '127.0.0.0/24', 'add');
    expect(ask('setban', '127.0.0.1', 'add')).toBe(KNOWN);
    expect(ask('setban', '::ffff:127.0.0.1', 'add')).toBe(KNOWN);
    expect(ask('setban', '127.0.0.9/255.255.255.0', 'add')).toBe(KNOWN);
    expect(ask('setban', '127.0.0.1/32', 'add')).toBeNull();
    expect(ask('setban', '127.0.0.0/23', 'add')).toBeNull();
    expect(ask('setban', '::/0', 'add')).toBeNull();
    expect(ask('setban', '1::', 'add')).toBe(KNOWN);
    expect(ask('setban', '128.0.0.1', 'add')).toBeNull();
    expect(ask('setban', ONION, 'add')).toBeNull();
    expect(ask('setban', ONION, 'add')).toBe(KNOWN);
  });

  test('lifts the very ban that is named', () => {
    const ask = networkNode(dialect);
    ask('setban', '10.0.0.0/8', 'add');
    for (const other of ['10.0.0.0', '10.0.0.0/9', '10.0.0.0/7'])
      expect(ask('setban', other, 'remove')).toBe(NOT_BANNED);
    expect(ask('setban', '10.1.2.3/', 'remove')).toBe(INVALID);
    expect(ask('setban', '10.1.2.3/8', 'remove')).toBeNull();
    expect(ask('setban', '10.0.0.0/8', 'remove')).toBe(NOT_BANNED);
  });

  test('forgets a ban after the second in which it ends', () => {
    const ask = networkNode(dialect);
    ask('setmocktime', NOW);
    ask('setban', '1.1.1.1', 'add', 10);
    ask('setban', '2.2.2.2', 'add', 20);
    ask('setmocktime', NOW + 10);
    expect(addressesOf(ask)).toEqual(['1.1.1.1/32', '2.2.2.2/32']);
    if (!isOld(dialect)) expect(ask('listbanned')).toMatchObject([{ time_remaining: 0 }, { time_remaining: 10 }]);
    // It bans no longer, and can be made anew.
    expect(ask('setban', '1.1.1.1', 'add', NOW + 10, true)).toBeNull();
    expect(ask('listbanned')).toMatchObject([{ ban_created: NOW }, { ban_created: NOW }]);
    expect(ask('setban', '1.1.1.1', 'add', 30)).toBeNull();
    expect(ask('listbanned')).toMatchObject([{ ban_created: NOW + 10, banned_until: NOW + 40 }, { ban_created: NOW }]);
    ask('setmocktime', NOW + 21);
    expect(addressesOf(ask)).toEqual(['1.1.1.1/32']);
    ask('setmocktime', NOW + 41);
    expect(ask('setban', '1.1.1.1', 'remove')).toBeNull();
    expect(ask('setban', '1.1.1.1', 'remove')).toBe(NOT_BANNED);
  });

  test('bans until a time, in 0.21 also a past one', () => {
    const ask = networkNode(dialect);
    const past = '-8 Error: Absolute timestamp is in the past';
    expect(ask('setban', '1.1.1.1', 'add', NOW - 1, true)).toBe(isOld(dialect) ? null : past);
    expect(ask('listbanned')).toEqual([]);
    expect(ask('setban', '1.1.1.1', 'add', NOW + 7, true)).toBeNull();
    expect(ask('setban', '2.2.2.2', 'add', 0, true)).toBe(isOld(dialect) ? null : past);
    expect(ask('setban', '3.3.3.3', 'add', -5)).toBeNull();
    const ends = isOld(dialect) ? [7, 86_400, 86_400] : [7, 86_400];
    expect(ask('listbanned')).toMatchObject(ends.map((seconds) => ({ banned_until: NOW + seconds })));
  });

  test('answers other commands with its help, before it looks at the subnet', () => {
    const ask = networkNode(dialect);
    const help = `-1 ${ask('help', 'setban')}\n`;
    expect(help).toMatch(/^-1 setban "subnet" "command" \( bantime absolute \)\n\n/);
    expect(ask('setban', 'fuzzy', 'ban')).toBe(help);
    expect(ask('setban', '1.1.1.1')).toBe(help);
    expect(ask('setban', '1.1.1.1', 'add', 1, true, 1)).toBe(help);
  });

  test('checks types', () => {
    const ask = networkNode(dialect);
    const wrong = (position: number, name: string, types: string): string => {
      const [got, want] = types.split(' ');
      return `-3 Wrong type passed:\n{\n    "Position ${position} (${name})": "JSON value of type ${got} is not of expected type ${want}"\n}`;
    };
    const old = isOld(dialect);
    const text = '-1 JSON value is not a string as expected';
    expect(ask('setban', 1, 'add')).toBe(old ? text : wrong(1, 'subnet', 'number string'));
    expect(ask('setban', '1.1.1.1', 1)).toBe(old ? text : wrong(2, 'command', 'number string'));
    expect(ask('setban', '1.1.1.1', null)).toBe(
      old ? `-1 ${ask('help', 'setban')}\n` : wrong(2, 'command', 'null string'),
    );
    expect(ask('setban', '1.1.1.1', 'add', '1')).toBe(
      old ? '-1 JSON value is not an integer as expected' : wrong(3, 'bantime', 'string number'),
    );
    expect(ask('setban', '1.1.1.1', 'add', 1.5)).toBe('-1 JSON integer out of range');
    expect(ask('setban', '1.1.1.1', 'add', null, 'yes')).toBe(old ? null : wrong(4, 'absolute', 'string bool'));
    expect(ask('setban', '2.2.2.2', 'add', null, null)).toBeNull();
  });
});

test('a ban that is lifted leaves the others as they were', () => {
  const subnet = fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })).map(([address, bits]) => `${address}/${bits}`);
  fc.assert(
    fc.property(fc.array(subnet, { maxLength: 6 }), subnet, fc.constantFrom(...DIALECTS), (others, one, dialect) => {
      const ask = networkNode(dialect);
      for (const other of others) ask('setban', other, 'add');
      const before = ask('listbanned');
      fc.pre(ask('setban', one, 'add') === null);
      expect(ask('setban', one, 'remove')).toBeNull();
      expect(ask('listbanned')).toEqual(before);
    }),
    { numRuns: 60 },
  );
});
