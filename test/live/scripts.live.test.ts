import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rounds } from '../support/campaign.ts';
import {
  encodeTransaction,
  formatHex,
  MANDATORY_FLAGS,
  type ScriptFlags,
  STANDARD_FLAGS,
  scriptErrorBefore31,
  scriptErrorText,
  txid,
  verifyInput,
  verifyTransaction,
} from '../support/library.ts';
import { report } from '../support/report.ts';
import { seed } from '../support/seed.ts';
import { type Chain, startChain } from './chain.ts';
import { hasLitecoind } from './litecoind.ts';
import { makeTry, OTHER_COIN, ownCoin, type Spend, spendAt, type Try } from './scripts/spends.ts';

/** Coins per funding block, which keeps its signature operations below the limit of a block. */
const BATCH = 200;
const SPENDS = rounds(10_400);
/** Without taproot, there are 42 error texts; the rarest ones do not occur in every run. */
const LEAST_TEXTS = 40;

const P2SH_ALONE: ScriptFlags = new Set(['P2SH']);
const VALID = 'valid';

/** Returns our verdict on a transaction's scripts, in the node's words. */
function verdict({ tx, prevouts }: Try, flags: ScriptFlags): string {
  const { inputs } = verifyTransaction(tx, prevouts, { flags, knowsAnchors: false });
  const inputIndex = inputs.findIndex(({ kind }) => kind === 'invalid');
  const failure = inputs[inputIndex];
  if (failure?.kind !== 'invalid') return VALID;
  // Core 0.21 reports whether P2SH alone would have refused it, too, but with the text of the first error.
  const isMandatory = verifyInput({ tx, prevouts, inputIndex, flags: P2SH_ALONE }).kind === 'invalid';
  const reason = isMandatory ? 'mandatory-script-verify-flag-failed' : 'non-mandatory-script-verify-flag';
  return `${reason} (${scriptErrorText(scriptErrorBefore31(failure))})`;
}

const isAboutScripts = (reason: string): boolean => reason === VALID || reason.includes('script-verify-flag');
const textOf = (reason: string): string => /\((.*)\)$/.exec(reason)?.[1] ?? reason;

/** The number of replies, by text. */
type Counts = Map<string, number>;
const add = (counts: Counts, what: string): unknown => counts.set(what, (counts.get(what) ?? 0) + 1);
const sum = (counts: Counts): number => [...counts.values()].reduce((total, count) => total + count, 0);

/** Describes a failed case with everything needed to reproduce it. */
function describeTry({ spend, tx, prevouts }: Try, flags: ScriptFlags): string {
  const coins = prevouts.map(({ value, scriptPubKey }) => `${value} sat to ${formatHex(scriptPubKey)}`);
  const rules = [...flags].join();
  return `seed ${seed}, script ${formatHex(spend.lock.script)}, coins ${coins.join(', ')}, spent by ${formatHex(encodeTransaction(tx))}, flags ${rules}`;
}

/** Funds the coins of spends, and builds the spends. */
async function fundTries(chain: Chain, spends: readonly Spend[]): Promise<readonly Try[]> {
  const id = txid(await chain.fund([...spends.map(ownCoin), OTHER_COIN]));
  const other = { ...OTHER_COIN, outpoint: { txid: id, vout: spends.length } };
  return spends.map((spend, vout) => makeTry(spend, { ...ownCoin(spend), outpoint: { txid: id, vout } }, other));
}

describe.runIf(hasLitecoind())(`Litecoin Core on this machine, for scripts of seed ${seed},`, () => {
  let chain: Chain;
  let tries: readonly Try[] = [];
  const relayed: Counts = new Map();
  const mined: Counts = new Map();
  const skipped: Counts = new Map();

  beforeAll(async () => {
    chain = await startChain();
    const spends = fc.sample(spendAt(chain.coinAge), { numRuns: SPENDS, seed });
    for (let start = 0; start < spends.length; start += BATCH) {
      tries = [...tries, ...(await fundTries(chain, spends.slice(start, start + BATCH)))];
    }
    await chain.age();
  });
  afterAll(async () => {
    await chain.stop();
    const texts = [...new Set([...relayed.keys(), ...mined.keys()])].sort();
    const rows = texts.map((text) => `${relayed.get(text) ?? 0}\t${mined.get(text) ?? 0}\t${text}`);
    const others = [...skipped].map(([reason, count]) => `${count}\tskipped: ${reason}`);
    const head = `scripts: ${sum(relayed)} spends compared under relay rules, ${sum(mined)} under block rules`;
    console.log([head, ...rows, ...others].join('\n'));
    const total = sum(relayed) + sum(mined);
    report({ subject: 'verdicts on spends', passed: total, total });
    expect(sum(relayed)).toBeGreaterThanOrEqual(rounds(6000));
    expect(texts.filter((text) => text !== VALID).length).toBeGreaterThanOrEqual(LEAST_TEXTS);
  });

  /** Compares the node's verdicts on all spends with ours. */
  async function compare(ask: Chain['whyNotRelayed'], flags: ScriptFlags, counts: Counts): Promise<void> {
    for (const attempt of tries) {
      const theirs = (await ask(attempt.tx)) ?? VALID;
      const ours = verdict(attempt, flags);
      if (!isAboutScripts(theirs)) {
        add(skipped, theirs);
        continue;
      }
      expect(ours, describeTry(attempt, flags)).toBe(theirs);
      add(counts, textOf(theirs));
    }
  }

  test('accepts and refuses spends for relay as we do', async () => {
    await compare(chain.whyNotRelayed, STANDARD_FLAGS, relayed);
  });

  test('accepts and refuses spends in blocks as we do', async () => {
    await compare(chain.whyNotMined, MANDATORY_FLAGS, mined);
  });
});
