import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { seedWords } from '../../../examples/fixtures.ts';
import { fingerprintOf } from '../../../src/core/holder/heldKey.ts';
import { accountFromWords, reviewWith, signWith } from '../../../src/kit/account/index.ts';
import { parseSignedMessage, verifyMessage } from '../../../src/kit/message/index.ts';
import { drawReview } from '../../../src/kit/picture/index.ts';
import { texts } from '../../../src/shell/page/texts.ts';
import { isWhole, share } from '../../support/campaign.ts';
import { keyAt } from '../../support/holderPsbts.ts';
import { decodePsbt, ENGLISH, encodePsbt, formatHex, formatPsbt, stringifyRpc } from '../../support/library.ts';
import { paymentOf } from '../../support/pageSessions.ts';
import { elementsIn, parseXml, textOf } from '../../support/strictXml.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { type Driver, PATIENCE } from './support/engines/driver.ts';
import { chromium, firefox } from './support/engines/puppeteer.ts';
import {
  button,
  choice,
  FILE,
  field,
  readCodes,
  shownTexts,
  step,
  tabTo,
  text,
  title,
  typeWords,
} from './support/engines/steps.ts';
import { openTrap, type Trap } from './support/engines/trap.ts';
import { webkit } from './support/engines/webkit.ts';
import { layoutFindings, readPicture, readReviewTexts, readTraces, recordedFaults } from './support/inPage.ts';
import { refusedPayment } from './support/payments.ts';
import { factsOf, factsOfTexts } from './support/reviewOnScreen.ts';

const passphrase = 'a passphrase of the test';
const keys = { words: seedWords, passphrase };
const account = accountFromWords(seedWords, { network: 'main', passphrase });
/** The smallest phone, held upright. */
const PHONE = { width: 320, height: 640 };
/** Some browsers look for an icon of a page from a host, which the policy refuses, too. */
const NO_ICON = ['violated img-src'];
const file = (): string => inject('pageFile');
const FINGERPRINT = account.holds.keys?.map((key) => formatHex(fingerprintOf(key)))[0];
const ownSha256 = (): string => createHash('sha256').update(readFileSync(file())).digest('hex');

/** Of the tests below, Chromium plays all; the others a third, in which commits take turns. */
const TESTS = 7;
const turnOf = (order: number): readonly number[] =>
  Array.from({ length: TESTS }, (_, i) => i).filter((i) => isWhole || order === 0 || (i + order) % 3 === share % 3);
const BROWSERS = [chromium, firefox, webkit].map((browser, order) => ({ ...browser, turn: turnOf(order) }));

