import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as bitcoinjsMultisig from '../bench/peers/bitcoinjsMultisig.ts';
import * as bitcoinjsPayLink from '../bench/peers/bitcoinjsPayLink.ts';
import * as bitcoinjsSingleKey from '../bench/peers/bitcoinjsSingleKey.ts';
import * as bitcoinjsTaproot from '../bench/peers/bitcoinjsTaproot.ts';
import * as scureMultisig from '../bench/peers/scureMultisig.ts';
import * as scurePayLink from '../bench/peers/scurePayLink.ts';
import * as scureSingleKey from '../bench/peers/scureSingleKey.ts';
import * as scureTaproot from '../bench/peers/scureTaproot.ts';
import { cosigners, destination, masterXprv, seedWords } from '../examples/fixtures.ts';
import * as german from '../examples/german/review.ts';
import * as hsm from '../examples/hsm.ts';
import * as multisig from '../examples/multisig.ts';
import * as payLink from '../examples/payLink.ts';
import * as quorumFiles from '../examples/quorumFiles.ts';
import * as reviewBatch from '../examples/reviewBatch.ts';
import * as singleKey from '../examples/singleKey.ts';
import * as taproot from '../examples/taproot.ts';
import * as vault from '../examples/vault.ts';
import {
  txid as computeTxid,
  decodeTransaction,
  formatPsbt,
  formatTxid,
  networks,
  parseAddress,
  parseHex,
  transactionSize,
  verifyTransaction,
} from '../src/index.ts';
import { accountFromDescriptors, accountFromKey, accountFromWords, buildPsbt } from '../src/kit/account/index.ts';
import { browserPath, bundleForBrowsers, runExample } from './support/examples.ts';
import { type ServeProcess, startServeProcess } from './support/serveProcess.ts';

const network = 'regtest';
const words = accountFromWords(seedWords, { network });
const [first, second, third] = cosigners;
const quorum = accountFromDescriptors(`wsh(sortedmulti(2,${first.xpub},${second.xpub},${third.xpub}))`, { network });
const key = accountFromKey(masterXprv, { network, purpose: 86, at: 'account' });
const unsigned = buildPsbt({
  inputs: [{ txid: 'ab'.repeat(32), vout: 0, value: 100_000n, from: words.receive(3) }],
  outputs: { [destination]: 60_000n },
  change: words.change(0),
  feeRate: 2,
});

describe('the examples', () => {
  test.each([
    ['singleKey', singleKey, words.receive(3)],
    ['multisig', multisig, quorum.receive(3)],
    ['taproot', taproot, key.receive(3)],
  ] as const)('%s signs a valid transaction that pays 60 000 sat at 2 sat/vB', (_, { hex, txid }, from) => {
    expect(txid).toMatch(/^[0-9a-f]{64}$/);
    const tx = decodeTransaction(parseHex(hex ?? ''));
    expect(verifyTransaction(tx, [{ value: 100_000n, scriptPubKey: from.scriptPubKey }])).toMatchObject({
      isValid: true,
    });
    const [payment, change] = tx.outputs;
    expect(payment).toEqual({ value: 60_000n, scriptPubKey: parseAddress(destination, networks.regtest) });
    const fee = Number(100_000n - 60_000n - (change?.value ?? 0n));
    const rate = fee / transactionSize(tx).vsize;
    expect(rate).toBeGreaterThanOrEqual(2);
    expect(rate).toBeLessThan(2.02);
  });

  test.each([
    ['singleKey', singleKey, scureSingleKey, bitcoinjsSingleKey],
    ['multisig', multisig, scureMultisig, bitcoinjsMultisig],
    ['taproot', taproot, scureTaproot, bitcoinjsTaproot],
  ] as const)('%s makes the same transaction as the programs of the peers', (_, { txid }, scure, bitcoinjs) => {
    expect([scure.txid, bitcoinjs.txid]).toEqual([txid, txid]);
  });

  test('payLink pays, shows and labels the same as the programs of the peers', () => {
    for (const peer of [scurePayLink, bitcoinjsPayLink]) {
      expect([peer.txid, peer.labels]).toEqual([payLink.txid, payLink.labels]);
      expect(peer.shown).toMatch(/^pays 60000 sat to bcrt1\w+, fee 282 sat, change verified$/);
    }
    expect(payLink.shown).toContain('change, verified');
  });

  test('multisig says after the first signature which keys are still needed', () => {
    expect(multisig.inputs).toMatchObject([{ isComplete: false, added: 1, quorums: [{ have: 1, required: 2 }] }]);
  });
});

