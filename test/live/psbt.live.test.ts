import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../src/core/crypto/nativeSecp256k1.ts';
import { isSameButForSecrets } from '../divergences.ts';
import { rounds } from '../support/campaign.ts';
import { answerText, createRpc } from '../support/library.ts';
import { report } from '../support/report.ts';
import { seed } from '../support/seed.ts';
import { hasLitecoind, type Node, startNode } from './litecoind.ts';
import { conversion, creation } from './psbt/createpsbt.ts';
import { derivation, description } from './psbt/descriptors.ts';
import { joining, unordered } from './psbt/joinpsbts.ts';
import { base64Of, oddPsbtText, type Plan, plan, spoiled } from './psbt/plans.ts';
import { type Call, call, listText, otherArgs, quote, requestText } from './psbt/requests.ts';
import { countReply, newTally, type Reply, tallyText } from './psbt/tally.ts';
import { describedLock, oddUpdate, updateOf } from './psbt/updates.ts';
import { fund, type Mine, startMine } from './signing/mining.ts';
import { add, sum } from './signing/tally.ts';

const CREATIONS = rounds(4000);
const CONVERSIONS = rounds(1600);
const PLANS = rounds(800);
const JOINS = rounds(800);
const ODD = rounds(1600);
const DESCRIPTIONS = rounds(8000);
const DERIVATIONS = rounds(4000);
const COINS = 80;
const UPDATES = rounds(1200);
/** The most differences shown. */
const SHOWN = 5;

const rpc = createRpc({ network: 'litecoin-regtest', dialect: 'litecoin-0.21', ecc: nativeSecp256k1Ecc });

/** Removes help texts, which are our own: only their code is compared. */
const withoutHelp = (answer: string, { method }: Call): string =>
  answer.startsWith(`{"result":null,"error":{"code":-1,"message":"${method}`) ? '(help)' : answer;

/** Returns why a reply of ours is not compared, or `undefined` if it is. */
function reasonToSkip(answer: string): string | undefined {
  // Core 0.21 reads past the end of a previous transaction here; see `divergences.ts`.
  if (answer.includes('Input specifies output index that does not exist')) return 'undefined in the node';
  return answer.includes('MWEB transactions are not decoded') ? 'MWEB' : undefined;
}

