import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSeedWords } from '../../src/core/keys/seedWords.ts';
import {
  accountFromDescriptors,
  accountFromKey,
  accountFromWalletFile,
  accountFromWords,
  buildPsbt,
  type Purpose,
  parseWalletFile,
  reviewWith,
  signWith,
  updateWith,
} from '../../src/kit/account/index.ts';
import { campaign, rounds } from '../support/campaign.ts';
import { type NetworkName, parsePath, parsePsbt } from '../support/library.ts';
import { everythingOf, expectHidden, pasted } from '../support/secrets.ts';
import { walletFile } from '../support/walletFiles.ts';

/** Accounts take secrets as text. Given in the wrong place, or mistyped, no error shows them. */

const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
const network = 'regtest';
const me = accountFromWords(WORDS, { network });
const from = me.receive(0);
const PURPOSES: readonly Purpose[] = [44, 48, 49, 84, 86];
const NETWORKS = ['main', 'regtest', 'litecoin'] as const satisfies readonly NetworkName[];

type Call = (text: string) => unknown;

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const asNetwork = (text: string): NetworkName => text as NetworkName;

const onEachNetwork = (call: (text: string, network: NetworkName) => unknown): readonly Call[] =>
  NETWORKS.map((name) => (text) => call(text, name));

const MAKERS: readonly Call[] = [
  ...onEachNetwork((text, name) => accountFromDescriptors(text, { network: name })),
  ...onEachNetwork((text, name) => accountFromDescriptors([text, `wpkh(${text})`], { network: name })),
  ...onEachNetwork((text, name) => accountFromDescriptors(`wsh(multi(1,[00000000]${text}/*))`, { network: name })),
  ...onEachNetwork((text, name) => accountFromWords(text, { network: name })),
  ...onEachNetwork((text, name) => accountFromKey(text, { network: name })),
  ...PURPOSES.map(
    (purpose): Call =>
      (text) =>
        accountFromKey(text, { network, purpose }),
  ),
  (text) => accountFromDescriptors('wpkh()', { network: asNetwork(text) }),
  (text) => accountFromWords(WORDS, { network: asNetwork(text) }),
  (text) => accountFromWords(`${WORDS} ${text}`, { passphrase: text }),
  (text) => accountFromWords(WORDS, { wordlist: text.split(' ') }),
  (text) => parseSeedWords(`${text} ${text}`),
  (text) => accountFromKey(text, { network: asNetwork(text) }),
];

const FILES: readonly string[] = [
  'bsms-multisig.txt',
  'coldcard-export.json',
  'coldcard-multisig.txt',
  'core-listdescriptors-private.json',
  'descriptors.txt',
  'electrum-changes.json',
  'electrum-standard.json',
  'policy-multisig.json',
  'sparrow-single.txt',
  'specter-multisig.json',
].map(walletFile);

/** A long token of a wallet file: a key, a descriptor's part, an address. */
const LONG = /[0-9A-Za-z]{17,}/g;
const WORD = /(?<=[\s":,])[A-Za-z]{3,}(?=[\s":,])/g;

/** Puts a text in the place of a token, or of all. */
const inFile = (file: string, pattern: RegExp, at: number, text: string): string => {
  const count = [...file.matchAll(pattern)].length;
  let index = 0;
  return file.replace(pattern, (found) => {
    index += 1;
    return index - 1 === at % (count + 1) || at % (count + 1) === count ? text : found;
  });
};

const USERS: readonly Call[] = [
  (text) => me.find(text),
  (text) => me.find(bytesOf(text)),
  ...[updateWith, reviewWith, signWith].flatMap((use): readonly Call[] => [
    (text) => use(me, text),
    (text) => use(me, bytesOf(text)),
  ]),
  parsePsbt,
  parsePath,
  (text) => spend({ txid: text }),
  (text) => spend({ outputs: { [text]: 1000n } }),
  (text) => spend({ outputs: [{ to: text, value: 1000n }] }),
  (text) => spend({ change: text }),
  (text) => spend({ network: asNetwork(text) }),
];

function spend({
  txid = '11'.repeat(32),
  ...options
}: { readonly txid?: string } & Partial<Parameters<typeof buildPsbt>[0]>): unknown {
  const given = { inputs: [{ txid, vout: 0, value: 10_000n, from }], outputs: { [from.address]: 1000n }, feeRate: 1 };
  return buildPsbt({ ...given, ...options });
}

/** Returns everything that a failing call shows, and nothing of one that succeeds. */
function shownBy(call: () => unknown): string {
  try {
    call();
    return '';
  } catch (error) {
    return everythingOf(error);
  }
}

describe('possible secrets do not appear in an error', () => {
  test.each([
    ['of making an account', MAKERS],
    ['of using an account', USERS],
  ])('%s', (_, calls) => {
    let failed = 0;
    fc.assert(
      fc.property(pasted, (secret) => {
        for (const call of calls) {
          const shown = shownBy(() => call(secret.text));
          if (shown !== '') failed += 1;
          expectHidden(shown, secret, String(call));
        }
      }),
      campaign(60),
    );
    expect(failed).toBeGreaterThan(rounds(500));
  });

  test('of opening a wallet file', () => {
    let failed = 0;
    const given = fc.record({
      secret: pasted,
      file: fc.constantFrom(...FILES),
      at: fc.nat(),
      name: fc.constantFrom(...NETWORKS),
    });
    fc.assert(
      fc.property(given, ({ secret, file, at, name }) => {
        const texts = [secret.text, inFile(file, LONG, at, secret.text), inFile(file, WORD, at, secret.text)];
        for (const text of [
          ...texts,
          file.replace(/\s/, ` ${secret.text} `),
          `${file.slice(0, at % file.length)}\n${secret.text}`,
        ]) {
          for (const open of [
            (): unknown => accountFromWalletFile(text),
            (): unknown => accountFromWalletFile(bytesOf(text), { network: name }),
            (): unknown => parseWalletFile(text, { network: name }),
          ]) {
            const shown = shownBy(open);
            if (shown !== '') failed += 1;
            expectHidden(shown, secret, text);
          }
        }
      }),
      campaign(100),
    );
    expect(failed).toBeGreaterThan(rounds(500));
  });
});
