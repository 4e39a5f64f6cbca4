import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { cosigners, masterXprv, seedWords } from '../../../examples/fixtures.ts';
import { signWith } from '../../../src/kit/account/signWith.ts';
import { faultText } from '../../../src/shell/page/refusals.ts';
import { rounds } from '../../support/campaign.ts';
import {
  encodeBbqr,
  encodePsbt,
  encodeTransaction,
  encodeUr,
  formatBase64,
  formatHex,
  parseHex,
} from '../../support/library.ts';
import { fundingOf, leafOf, multisigOf, paymentOf } from '../../support/pageSessions.ts';
import { seed } from '../../support/seed.ts';
import { WALLET_FILES, walletFile } from '../../support/walletFiles.ts';
import { goTo } from './support/actions.ts';
import { withPage } from './support/chromium.ts';
import { mangledFile, mangledText, numbersOf } from './support/mangle.ts';
import { account } from './support/payments.ts';

const COUNT = Number(process.env['COUNTERSIGN_FUZZ'] ?? rounds(100_000));
const BATCH = 1000;

const psbt = paymentOf(account, 2, 2);
const bytes = encodePsbt(psbt);
const signed = parseHex(signWith(account, psbt).hex ?? '');
const ur = encodeUr(bytes, { type: 'crypto-psbt', fragmentSize: 60 });

const FILES: readonly Uint8Array[] = [
  bytes,
  encodePsbt(paymentOf(account, 0, 1)),
  encodePsbt(signWith(account, psbt).psbt),
  signed,
  encodeTransaction(fundingOf(account, 2)),
];
const TEXTS: readonly string[] = [
  ...encodeBbqr(bytes, { type: 'psbt', frameSize: 120 }),
  ...encodeBbqr(signed, { type: 'transaction', frameSize: 80 }),
  ...Array.from({ length: 12 }, (_, i) => ur.frame(i + 1)),
  'p1of2 cHNidP8BAHEC',
  'p2of2 AAAAAQ==',
  formatBase64(bytes),
  formatHex(signed),
  seedWords,
  masterXprv,
  cosigners[0].xpub,
  leafOf(cosigners[1].xprv),
  multisigOf(0),
  account.receive(0).address,
  ...WALLET_FILES.map(walletFile).filter((text) => text.length < 6000),
];

/** A message to the worker, with bytes in base64. */
type Message = readonly [method: string, argument: unknown, file?: string];

function messageOf(below: (limit: number) => number): Message {
  const kind = below(100);
  if (kind < 55) return ['scanText', mangledText(TEXTS, below)];
  if (kind < 75) return ['open', { content: mangledText(TEXTS, below) }];
  if (kind < 92) return ['open', { name: 'mangled.psbt' }, formatBase64(mangledFile(FILES, below))];
  if (kind < 97) return ['checkWords', mangledText(TEXTS, below)];
  if (kind < 98) return ['addKeys', { text: mangledText(TEXTS, below), network: 'main' }];
  return ['findAddress', mangledText(TEXTS, below)];
}

/** Lets the page keep the worker that it starts where tests find it. */
const keepWorker = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const { Worker } = globalThis;
    globalThis.Worker = class extends Worker {
      constructor(url: string | URL) {
        super(url);
        Object.assign(globalThis, { workerOfTest: this });
      }
    };
  });

interface Answer {
  readonly id: number;
  readonly error?: string;
  readonly result?: { readonly kind?: string; readonly status?: string };
}

/** Sends messages to the worker of the page. @returns its answers, in order: an error, or the kind of result */
const ask = (page: Page, messages: readonly Message[]): Promise<readonly { error?: string; kind?: string }[]> =>
  page.evaluate(async (given) => {
    const { workerOfTest: worker } = globalThis as unknown as { readonly workerOfTest: Worker };
    const FIRST = 1_000_000;
    const answers: { error?: string; kind?: string }[] = [];
    await new Promise<void>((resolve, reject) => {
      const receive = ({ data }: MessageEvent<Answer>): void => {
        if (data.id < FIRST || 'progress' in data) return;
        const { error, result } = data;
        answers.push(error === undefined ? { kind: result?.kind ?? result?.status ?? 'answered' } : { error });
        if (answers.length < given.length) return;
        worker.removeEventListener('message', receive);
        resolve();
      };
      worker.addEventListener('message', receive);
      worker.addEventListener('error', reject, { once: true });
      for (const [i, [method, argument, file]] of given.entries()) {
        const content =
          file === undefined ? {} : { content: Uint8Array.from(atob(file), (unit) => unit.charCodeAt(0)) };
        const args = [typeof argument === 'string' ? argument : { ...(argument as object), ...content }];
        worker.postMessage({ id: FIRST + i, method, args });
      }
    });
    // Documents opened by chance would make the rest slower, and less varied.
    worker.postMessage({ id: -1, method: 'wipe', args: [] });
    return answers;
  }, messages);

test(
  `${COUNT} mangled frames, texts and files reach no handler of errors, and the page lives on`,
  () =>
    withPage({ prepare: keepWorker }, async (page) => {
      const below = numbersOf(seed);
      const fault = faultText(undefined);
      const counts: Record<string, number> = {};
      await expect.poll(() => page.evaluate(() => 'workerOfTest' in globalThis), { timeout: 10_000 }).toBe(true);
      for (let done = 0; done < COUNT; done += BATCH) {
        const messages = Array.from({ length: BATCH }, () => messageOf(below));
        const answers = await ask(page, messages);
        for (const { error, kind = 'refused' } of answers) {
          if (error === undefined || error !== fault) counts[kind] = (counts[kind] ?? 0) + 1;
        }
        expect(messages.filter((_, i) => answers[i]?.error === fault).slice(0, 3)).toEqual([]);
      }
      console.log(`${COUNT} messages: ${JSON.stringify(counts)}`);
      await goTo(page, 'about');
      await page.locator('code.grouped').waitFor();
    }),
  Math.max(120_000, COUNT * 6),
);
