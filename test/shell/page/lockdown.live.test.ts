import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { seedWords } from '../../../examples/fixtures.ts';
import { accountFromWords, signWith } from '../../../src/kit/account/index.ts';
import { texts } from '../../../src/shell/page/texts.ts';
import { encodePsbt, formatHex } from '../../support/library.ts';
import { paymentOf } from '../../support/pageSessions.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { button, chooseFile, goTo, sign, typeKeys } from './support/actions.ts';
import { withPage } from './support/chromium.ts';
import { readCodes } from './support/codesOnScreen.ts';
import { readTraces } from './support/inPage.ts';

const passphrase = 'a passphrase of the test';
const account = accountFromWords(seedWords, { network: 'main', passphrase });
const psbt = paymentOf(account);
const keys = { text: seedWords, network: 'main', purpose: 84, passphrase } as const;
const directory = temporaryDirectory();
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Reads the hash that the page shows of itself. */
async function ownHash(page: Page): Promise<string> {
  await goTo(page, 'about');
  await page.locator('code.grouped').waitFor();
  return (await page.locator('code.grouped').textContent()) ?? '';
}

describe('the file', () => {
  test('is the same after a second build', () => {
    const again = join(directory, 'again.html');
    execFileSync(process.execPath, ['.build/page.mjs', again]);
    expect(sha256(readFileSync(again))).toBe(sha256(readFileSync(inject('pageFile'))));
  });

  test('has none of the words that install.md lets a reader search for', () => {
    const guide = readFileSync('docs/install.md', 'utf8');
    const [, list = ''] = /None of what makes requests([\s\S]*?); and `fetch` stands there only once/.exec(guide) ?? [];
    const words = [...list.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
    expect(words).toEqual(expect.arrayContaining(['fetch(', 'XMLHttpRequest', 'WebSocket', 'sendBeacon', 'eval(']));
    const page = readFileSync(inject('pageFile'), 'utf8');
    expect(words.filter((word) => page.includes(word))).toEqual([]);
    expect(page.match(/^.*fetch.*$/gim)).toEqual(['fetch']);
  });

  test('shows its own SHA-256', () =>
    withPage({}, async (page) => expect(await ownHash(page)).toBe(sha256(readFileSync(inject('pageFile'))))));

  test('says so if its script is damaged', () =>
    withPage({ expected: /^(?:request|console|exception|violated) / }, async (first) => {
      const damaged = join(directory, 'damaged.html');
      const text = readFileSync(inject('pageFile'), 'utf8');
      const changed = text.replace('function decodePsbtBytes(', 'function decodePsbtBytes (');
      expect(changed).not.toBe(text);
      writeFileSync(damaged, changed);
      const page = await first.context().newPage();
      await page.goto(pathToFileURL(damaged).href);
      await page.getByText('This file is damaged').waitFor();
      expect(await page.locator('h1').count()).toBe(0);
    }));

  test('makes no inline script, handler or request possible', () =>
    withPage(
      { expected: /^violated|^console .*(?:Content Security Policy|violates|Refused)|^request |^rejection/ },
      async (page) => {
        const result = await page.evaluate(async () => {
          const failed = async (task: () => unknown): Promise<boolean> => {
            try {
              await task();
              return false;
            } catch {
              return true;
            }
          };
          const run = globalThis as unknown as { isRun?: boolean };
          document.body.append(Object.assign(document.createElement('script'), { textContent: 'isRun = true' }));
          const image = new Image();
          const isImageRefused = new Promise<boolean>((resolve) => {
            image.onerror = () => resolve(true);
            image.onload = () => resolve(false);
          });
          image.src = 'http://127.0.0.1:9/image.png';
          return {
            fetch: await failed(() => fetch('http://127.0.0.1:9/')),
            image: await isImageRefused,
            evaluated: await failed(() => setTimeout('isRun = true')),
            script: run.isRun === undefined,
          };
        });
        expect(result).toMatchObject({ fetch: true, image: true, script: true });
      },
    ));
});

describe('from a plain HTTP server', () => {
  let server: Server;
  let url = '';
  const asked: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.setHeader('Content-Type', 'text/html').end(readFileSync(inject('pageFile')));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/countersign.html`;
  });
  afterAll(() => server.close());

  test('the page shows the same hash, signs, and asks the server for nothing else', () =>
    withPage({ url }, async (page) => {
      expect(await ownHash(page)).toBe(sha256(readFileSync(inject('pageFile'))));
      await goTo(page, 'open');
      await chooseFile(page, encodePsbt(psbt));
      await typeKeys(page, keys);
      await button(page, texts.keys.next).click();
      await sign(page);
      expect(formatHex((await readCodes(page, 'bbqr')).content)).toBe(signWith(account, psbt).hex);
      expect(asked).toEqual(['/countersign.html']);
    }));
});

/** Expects that the browser keeps nothing, and that neither the document nor a field holds a secret. */
async function expectNoTrace(page: Page): Promise<void> {
  const trace = await page.evaluate(readTraces);
  expect(trace.stored).toEqual([0, 0, 0]);
  expect(trace.cookie).toBe('');
  expect(trace.text).not.toContain('abandon abandon');
  expect(trace.text).not.toContain(passphrase);
  expect(trace.text).not.toContain(account.receive(0).address.slice(0, 12));
}

async function expectNoKeys(page: Page): Promise<void> {
  await expectNoTrace(page);
  await goTo(page, 'keys');
  await page.getByRole('textbox', { name: texts.keys.words, exact: true }).waitFor();
  expect(await page.getByRole('button', { name: texts.keys.addressesShort }).count()).toBe(1);
  await goTo(page, 'review');
  await page.getByText(texts.review.none).waitFor();
}

/** Opens a PSBT and keys, and leaves words and a passphrase in the form, too. */
async function fill(page: Page): Promise<void> {
  await chooseFile(page, encodePsbt(psbt));
  await typeKeys(page, keys);
  await page.getByText(texts.keys.addMore).click();
  await page.getByRole('textbox', { name: texts.keys.words, exact: true }).fill(seedWords);
  await page.getByLabel(texts.keys.passphrase, { exact: true }).fill(passphrase);
}

describe('keys are wiped', () => {
  test('by the button', () =>
    withPage({}, async (page) => {
      await fill(page);
      await button(page, texts.session.wipe).click();
      await page.getByText(texts.session.wiped).waitFor();
      await expectNoKeys(page);
    }));

  test('by leaving the page, which may be shown again', () =>
    withPage({}, async (page) => {
      await fill(page);
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
      await page.getByText(texts.session.wiped).waitFor();
      await expectNoKeys(page);
    }));

  test('after the minutes without use that the page counts down, and not before', () =>
    withPage({ prepare: (page) => page.clock.install() }, async (page) => {
      await fill(page);
      await page.clock.fastForward('09:00');
      await page.keyboard.press('Shift');
      await page.clock.fastForward('09:05');
      await page.getByText(texts.session.soon).waitFor();
      await button(page, texts.session.wipe).waitFor();
      await page.clock.fastForward('01:00');
      await page.getByText(texts.session.wipedIdle(10)).waitFor();
      await expectNoKeys(page);
    }));
});
