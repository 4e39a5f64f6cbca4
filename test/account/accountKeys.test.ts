import { describe, expect, test } from 'vitest';
import { accountFromWords } from '../../src/account/index.ts';

const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

describe('accountFromWords', () => {
  // The first addresses that the BIPs list for this seed phrase; BIP44 lists none.
  test.each([
    [44, '1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA', '1J3J6EvPrv8q6AC3VCjWV45Uf3nssNMRtH'],
    [49, '37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf', '34K56kSjgUCUSD8GTtuF7c9Zzwokbs6uZ7'],
    [84, 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el'],
    [
      86,
      'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
      'bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7',
    ],
  ] as const)('derives the addresses of BIP%i', (purpose, receive, change) => {
    const account = accountFromWords(WORDS, { purpose });
    expect(account.receive(0).address).toBe(receive);
    expect(account.change(0).address).toBe(change);
  });

  test('takes the network’s coin type', () => {
    const account = accountFromWords(WORDS, { network: 'testnet3', purpose: 49 });
    expect(account.receive(0).address).toBe('2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2');
  });
});
