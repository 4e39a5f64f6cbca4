import { expect, test } from 'vitest';
import { accountFromDescriptors, buildPsbt } from '../../../src/kit/account/index.ts';
import { texts } from '../../../src/shell/page/texts.ts';
import { decodeTransaction, encodePsbt, verifyTransaction } from '../../support/library.ts';
import { ALICE, BOB } from '../../support/psbts.ts';
import { button, chooseFile, goTo, sign, title, typeKeys } from './support/actions.ts';
import { withPage } from './support/chromium.ts';
import { readCodes } from './support/codesOnScreen.ts';
import { readTraces } from './support/inPage.ts';

const network = 'regtest';
const PATH = 'm/86h/1h/7h';
const keyed = (alice: string, bob: string): string => `tr(musig(${alice},${bob})/<0;1>/*)`;
const account = accountFromDescriptors(keyed(ALICE.xpub(PATH), BOB.xpub(PATH)), { network });
const psbt = buildPsbt({
  inputs: [{ txid: '11'.repeat(32), vout: 0, value: 100_000n, from: account.receive(0) }],
  outputs: { bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080: 60_000n },
  change: account.change(0),
  feeRate: 2,
});

test('two pages sign with MuSig2 in two rounds, and keep the nonces in memory alone', async () => {
  await withPage({}, (alice) =>
    withPage({}, async (bob) => {
      for (const [page, text] of [
        [alice, keyed(ALICE.xprv(PATH), BOB.xpub(PATH))],
        [bob, keyed(ALICE.xpub(PATH), BOB.xprv(PATH))],
      ] as const) {
        await chooseFile(page, encodePsbt(psbt));
        await typeKeys(page, { text, network });
        await button(page, texts.keys.next).click();
        await page.getByText(texts.review.nonces(1)).waitFor();
        await sign(page);
        await title(page, texts.result.nonces);
        await page.getByText(texts.review.noncesWait(1)).waitFor();
        expect((await page.evaluate(readTraces)).stored).toEqual([0, 0, 0]);
      }
      const [fromAlice, fromBob] = [await readCodes(alice, 'bbqr'), await readCodes(bob, 'bbqr')];
      await chooseFile(alice, fromBob.content, 'bob.psbt');
      await title(alice, texts.review.title);
      await alice.getByText(texts.review.partialSignatures(1)).waitFor();
      await sign(alice);
      await title(alice, texts.result.partialNone);
      await chooseFile(bob, fromAlice.content, 'alice.psbt');
      await title(bob, texts.review.title);
      await goTo(bob, 'open');
      await chooseFile(bob, (await readCodes(alice, 'bbqr')).content, 'alice.psbt');
      await title(bob, texts.review.title);
      await sign(bob);
      await title(bob, texts.result.final);
      const { content } = await readCodes(bob, 'bbqr');
      const { scriptPubKey } = account.receive(0);
      expect(verifyTransaction(decodeTransaction(content), [{ value: 100_000n, scriptPubKey }]).isValid).toBe(true);
    }),
  );
});
