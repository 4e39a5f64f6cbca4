import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../src/core/crypto/nativeSecp256k1.ts';
import { isSameButForSecrets } from '../divergences.ts';
import { rounds } from '../support/campaign.ts';
import {
  answerText,
  createRpc,
  decodeTransaction,
  encodeTransaction,
  formatHex,
  formatTxid,
  parseHex,
  signRawTransactionWithKey,
  txid,
} from '../support/library.ts';
import { report } from '../support/report.ts';
import { seed } from '../support/seed.ts';
import { hasLitecoind, type Node, startNode } from './litecoind.ts';
import { wifOf } from './signing/keys.ts';
import { fund, type Mine, startMine, unsignedSpend } from './signing/mining.ts';
import { argsOf, type Plan, plan } from './signing/plans.ts';
import { everySpend, type Spend } from './signing/spends.ts';
import { add, countReply, countSignatures, newTally, type Reply, sum, tallyText } from './signing/tally.ts';
import { wrongParams } from './signing/wrongParams.ts';

const PLANS = rounds(4000);
const WRONG = rounds(4000);
/** The largest DER signature with its sighash type, given low R and low S. */
const MAX_SIGNATURE_SIZE = 71;
/** Every kind of lock that keys can open. */
const OPENED = ['pk', 'pkh', 'multi']
  .flatMap((name) => [name, `sh(${name})`, `wsh(${name})`, `sh(wsh(${name}))`])
  .concat('wpkh', 'sh(wpkh)');

const METHOD = 'signrawtransactionwithkey';
const ecc = nativeSecp256k1Ecc;
const rpc = createRpc({ network: 'litecoin-regtest', dialect: 'litecoin-0.21', ecc });

/** Removes help texts, which are our own: only their code is compared. */
const HELP = new RegExp(`"code":-1,"message":"${METHOD}[^"\\\\]*(?:\\\\.[^"\\\\]*)*"`);
const withoutHelp = (answer: string): string => answer.replace(HELP, '"code":-1,"message":""');

describe.runIf(hasLitecoind())(`Litecoin Core on this machine, for signing plans of seed ${seed},`, () => {
  let node: Node;
  const tally = newTally();

  beforeAll(async () => {
    node = await startNode();
  });
  afterAll(async () => {
    await node.stop();
    console.log(tallyText(tally));
    const note = `${sum(tally.sizes)} signatures`;
    report({ subject: 'signing', passed: sum(tally.same), total: sum(tally.same), note });
    expect(sum(tally.same)).toBeGreaterThanOrEqual(rounds(6000));
    expect(sum(tally.sizes)).toBeGreaterThanOrEqual(rounds(2000));
    expect(Math.max(...[...tally.sizes.keys()].map(Number))).toBeLessThanOrEqual(MAX_SIGNATURE_SIZE);
    expect([...tally.opened.keys()]).toEqual(expect.arrayContaining(OPENED));
  });

  /** Asks both and compares their replies. @returns the node's reply, or `undefined` if it crashed */
  async function compare(params: string): Promise<Reply | undefined> {
    const body = `{"id":1,"method":"${METHOD}","params":${params}}`;
    const ours = withoutHelp(`${answerText(rpc, body)}\n`);
    const reply = await node.post(body);
    if (reply === undefined) {
      add(tally.skipped, 'the node crashed');
      await node.stop();
      node = await startNode();
      return undefined;
    }
    const theirs = withoutHelp(reply);
    if (!isSameButForSecrets(ours, theirs)) expect(ours, `asked: ${body}\nours: ${ours}node: ${theirs}`).toBe(theirs);
    const answer = JSON.parse(theirs) as Reply;
    countReply(tally, answer);
    return answer;
  }

  /** Compares the rounds of a plan; each continues with the node's reply of the previous one. */
  async function follow({ unsigned, coins, rounds }: Plan): Promise<void> {
    let hex = formatHex(encodeTransaction(unsigned));
    for (const round of rounds) {
      const args = argsOf(hex, coins, round);
      const reply = await compare(`[${args.join()}]`);
      if (!reply?.result) return;
      countSignatures(tally, JSON.parse(args[0] ?? '') as string, reply, coins);
      hex = reply.result.hex;
    }
  }

  test('signs in rounds as we do', async () => {
    for (const sampled of fc.sample(plan, { numRuns: PLANS, seed })) await follow(sampled);
  });

  test('refuses wrong parameters as we do', async () => {
    for (const params of fc.sample(wrongParams, { numRuns: WRONG, seed })) await compare(params);
  });
});

describe.runIf(hasLitecoind())(`Litecoin Core on this machine, for spends of seed ${seed},`, () => {
  let mine: Mine;

  beforeAll(async () => {
    mine = await startMine();
  });
  afterAll(async () => {
    await mine.stop();
  });

  /** Signs a spend with our library, and expects it to be complete. */
  function signed(spend: Spend, unsigned: ReturnType<typeof unsignedSpend>): string {
    const wifs = [...new Set(spend.openings.flatMap(({ keys }) => keys.map((key) => wifOf(key))))];
    const { hex, prevtxs } = unsigned;
    const options = { network: 'litecoin-regtest', dialect: 'documented', ecc } as const;
    const result = signRawTransactionWithKey([hex, wifs, prevtxs, spend.sighashtype], options);
    expect(result, `${spend.sighashtype} ${hex} ${JSON.stringify(prevtxs)}`).toMatchObject({ complete: true });
    return result.hex;
  }

  test('mines the transactions that we sign', async () => {
    const [spends = []] = fc.sample(everySpend, { numRuns: 1, seed });
    const coins = spends.flatMap(({ openings }) => openings);
    const outpoints = await fund(
      mine,
      coins.map(({ lock, value }) => ({ value, scriptPubKey: lock.scriptPubKey })),
    );
    const direct: string[] = [];
    const txids: string[] = [];
    for (const spend of spends) {
      const own = spend.openings.map((opening) => outpoints[coins.indexOf(opening)]).filter((at) => at !== undefined);
      const hex = signed(spend, unsignedSpend(spend, own));
      const id = formatTxid(txid(decodeTransaction(parseHex(hex))));
      const [tested] = await mine.call<unknown[]>('testmempoolaccept', [[hex], 0]);
      if (spend.isRelayed) {
        expect(tested, hex).toMatchObject({ txid: id, allowed: true });
        expect(await mine.call('sendrawtransaction', [hex, 0])).toBe(id);
      } else {
        expect(tested, hex).toMatchObject({ 'reject-reason': 'bad-txns-nonstandard-inputs' });
        direct.push(hex);
      }
      txids.push(id);
    }
    const relayed = await mine.call<string[]>('getrawmempool', []);
    expect(relayed).toHaveLength(txids.length - direct.length);
    expect(await mine.mine([...relayed, ...direct])).toEqual(expect.arrayContaining(txids));
    expect(await mine.call('getrawmempool', [])).toEqual([]);
    for (const id of txids) expect(await mine.call('gettxout', [id, 0])).toMatchObject({ confirmations: 1 });
    for (const { txid: id, vout } of outpoints) expect(await mine.call('gettxout', [formatTxid(id), vout])).toBeNull();
    const kinds = new Set(coins.map(({ lock }) => lock.kind));
    const types = new Set(spends.map(({ sighashtype }) => sighashtype));
    console.log(
      `mining: ${txids.length} transactions with ${coins.length} inputs confirmed, ${kinds.size} kinds of locks, each with ${types.size} sighash types`,
    );
    expect(kinds.size).toBeGreaterThanOrEqual(30);
  });
});