/** The transaction id of a transaction in hex. */
const txidOf = (hex: string | undefined): string => formatTxid(computeTxid(decodeTransaction(parseHex(hex ?? ''))));

describe('the larger examples', () => {
  test('quorumFiles makes the transaction of multisig from two copies, each with one of two signatures', () => {
    expect(quorumFiles.progress).toEqual(['1 of 2', '1 of 2']);
    expect(txidOf(quorumFiles.hex)).toBe(multisig.txid);
    const { scriptPubKey } = quorum.receive(3);
    const tx = decodeTransaction(parseHex(quorumFiles.hex));
    expect(verifyTransaction(tx, [{ value: 100_000n, scriptPubKey }])).toMatchObject({ isValid: true });
  });

  test('hsm makes the transaction of singleKey from one digest', () => {
    expect(hsm.digests).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(txidOf(hsm.hex)).toBe(singleKey.txid);
    const { scriptPubKey } = words.receive(3);
    const tx = decodeTransaction(parseHex(hsm.hex));
    expect(verifyTransaction(tx, [{ value: 100_000n, scriptPubKey }])).toMatchObject({ isValid: true });
  });

  test('vault lets the owner spend at once, and the heir only with the delay', () => {
    expect([vault.byOwner.isComplete, vault.byHeir.isComplete, vault.tooEarly.isComplete]).toEqual([true, true, false]);
    expect(vault.outcome.isValid).toBe(true);
    expect(decodeTransaction(parseHex(vault.byHeir.hex ?? '')).inputs[0]?.sequence).toBe(4320);
  });

  test('reviewBatch finds the ten absurd fees among a thousand PSBTs, and the broken one after them', () => {
    expect(reviewBatch.verdicts).toHaveLength(1001);
    const fees = reviewBatch.refused.slice(0, -1);
    expect(fees.map(({ line }) => line)).toEqual(Array.from({ length: 10 }, (_, i) => 100 * (i + 1)));
    expect(fees.every(({ refused, fee }) => refused.includes('fee-absurd') && fee === 120_000n)).toBe(true);
    expect(reviewBatch.refused.at(-1)).toMatchObject({
      line: 1001,
      refused: [expect.stringMatching(/requires unsignedTx/)],
    });
  });

  test('german words the review of an honest PSBT and of one with false change', () => {
    const { honest, forged } = german.texts;
    expect(honest).toMatch(/^Nichts Verdächtiges gefunden\.$/m);
    expect(honest).toContain('Rückgeld, geprüft');
    expect(honest).toMatch(/^Zahlt 0\.00060000 BTC an bcrt 1qw5 .*, Gebühr 0\.00000282\. Signieren\?$/m);
    expect(forged).toMatch(/^ABGELEHNT: Ausgang 1 gehört angeblich Ihnen, aber das ist falsch: /);
    expect(forged).not.toContain('Signieren?');
  });

  test('musig2 aggregates the signatures of two processes', () => {
    const hex = runExample('musig2').trim();
    const account = accountFromDescriptors(`tr(musig(${first.xpub},${second.xpub}))`, { network });
    const { scriptPubKey } = account.receive(3);
    const tx = decodeTransaction(parseHex(hex));
    expect(tx.inputs[0]?.witness.map(({ length }) => length)).toEqual([64]);
    expect(verifyTransaction(tx, [{ value: 100_000n, scriptPubKey }])).toMatchObject({ isValid: true });
  });
});

