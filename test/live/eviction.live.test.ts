import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWhole } from '../support/campaign.ts';
import { encodeTransaction, formatHex, parseTxid, type Transaction, type TxOut, txid } from '../support/library.ts';
import { type BothChains, LITECOIND, type LiveProgram, startBothChains } from './bothChains.ts';
import { hasLitecoind } from './litecoind.ts';
import { type Dice, makeDice } from './wallet/random.ts';

// What leaves a mempool that is full, and what it asks for then.

const MEGABYTES = 5;
const COINBASES = 300;
const ROUNDS = isWhole ? 200 : 1;
const SEED = Number(process.env['COUNTERSIGN_SEED'] ?? 41) || 41;
/** They do not fill the mempool: the nodes count its memory a little differently. */
const RANDOM = 100;
/** Pay more than all random ones, and push them out. */
const PUSHING = 100;
/** The 200 of a round are less than a coinbase after the first halving. */
const VALUE = 10_000_000n;
const WEEK = 7 * 86_400;
/** Debian has none: `COUNTERSIGN_BITCOIND` names a bitcoind of release 31. */
const BITCOIND: LiveProgram = {
  program: process.env['COUNTERSIGN_BITCOIND'] ?? '',
  network: 'regtest',
  dialect: 'core-31',
  args: [],
};

/** The transactions that have left a mempool after a step, and what it asks for then. */
interface Step {
  readonly gone: ReadonlySet<string>;
  readonly floor: number;
}

const NODES = [
  { name: 'litecoind', live: LITECOIND, least: 0.00001, isThere: hasLitecoind() },
  { name: 'Core 31', live: BITCOIND, least: 0.000001, isThere: BITCOIND.program !== '' },
] as const;

for (const { name, live, least, isThere } of NODES)
  describe.skipIf(!isThere)(`a full mempool, beside ${name}`, { timeout: 3_600_000 }, () => {
    let both: BothChains;

    const theirs: BothChains['theirs'] = (...call) => both.theirs(...call);
    const ours: BothChains['ours'] = (...call) => both.ours(...call);
    /** Mines coins that anybody can spend. */
    const fund = async (coinbase: string): Promise<Transaction> => {
      const outputs = Array.from({ length: RANDOM + PUSHING }, () => ({ value: VALUE, scriptPubKey: OP_1 }));
      const tx = spend([{ txid: parseTxid(coinbase), vout: 0 }], outputs);
      await both.mineThis(hexOf(tx));
      return tx;
    };
    /** Empties both mempools, and lets what they ask for fade. */
    const settle = async (): Promise<void> => {
      while (((await theirs('getrawmempool')) as readonly string[]).length > 0) await both.mineTheirs(1);
      for (const txid of (await ours('getrawmempool')) as readonly string[]) {
        await both.mineThis((await ours('getrawtransaction', [txid])) as string);
      }
      await both.setTime(both.now() + WEEK);
      // It fades when it is asked for, and a block begins the time anew.
      for (const call of [ours, theirs])
        expect(await call('getmempoolinfo')).toMatchObject({ size: 0, mempoolminfee: least });
    };

    beforeAll(async () => {
      both = await startBothChains([`-maxmempool=${MEGABYTES}`, '-dbcache=100'], { maxmempool: MEGABYTES }, live);
      await both.mineTheirs(COINBASES + 100);
    });
    afterAll(() => both.stop());

    test(`loses the same transactions in the same order, ${ROUNDS} times (seed ${SEED})`, async () => {
      const dice = makeDice(SEED);
      for (let round = 0; round < ROUNDS; round += 1) {
        const [coinbase = ''] = ((await theirs('getblock', [await theirs('getblockhash', [round + 1])])) as Block).tx;
        const funds = await fund(coinbase);
        const drafts = randomTxs(funds, dice);
        for (const hex of drafts)
          expect(await ours('sendrawtransaction', [hex, 0])).toEqual(await theirs('sendrawtransaction', [hex, 0]));
        const before = new Set((await ours('getrawmempool')) as readonly string[]);
        expect(before).toEqual(new Set((await theirs('getrawmempool')) as readonly string[]));
        const steps: Step[] = [];
        for (const hex of pushingTxs(funds)) {
          for (const call of [ours, theirs]) {
            await call('sendrawtransaction', [hex, 0]);
            const left = new Set((await call('getrawmempool')) as readonly string[]);
            const { mempoolminfee } = (await call('getmempoolinfo')) as { mempoolminfee: number };
            steps.push({ gone: new Set([...before].filter((id) => !left.has(id))), floor: mempoolminfee });
          }
        }
        expect(steps.at(-1)?.gone.size).toBeGreaterThan(30);
        expectOneOrder(steps);
        await settle();
      }
    });
  });

interface Block {
  readonly tx: readonly string[];
}

const OP_1 = Uint8Array.of(0x51);

function spend(
  outpoints: readonly Transaction['inputs'][number]['outpoint'][],
  outputs: readonly TxOut[],
): Transaction {
  const input = { scriptSig: new Uint8Array(0), sequence: 0xffff_ffff, witness: [] };
  return { version: 2, inputs: outpoints.map((outpoint) => ({ outpoint, ...input })), outputs, locktime: 0 };
}

const hexOf = (tx: Transaction): string => formatHex(encodeTransaction(tx));

/** Makes an output that nobody can spend and that takes so many bytes. */
const padding = (size: number): TxOut => ({ value: 0n, scriptPubKey: new Uint8Array(size).fill(0x6a) });

/** Makes transactions with random sizes and fees, some of which spend others. */
function randomTxs(funds: Transaction, dice: Dice): readonly string[] {
  const made: Transaction[] = [];
  for (let vout = 0; vout < RANDOM; vout += 1) {
    const parent = made.length > 0 && dice.chance(0.4) ? made[dice.below(made.length)] : undefined;
    const own = { txid: txid(funds), vout };
    const inputs = parent ? [own, { txid: txid(parent), vout: 0 }] : [own];
    const value = VALUE + (parent?.outputs[0]?.value ?? 0n);
    const size = 8_000 + dice.below(30_000);
    // From 1 to about 40 litoshi per byte.
    const fee = BigInt(Math.round(size * (1.1 + (39 * dice.below(10_000)) / 10_000)));
    made.push(spend(inputs, [{ value: value - fee, scriptPubKey: OP_1 }, padding(size)]));
  }
  return made.map(hexOf);
}

/** Makes transactions that pay ever more, and more than all random ones. */
const pushingTxs = (funds: Transaction): readonly string[] =>
  Array.from({ length: PUSHING }, (_, i) => {
    const size = 45_000;
    const fee = BigInt(size * (60 + i));
    const outpoint = { txid: txid(funds), vout: RANDOM + i };
    return hexOf(spend([outpoint], [{ value: VALUE - fee, scriptPubKey: OP_1 }, padding(size)]));
  });

/** Of any two steps, one has lost all that the other has; and if both have lost the same, they ask for the same. */
function expectOneOrder(steps: readonly Step[]): void {
  const sorted = [...steps].sort((a, b) => a.gone.size - b.gone.size);
  for (const [index, { gone, floor }] of sorted.entries()) {
    const next = sorted[index + 1];
    if (!next) return;
    expect([...gone].filter((id) => !next.gone.has(id))).toEqual([]);
    if (next.gone.size === gone.size) expect(next.floor).toBe(floor);
  }
}