describe.each(BROWSERS)('on a phone held upright, in $name,', ({ name, needs, start, turn }) => {
  const missing = Object.entries(needs).filter(([path]) => !existsSync(path));
  if (turn.length < TESTS) console.log(`${name}: tests ${turn.join(', ')} of ${TESTS}, the others left out`);
  const directory = temporaryDirectory();
  let trap: Trap;
  let driver: Driver;
  let server: Server;
  const asked: string[] = [];

  beforeEach(({ skip }) => {
    skip(
      missing.length > 0,
      `${name} is not tested: install Debian's ${missing.map(([, debian]) => debian).join(', ')}`,
    );
    skip(!driver.isPhone, `${name} is not tested: it cannot turn its screen like a phone`);
  });
  beforeAll(async () => {
    if (missing.length > 0) return;
    trap = await openTrap();
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.setHeader('Content-Type', 'text/html').end(readFileSync(file()));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    driver = await start({ ...PHONE, proxy: trap.port });
    process.stdout.write(`the page is tested in ${driver.version}\n`);
  });
  afterAll(async () => {
    server?.close();
    await driver?.close();
  });

  /** Opens the page, uses it, and expects neither a fault nor a request. */
  const withPage = async (url: string, use: () => Promise<void>, expected: readonly string[] = []): Promise<void> => {
    await driver.open(url);
    await driver.see(title(texts.open.title));
    await use();
    const faults = await driver.run(recordedFaults);
    expect(faults.filter((fault) => !expected.includes(fault))).toEqual([]);
    expect(trap.hosts()).toEqual([]);
  };
  const withFile = (use: () => Promise<void>): Promise<void> => withPage(pathToFileURL(file()).href, use);
  const expectFitting = async (): Promise<void> => {
    expect(await driver.run(() => innerWidth)).toBe(PHONE.width);
    expect(await driver.run(layoutFindings)).toEqual([]);
  };
  const chooseFile = (content: Uint8Array): Promise<void> => {
    const path = join(directory, 'spend.psbt');
    writeFileSync(path, content);
    return driver.chooseFile(FILE, path);
  };

  test.runIf(turn.includes(0))(
    'a PSBT from a file is reviewed, refused, signed all the same, and shown as text and codes',
    () =>
      withFile(async () => {
        const psbt = refusedPayment(account);
        const review = reviewWith(account, psbt);
        const refused = [
          ...new Set(review.findings.flatMap(({ check, action }) => (action === 'refuse' ? check : []))),
        ];
        await expectFitting();
        await chooseFile(encodePsbt(psbt));
        await driver.see(title(texts.keys.title));
        await expectFitting();
        await typeWords(driver, keys);
        await expectFitting();
        await driver.click(button(texts.keys.next));
        await driver.see(title(texts.review.title));
        await expectFitting();
        expect(factsOfTexts(await driver.run(readReviewTexts))).toEqual(factsOf(review));
        const picture = await driver.run(readPicture);
        const drawn = elementsIn(parseXml(drawReview(review, { width: 280 })))
          .filter((element) => element.name === 'text')
          .map(textOf);
        // The page calls the wallet otherwise.
        const withoutNames = (lines: readonly string[]): readonly string[] =>
          lines.filter((line) => !line.includes('…'));
        expect(withoutNames(picture.texts)).toEqual(withoutNames(drawn));
        expect(picture.letterHeight).toBeGreaterThan(10);
        expect(picture.background).toMatch(/^rgb\((?:255, 255, 255|24, 30, 37)\)$/);
        expect(refused.length).toBeGreaterThan(1);
        for (const check of refused) {
          await driver.see(`${button(texts.review.signAnyway)}[@disabled]`);
          await driver.click(
            `//label[.//strong[normalize-space()="${texts.review.override(ENGLISH.checks[check].title)}"]]`,
          );
        }
        await driver.click(button(texts.review.signAnyway));
        await driver.see(title(texts.result.open));
        await expectFitting();
        const policy = Object.fromEntries(refused.map((check) => [check, 'warn'] as const));
        const { psbt: signed } = signWith(account, psbt, { policy, sighashType: 2 });
        for (const format of ['bbqr', 'ur'] as const)
          expect(formatHex((await readCodes(driver, format)).content)).toBe(formatHex(encodePsbt(signed)));
        await driver.click(`//summary[normalize-space()="${texts.result.text}"]`);
        await driver.see(field(texts.result.textLabel));
        expect(await shownTexts(driver)).toEqual([formatPsbt(signed)]);
        await expectFitting();
      }),
  );

  test.runIf(turn.includes(1))(
    'a pasted PSBT shows its fields, and the keys their addresses, until the button wipes all',
    () =>
      withFile(async () => {
        const base64 = formatPsbt(paymentOf(account, 0));
        await driver.type(field(texts.open.pasteLabel), base64);
        await driver.control('a');
        await driver.control('x');
        await driver.click(title(texts.open.title));
        await driver.control('v');
        await driver.see(title(texts.keys.title));
        await typeWords(driver, keys);
        await driver.click(button(texts.tools.inspect));
        await driver.click(button(texts.inspect.json));
        await driver.see(field(texts.inspect.jsonLabel));
        const [json = ''] = await shownTexts(driver);
        expect(json).toBe(stringifyRpc(decodePsbt([base64], { network: 'main', dialect: 'core-32' }), { indent: 2 }));
        await expectFitting();
        await driver.click(button(texts.tools.addresses));
        await driver.see(button(texts.addresses.qr(0)));
        const addresses = await driver.run(() =>
          [...document.querySelectorAll('.address-list code')].map(({ textContent }) => textContent),
        );
        expect(addresses).toEqual(Array.from({ length: 10 }, (_, i) => account.receive(i).address));
        await expectFitting();
        await driver.click(choice(texts.addresses.silent));
        await driver.see(text(texts.addresses.silentHelp));
        await expectFitting();
        await driver.click(button(texts.session.wipe));
        await driver.see(text(texts.session.wiped));
        await expectWiped();
      }),
  );

  const expectWiped = async (): Promise<void> => {
    const { stored, cookie, text: left } = await driver.run(readTraces);
    expect([stored, cookie]).toEqual([[0, 0, 0], '']);
    for (const secret of [seedWords, passphrase, account.receive(0).address.slice(0, 12)]) {
      expect(left).not.toContain(secret);
    }
    await driver.click(step(texts.steps.keys));
    await driver.see(field(texts.keys.words));
    expect(await driver.run(() => document.querySelectorAll('section.session').length)).toBe(0);
    await driver.click(step(texts.steps.review));
    await driver.see(text(texts.review.none));
  };

  test.runIf(turn.includes(2))('keys are wiped after ten minutes without use, and not before', () =>
    withFile(async () => {
      await driver.click(step(texts.steps.keys));
      await typeWords(driver, keys);
      // The countdown begins after the section is drawn: a clock moved in between would move its end, too.
      const readClock = (): Promise<string | null | undefined> =>
        driver.run(() => document.querySelector('.clock')?.textContent);
      await expect.poll(readClock, { timeout: PATIENCE }).not.toBe(texts.session.forgetIn('10:00'));
      await driver.run(() => {
        const now = Date.now.bind(Date);
        Date.now = () => now() + 9.2 * 60_000;
      });
      await driver.see('//section[contains(@class, "session soon")]');
      await driver.run(() => {
        const now = Date.now.bind(Date);
        Date.now = () => now() + 60_000;
      });
      await driver.see(text(texts.session.wipedIdle(10)));
      await expectWiped();
    }),
  );

  test.runIf(turn.includes(3))('the camera starts, or the page says why not', () =>
    withFile(async () => {
      await driver.click(button(texts.open.camera));
      await driver.see(`//*[@role="alert"][contains(@class, "bad")] | //p[normalize-space()="${texts.camera.aim}"]`);
      await driver.click(button(texts.camera.stop));
      await driver.see(button(texts.open.camera));
    }),
  );

  test.runIf(turn.includes(4))(
    'the page shows its own SHA-256, from a file and from a host, which it asks for nothing else',
    async () => {
      const { port } = server.address() as AddressInfo;
      for (const url of [pathToFileURL(file()).href, `http://127.0.0.1:${port}/countersign.html`]) {
        await withPage(
          url,
          async () => {
            await driver.click(button(texts.tools.about));
            await driver.see('//code[contains(@class, "grouped")]');
            const shown = await driver.run(() => document.querySelector('code.grouped')?.textContent);
            expect(shown).toBe(ownSha256());
            await expectFitting();
          },
          NO_ICON,
        );
      }
      expect(asked).toEqual(['/countersign.html']);
    },
  );

  test.runIf(turn.includes(6))(
    'a message is signed, a multisig wallet made and an address sought, by the keyboard',
    () =>
      withFile(async () => {
        await driver.click(step(texts.steps.keys));
        await typeWords(driver, keys);
        await driver.click(button(texts.tools.messages));
        await driver.see(title(texts.messages.title));
        await tabTo(driver, texts.messages.address);
        await driver.write(account.receive(0).address);
        await tabTo(driver, texts.messages.message);
        await driver.write('I agree');
        await tabTo(driver, texts.messages.show);
        await driver.press('Enter');
        await driver.see(button(texts.messages.signButton));
        await expectFitting();
        await tabTo(driver, texts.messages.signButton);
        await driver.press('Enter');
        await driver.see('//canvas');
        await expectFitting();
        const { content } = await readCodes(driver, 'bbqr');
        const signed = parseSignedMessage(new TextDecoder().decode(content));
        expect(verifyMessage(signed).kind).toBe('valid');

        await driver.click(button(texts.tools.quorum));
        await driver.see(title(texts.quorum.title));
        await driver.see(`//button[starts-with(normalize-space(), "Add my key")]`);
        await tabTo(driver, texts.quorum.addOwn(`Seed words ${FINGERPRINT}`));
        await driver.press('Enter');
        await tabTo(driver, texts.quorum.key);
        await driver.write(keyAt('bob', 'm/48h/0h/0h/2h'));
        await tabTo(driver, texts.quorum.addKey);
        await driver.press('Enter');
        await driver.see(button(texts.quorum.remove(2)));
        await driver.click(button(texts.quorum.make));
        await driver.see(button(texts.quorum.register));
        await expectFitting();

        await driver.click(button(texts.tools.addresses));
        await driver.see(button(texts.addresses.qr(0)));
        await tabTo(driver, texts.addresses.findLabel);
        await driver.write(`bitcoin:${accountFromWords(seedWords, { passphrase, purpose: 86 }).change(2).address}`);
        await driver.press('Enter');
        await driver.see('//p[contains(., "change address 2 of")]');
        await expectFitting();
      }),
  );

  test.runIf(turn.includes(5))(
    'a request is refused by the policy of the page; without the page, it would not be',
    async () => {
      await driver.open(pathToFileURL(file()).href);
      await driver.run(() => {
        new Image().src = 'http://countersign.test/image.png';
      });
      await expect.poll(() => driver.run(recordedFaults)).toContain('violated img-src');
      expect(trap.hosts()).toEqual([]);
      await driver.leaveFor('http://countersign.test/');
      expect(trap.hosts()).toContain('countersign.test');
    },
  );
});
