import { afterEach, describe, expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../../src/core/crypto/nativeSecp256k1.ts';
import { parseWif } from '../../../src/core/keys/wif.ts';
import { accountFromDescriptors, accountFromKey, accountFromWords } from '../../../src/kit/account/index.ts';
import { type Regtest, type RegtestOptions, startRegtest } from '../../../src/shell/regtest/index.ts';
import { refusalOf } from '../../support/refusal.ts';

const PAYEE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const REGTEST = { network: 'regtest' } as const;
const open: Regtest[] = [];

function start(options: RegtestOptions = {}): Regtest {
  const chain = startRegtest({ ecc: nativeSecp256k1Ecc, ...options });
  open.push(chain);
  return chain;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((chain) => chain.close()));
});

describe('the accounts of a chain', () => {
  test('are funded in one transaction, and spend', () => {
    const chain = start();
    const accounts = chain.accounts();
    expect(accounts.map(({ wallet }) => wallet.name)).toEqual(Array.from({ length: 10 }, (_, i) => `dev-${i + 1}`));
    expect(new Set(accounts.map(({ words }) => words)).size).toBe(10);
    expect(accounts.map(({ wallet }) => wallet.balance())).toEqual(Array(10).fill(1_000_000_000n));
    const [first] = accounts;
    const txids = new Set(accounts.flatMap(({ wallet }) => wallet.call('listunspent').map(({ txid }) => txid)));
    expect(txids.size).toBe(1);
    // 100 coins take three coinbases, which 102 blocks make mature; one more holds the payment.
    expect(chain.rpc.call('getblockcount')).toBe(103);
    first?.wallet.send(PAYEE, 999_000_000n);
    chain.mine();
    expect(first?.wallet.balance()).toBeLessThan(1_000_000n);
  });

  test('have keys that other programs take', () => {
    const [account] = start().accounts(1, 50_000n);
    if (!account) throw new Error('no account');
    const { words, descriptors, address, wif } = account;
    expect(words.split(' ')).toHaveLength(12);
    expect(accountFromWords(words, REGTEST).receive(0).address).toBe(address);
    expect(accountFromKey(wif, REGTEST).receive(0).address).toBe(address);
    expect(parseWif(wif, 'regtest').isCompressed).toBe(true);
    expect(accountFromDescriptors(descriptors.slice(0, 2), REGTEST).receive(0).address).toBe(address);
    expect(accountFromDescriptors(descriptors.slice(2), REGTEST).change(3).address).toBe(
      accountFromWords(words, { ...REGTEST, purpose: 86 }).change(3).address,
    );
    const other = start();
    other.rpc.call('createwallet', ['imported', false, true]);
    const requests = descriptors.map((desc) => ({ desc, timestamp: 0 }));
    other.fund(address, 7000n);
    other.rpc.call('importdescriptors', [requests], 'imported');
    expect(other.wallet('imported').balance()).toBe(7000n);
  });

  test('give addresses of their words, of both kinds', () => {
    const [account] = start().accounts(1);
    const { words = '', wallet, address } = account ?? {};
    expect(wallet?.address()).not.toBe(address);
    expect(wallet?.call('getnewaddress', ['', 'bech32m'])).toBe(
      accountFromWords(words, { ...REGTEST, purpose: 86 }).receive(0).address,
    );
  });

  test('are the same at every start of a seed', () => {
    const keys = (options?: RegtestOptions): unknown =>
      start(options)
        .accounts(2)
        .map(({ wallet: _wallet, ...each }) => each);
    expect(keys()).toEqual(keys());
    expect(keys({ seed: 'other' })).not.toEqual(keys());
  });

  test('are made and paid once, also by a chain that loads them', () => {
    const chain = start({ seed: 'theirs' });
    const [first] = chain.accounts(2, 60_000n);
    first?.wallet.send(PAYEE, 50_000n);
    chain.mine();
    const height = chain.rpc.call('getblockcount');
    expect(chain.accounts(2).map(({ words }) => words)[0]).toBe(first?.words);
    expect(chain.rpc.call('getblockcount')).toBe(height);
    const copy = start();
    copy.load(chain.dump());
    const again = copy.accounts(3, 70_000n);
    expect(again[0]?.words).toBe(first?.words);
    expect(again.map(({ wallet }) => wallet.balance())).toEqual([first?.wallet.balance(), 60_000n, 70_000n]);
  });

  test('are paid by the next call if this one was refused', () => {
    const chain = start();
    expect(() => chain.accounts(1, 10n ** 15n)).toThrow('satoshi to give away');
    expect(chain.accounts(1)[0]?.wallet.balance()).toBe(1_000_000_000n);
  });

  test.each(['core-0.21', 'core-29', 'core-32'] as const)('as %s', (dialect) => {
    const [account] = start({ dialect }).accounts(1);
    expect(account?.wallet.balance()).toBe(1_000_000_000n);
    account?.wallet.send(PAYEE, 5000n);
  });

  test('are not begun with funds or a number that there cannot be', () => {
    const chain = start();
    expect(refusalOf(() => chain.accounts(10, 10n ** 15n)).code).toBe('regtest/no-funds');
    for (const count of [-1, 0.5, 1001]) {
      expect(refusalOf(() => chain.accounts(count))).toMatchObject({
        code: 'argument/invalid',
        message: 'The argument count must be a whole number of accounts, 0 to 1000',
      });
    }
    expect(refusalOf(() => chain.accounts(1, 0n)).code).toBe('argument/invalid');
    expect(chain.accounts(0)).toEqual([]);
    expect(chain.rpc.call('listwallets')).toEqual([]);
    expect(chain.rpc.call('getblockcount')).toBe(0);
  });
});
