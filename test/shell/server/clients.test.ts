import { describe, expect, test } from 'vitest';
import { allowClients } from '../../../src/shell/server/clients.ts';

const mayAsk = (allowed: readonly string[], address: string | undefined): boolean => {
  const isAllowed = allowClients(allowed);
  if (typeof isAllowed !== 'function') throw new Error(isAllowed.fault);
  return isAllowed(address);
};

describe('allowClients', () => {
  test.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])('always allows this machine, as %s', (address) => {
    expect(mayAsk([], address)).toBe(true);
  });

  test.each(['10.0.0.1', '0.0.0.0', '::', 'fe80::1%eth0', '::ffff:10.0.0.1', '', 'localhost', undefined])(
    'not %s',
    (address) => {
      expect(mayAsk([], address)).toBe(false);
    },
  );

  test.each([
    ['10.0.0.1', '10.0.0.1', '10.0.0.2'],
    ['10.0.0.1', '::ffff:10.0.0.1', '::ffff:10.0.0.2'],
    ['10.0.0.0/8', '10.255.0.1', '11.0.0.1'],
    ['10.1.2.3/8', '10.255.0.1', '11.0.0.1'],
    ['10.0.0.0/255.255.0.0', '10.0.9.9', '10.1.0.0'],
    ['0.0.0.0/0', '8.8.8.8', '2001:db8::1'],
    ['::/0', '2001:db8::1', '8.8.8.8'],
    ['::/0', '2001:db8::1', '::ffff:8.8.8.8'],
    ['2001:db8::/32', '2001:db8:ffff::1', '2001:db9::1'],
    ['fe80::1', 'fe80::1%eth0', 'fe80::2%eth0'],
  ])('%s allows %s, but not %s', (allowed, inside, outside) => {
    expect(mayAsk([allowed], inside)).toBe(true);
    expect(mayAsk([allowed], outside)).toBe(false);
  });

  test.each([
    '',
    'localhost',
    '10.0.0',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.255.0',
    '::/129',
    '::/255.0.0.0',
    '*',
  ])('refuses %j', (text) => {
    expect(allowClients(['10.0.0.1', text])).toEqual({ fault: text });
  });
});
