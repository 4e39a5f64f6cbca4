import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { cosigners, seedWords } from '../../../examples/fixtures.ts';
import {
  type Account,
  accountFromDescriptors,
  accountFromWords,
  reviewWith,
  signWith,
} from '../../../src/kit/account/index.ts';
import { texts } from '../../../src/shell/page/texts.ts';
import {
  decodeTransaction,
  encodePsbt,
  formatHex,
  formatPsbt,
  type Psbt,
  parseHex,
  verifyTransaction,
} from '../../support/library.ts';
import { leafOf, MULTISIG, multisigOf, paymentOf } from '../../support/pageSessions.ts';
import { button, choose, chooseFile, sign, type TypedKeys, title, typeKeys } from './support/actions.ts';
import { CAMERA_PATIENCE, withCamera } from './support/cameraVideo.ts';
import { withPage } from './support/chromium.ts';
import { readCodes } from './support/codesOnScreen.ts';
import { factsOf, reviewOnScreen } from './support/reviewOnScreen.ts';

interface Case {
  readonly keys: TypedKeys;
  readonly account: Account;
  readonly version: 0 | 2;
}

const ofWords = (version: 0 | 2, network: TypedKeys['network'], purpose: 44 | 49 | 84 | 86, passphrase = ''): Case => ({
  version,
  keys: { text: seedWords, network, purpose, passphrase },
  account: accountFromWords(seedWords, { network, purpose, passphrase }),
});

const leaf = leafOf(cosigners[1].xprv);
const CASES: readonly (Case & { readonly name: string })[] = [
  { name: 'P2WPKH on the main network, version 0', ...ofWords(0, 'main', 84) },
  { name: 'P2WPKH on a test network with a passphrase, version 2', ...ofWords(2, 'testnet4', 84, 'TREZOR') },
  { name: 'P2WPKH of Litecoin, version 0', ...ofWords(0, 'litecoin', 84) },
  { name: 'P2PKH on the main network, version 2', ...ofWords(2, 'main', 44) },
  { name: 'a key path of taproot on signet, version 0', ...ofWords(0, 'signet', 86) },
  ...([0, 2] as const).map((version) => ({
    name: `a taproot leaf, version ${version}`,
    version,
    keys: { text: leaf, network: 'regtest' } as const,
    account: accountFromDescriptors(leaf, { network: 'regtest' }),
  })),
];

/** Opens a PSBT and keys, and goes to the review. */
async function openForReview(page: Page, psbt: Psbt, keys: TypedKeys): Promise<void> {
  await chooseFile(page, encodePsbt(psbt));
  await title(page, texts.keys.title);
  await typeKeys(page, keys);
  await button(page, texts.keys.next).click();
  await title(page, texts.review.title);
}

/** Reads the PSBT from codes, too, though the transaction is final. */
async function readPsbt(page: Page): Promise<string> {
  await choose(page, texts.result.psbt);
  const { type, content } = await readCodes(page, 'ur');
  expect(type).toBe('crypto-psbt');
  return formatHex(content);
}

function expectValid(hex: string, account: Account, coins: number): void {
  const coin = { value: 100_000n, scriptPubKey: account.receive(3).scriptPubKey };
  const verdict = verifyTransaction(decodeTransaction(parseHex(hex)), new Array(coins).fill(coin));
  expect(verdict.isValid).toBe(true);
}

describe('the page reviews and signs as the library does, with typed keys and codes read from the screen:', () => {
  test.each(CASES)('$name', async ({ keys, account, version }) => {
    const psbt = paymentOf(account, version, 2);
    const expected = signWith(account, psbt);
    await withPage({}, async (page) => {
      await openForReview(page, psbt, keys);
      expect(await reviewOnScreen(page)).toEqual(factsOf(reviewWith(account, psbt)));
      await sign(page);
      await title(page, texts.result.final);
      const { type, content } = await readCodes(page, 'bbqr');
      expect([type, formatHex(content)]).toEqual(['transaction', expected.hex]);
      expect(await readPsbt(page)).toBe(formatHex(encodePsbt(expected.psbt)));
      expectValid(formatHex(content), account, 2);
    });
  });
});

describe('two pages sign a 2-of-3 multisig', () => {
  const network = 'regtest';
  const watching = accountFromDescriptors(MULTISIG, { network });

  /** Opens and signs a PSBT with one key of the multisig. */
  const signAs = async (page: Page, psbt: Psbt, signer: 0 | 1): Promise<void> => {
    await openForReview(page, psbt, { text: multisigOf(signer), network });
    await sign(page);
    await title(page, texts.result.partial);
  };

  test.each([0, 2] as const)('and the first combines what the second has signed, version %d', async (version) => {
    const psbt = paymentOf(watching, version);
    const half = signWith(accountFromDescriptors(multisigOf(0), { network }), psbt).psbt;
    const { hex } = signWith(accountFromDescriptors(multisigOf(1), { network }), half);
    await withPage({}, (alice) =>
      withPage({}, async (bob) => {
        await signAs(alice, psbt, 0);
        expect(formatHex((await readCodes(alice, 'bbqr')).content)).toBe(formatPsbt(half, 'hex'));
        await signAs(bob, psbt, 1);
        await chooseFile(alice, (await readCodes(bob, 'bbqr')).content, 'bob.psbt');
        await title(alice, texts.result.final);
        const { content } = await readCodes(alice, 'ur');
        expect(formatHex(content)).toBe(hex);
        expectValid(formatHex(content), watching, 1);
      }),
    );
  });

  test.each(['bbqr', 'ur'] as const)(
    'and the first scans the codes of the second with its camera, %s',
    async (format) => {
      const psbt = paymentOf(watching);
      const half = signWith(accountFromDescriptors(multisigOf(0), { network }), psbt).psbt;
      const { hex } = signWith(accountFromDescriptors(multisigOf(1), { network }), half);
      const frames = await withPage({}, async (bob) => {
        await signAs(bob, psbt, 1);
        return (await readCodes(bob, format)).frames;
      });
      expect(frames.length).toBeGreaterThan(1);
      await withCamera(frames, (args) =>
        withPage({ args }, async (alice) => {
          await signAs(alice, psbt, 0);
          await button(alice, texts.open.camera).click();
          await alice
            .getByRole('heading', { level: 1, name: texts.result.final })
            .waitFor({ timeout: CAMERA_PATIENCE });
          await alice.getByRole('status').getByText(texts.open.combined(2)).waitFor();
          expect(formatHex((await readCodes(alice, 'bbqr')).content)).toBe(hex);
        }),
      );
    },
  );
});