describe('on a regtest in the process,', () => {
  test('a coin of @scure/btc-signer pays a shop', async () => {
    expect((await import('../examples/regtestScure.ts')).balance).toBe(99_000n);
  });

  test('a reorganization takes back a payment of bitcoinjs-lib', async () => {
    expect((await import('../examples/regtestBitcoinjs.ts')).confirmations).toEqual([1, 0]);
  });

  test('the npm client bitcoin-core mines and asks over HTTP', async () => {
    expect((await import('../examples/regtestBitcoinCore.ts')).balance).toBe(50);
  });

  test('a suite of node:test passes', () => {
    const suite = new URL('../examples/regtest.test.mjs', import.meta.url).pathname;
    expect(execFileSync(process.execPath, ['--test', suite], { encoding: 'utf8' })).toMatch(/^# pass 2$/m);
  });

  describe('a suite of Vitest:', async () => void (await import('../examples/regtestVitest.test.ts')));
});

describe('a regtest in a page', () => {
  const bundle = bundleForBrowsers('examples/browser/regtest.mjs');
  const browser = browserPath() ?? '';

  test.runIf(browser !== '')('mines, pays, and says that it cannot listen', async () => {
    const opened = await chromium.launch({ executablePath: browser, args: ['--no-sandbox'] });
    try {
      const page = await opened.newPage();
      await page.addScriptTag({ content: bundle, type: 'module' });
      await page.waitForFunction(`document.title !== ''`);
      expect(await page.title()).toBe(
        '25000000 satoshi. A page cannot listen: call the chain in the page, or listen in Node, Bun or Deno',
      );
    } finally {
      await opened.close();
    }
  });
});

describe('with a server,', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-examples-'));
  let server: ServeProcess | undefined;
  const environment: Record<string, string> = { COOKIE: join(folder, '.cookie'), WALLET: 'demo' };

  beforeAll(async () => {
    server = await startServeProcess(folder, ['--network', 'regtest', '--dialect', 'core-31']);
    environment['URL'] = `http://127.0.0.1:${server.port}`;
    Object.assign(process.env, environment);
    const requests = readFileSync(new URL('../vectors/demo.requests.jsonl', import.meta.url), 'utf8')
      .trim()
      .split('\n');
    for (const request of requests) {
      const { method, params } = JSON.parse(request) as { method: string; params: unknown[] };
      await server.ask(method, params, 'demo');
    }
  });
  afterAll(async () => {
    for (const name of Object.keys(environment)) delete process.env[name];
    await server?.kill();
    rmSync(folder, { recursive: true });
  });

  test('depositWatcher reports each deposit with enough confirmations', () => {
    expect(runExample('depositWatcher', ['--once'], environment).trim().split('\n')).toEqual([
      expect.stringMatching(/^50 to bcrt1q\w+ in [0-9a-f]{64}$/),
      expect.stringMatching(/^50 to bcrt1q\w+ in [0-9a-f]{64}$/),
    ]);
    const patient = { ...environment, CONFIRMATIONS: '2' };
    expect(runExample('depositWatcher', ['--once'], patient).trim().split('\n')).toHaveLength(1);
  });

  // It registers the tests of the suite here.
  describe('nodeAnswers:', async () => void (await import('../examples/nodeAnswers.test.ts')));
});

describe('the component for browsers', () => {
  const bundle = bundleForBrowsers('examples/browser/psbtReview.ts');
  const browser = browserPath() ?? '';

  test('is bundled without any module of Node', () => expect(bundle).toContain('customElements.define'));

  test.runIf(browser !== '')('shows a review, and says why there is none', async () => {
    const opened = await chromium.launch({ executablePath: browser, args: ['--no-sandbox'] });
    try {
      const page = await opened.newPage();
      const psbt = formatPsbt(unsigned);
      await page.setContent(`<psbt-review network="regtest" psbt="${psbt}"></psbt-review>`);
      await page.addScriptTag({ content: bundle, type: 'module' });
      await page.waitForSelector('psbt-review pre');
      expect(await page.textContent('psbt-review')).toMatch(/^Warning: Output 1 claims to be change/);
      await page.evaluate(`document.querySelector('psbt-review').setAttribute('psbt', 'cHNidP8A')`);
      expect(await page.textContent('psbt-review [role=alert]')).toMatch(/requires unsignedTx/);
    } finally {
      await opened.close();
    }
  });
});