describe.runIf(hasLitecoind())(`Litecoin Core on this machine, for PSBTs of seed ${seed},`, () => {
  let node: Node;
  const tally = newTally();
  let differences: string[] = [];

  beforeAll(async () => {
    node = await startNode();
  });
  afterAll(async () => {
    await node.stop();
    console.log(tallyText(tally));
    report({ subject: 'PSBTs', passed: sum(tally.same), total: sum(tally.same) });
    expect(sum(tally.same)).toBeGreaterThanOrEqual(rounds(20_000));
  });

  function differ(asked: string, ours: string, theirs: string): void {
    differences.push(`asked: ${asked}\nours: ${ours}node: ${theirs}`);
  }

  /** Asks both and compares their replies. @returns the node's reply, or `undefined` if it was not compared */
  async function compare(asked: Call): Promise<Reply | undefined> {
    const body = requestText(asked);
    const ours = `${answerText(rpc, body)}\n`;
    const skipped = reasonToSkip(ours);
    if (skipped) {
      add(tally.skipped, skipped);
      return undefined;
    }
    const theirs = await node.post(body);
    if (theirs === undefined) {
      add(tally.skipped, `the node crashed on ${asked.method}`);
      await node.stop();
      node = await startNode();
      return undefined;
    }
    if (isSame(asked, ours, theirs)) countReply(tally, asked, JSON.parse(ours) as Reply);
    else if (isSameButForSecrets(ours, theirs)) add(tally.skipped, 'equal except for a secret');
    else differ(body, ours, theirs);
    return JSON.parse(theirs) as Reply;
  }

  function isSame(asked: Call, ours: string, theirs: string): boolean {
    if (withoutHelp(ours, asked) === withoutHelp(theirs, asked)) return true;
    if (asked.method !== 'joinpsbts') return false;
    const [a, b] = [ours, theirs].map((text) => (JSON.parse(text) as Reply).result);
    return typeof a === 'string' && typeof b === 'string' && unordered(a) === unordered(b);
  }

  async function compareAll(calls: fc.Arbitrary<Call>, numRuns: number): Promise<void> {
    differences = [];
    for (const asked of fc.sample(calls, { numRuns, seed })) await compare(asked);
    expectNoDifferences();
  }

  function expectNoDifferences(): void {
    expect(differences.slice(0, SHOWN), `${differences.length} differences`).toEqual([]);
  }

  const ask = (method: string, ...args: readonly string[]): Promise<Reply | undefined> =>
    compare(call(method, ...args.map((arg) => (arg.startsWith('cHNid') ? quote(arg) : arg))));

  async function look(psbt: string): Promise<void> {
    await ask('decodepsbt', psbt);
    await ask('analyzepsbt', psbt);
  }

  async function finalize(psbt: string, extract: string | undefined): Promise<Finalized> {
    const reply = await ask('finalizepsbt', psbt, ...(extract === undefined ? [] : [extract]));
    return Object(reply?.result) as Finalized;
  }

  /** Follows a plan: compares each participant's PSBT, then the combined, finalized, corrupted and extracted ones. */
  async function follow({ parts, extracts, spoil, order }: Plan): Promise<void> {
    const texts = parts.map(base64Of);
    for (const [i, text] of texts.entries()) {
      await look(text);
      await finalize(text, extracts[i]);
    }
    const listed = order.map((i) => texts[i % texts.length] ?? '');
    const reply = await ask('combinepsbt', listText(listed.map(quote)));
    const combined = reply?.result;
    if (typeof combined !== 'string') return;
    await look(combined);
    const { psbt } = await finalize(combined, 'false');
    if (psbt === undefined) return;
    await look(psbt);
    await finalize(psbt, extracts[3]);
    const broken = spoiled(psbt, spoil);
    await look(broken);
    await finalize(broken, extracts[2]);
    await ask('combinepsbt', listText([broken, ...texts, psbt].map(quote)));
    const { hex } = await finalize(psbt, 'true');
    if (hex !== undefined) await ask('converttopsbt', quote(hex), 'true');
  }

  test('creates PSBTs as we do', async () => {
    await compareAll(creation, CREATIONS);
  });

  test('converts transactions to PSBTs as we do', async () => {
    await compareAll(conversion, CONVERSIONS);
  });

  test('combines, finalizes and analyzes PSBTs as we do', async () => {
    differences = [];
    for (const sampled of fc.sample(plan, { numRuns: PLANS, seed })) await follow(sampled);
    expectNoDifferences();
  });

  test('joins PSBTs as we do, except for the order', async () => {
    await compareAll(joining, JOINS);
  });

  test('analyzes descriptors as we do', async () => {
    await compareAll(description, DESCRIPTIONS);
  });

  test('derives addresses as we do', async () => {
    await compareAll(derivation, DERIVATIONS);
  });

  test('updates PSBTs with descriptors as we do', async () => {
    await compareAll(oddUpdate, ODD);
  });

  test('refuses wrong parameters as we do', async () => {
    const methods = fc.constantFrom('finalizepsbt', 'analyzepsbt', 'decodepsbt', 'utxoupdatepsbt');
    const single = fc.tuple(methods, oddPsbtText).map(([method, text]) => ({ method, args: [text] }));
    const several = fc
      .array(oddPsbtText, { maxLength: 3 })
      .map((texts) => ({ method: 'combinepsbt', args: [listText(texts)] }));
    const wrong = fc
      .oneof(single, several)
      .chain(({ method, args }) =>
        fc.oneof(
          { weight: 4, arbitrary: fc.constant(call(method, ...args)) },
          { weight: 1, arbitrary: otherArgs(args).map((other) => call(method, ...other)) },
        ),
      );
    await compareAll(wrong, ODD);
  });
});

interface Finalized {
  readonly psbt?: string;
  readonly hex?: string;
}

describe.runIf(hasLitecoind())(`Litecoin Core on this machine, for coins of seed ${seed},`, () => {
  let mine: Mine;

  beforeAll(async () => {
    mine = await startMine();
  });
  afterAll(async () => {
    await mine.stop();
  });

  test('updates PSBTs as we do', async () => {
    const locks = fc.sample(describedLock, { numRuns: COINS, seed });
    const value = 1_000_000n;
    const outpoints = await fund(
      mine,
      locks.map(({ lock: { scriptPubKey } }) => ({ value, scriptPubKey })),
    );
    const coins = locks.flatMap((described, i) => {
      const outpoint = outpoints[i];
      return outpoint ? [{ described, outpoint, value }] : [];
    });
    const differences: string[] = [];
    let changed = 0;
    for (const { psbt, descriptors, prevtxs } of fc.sample(updateOf(coins), { numRuns: UPDATES, seed })) {
      const text = base64Of(psbt);
      const theirs = await mine.call<string>('utxoupdatepsbt', [text, descriptors]);
      const ours = rpc.call('utxoupdatepsbt' as string, [text, descriptors, prevtxs]);
      const asked = JSON.stringify([text, descriptors, prevtxs]);
      if (ours !== theirs) differences.push(`asked: ${asked}\nours: ${ours}\nnode: ${theirs}`);
      if (theirs !== text) changed += 1;
    }
    console.log(`psbt: ${UPDATES} PSBTs updated as by the node, ${changed} of them changed`);
    expect(differences.slice(0, SHOWN), `${differences.length} differences`).toEqual([]);
    expect(changed).toBeGreaterThan(UPDATES / 2);
  });
});
