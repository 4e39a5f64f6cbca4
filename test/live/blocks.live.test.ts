import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeTransaction, parseHex, txid } from '../support/library.ts';
import { type Coin, DAMAGES, draftOn, encodeDraft, type Ground, garbled } from './blocks/damage.ts';
import { ANYONE, type BothChains, startBothChains } from './bothChains.ts';
import { hasLitecoind } from './litecoind.ts';
import { makeDice } from './wallet/random.ts';

// Blocks of ours for litecoind, and its blocks for us.

/** Past the last soft fork, BIP65 at 1351. */
const HALF = 700;
const DAMAGED = 500;
const SEED = Number(process.env['COUNTERSIGN_SEED'] ?? 36) || 36;

describe.skipIf(!hasLitecoind())('blocks, beside litecoind', { timeout: 600_000 }, () => {
  let both: BothChains;

  const theirs: BothChains['theirs'] = (...call) => both.theirs(...call);
  const ours: BothChains['ours'] = (...call) => both.ours(...call);
  const give = async (hashes: readonly string[]): Promise<void> => {
    for (const hash of hashes) expect(await theirs('submitblock', [ours('getblock', [hash, 0])])).toBe(null);
  };
  const mineOurs = async (count: number, descriptor = ANYONE): Promise<readonly string[]> => {
    const hashes = ours('generatetodescriptor', [count, descriptor]) as readonly string[];
    await give(hashes);
    return hashes;
  };
  const sameTip = async (): Promise<void> => expect(ours('getbestblockhash')).toBe(await theirs('getbestblockhash'));

  beforeAll(async () => {
    both = await startBothChains(['-par=2']);
    await mineOurs(HALF);
    await both.mineTheirs(HALF);
  });
  afterAll(() => both.stop());

  test('of either are accepted by the other', sameTip);

  test('with spends of every kind of a wallet are accepted, whoever makes them', async () => {
    ours('createwallet', ['w']);
    const kinds = ['legacy', 'p2sh-segwit', 'bech32'];
    const keys = kinds.map((kind) => ours('getnewaddress', ['', kind]) as string);
    const shared = kinds.map(
      (kind) => (ours('addmultisigaddress', [2, keys, '', kind]) as { readonly address: string }).address,
    );
    const bare = ours('getaddressinfo', [keys[0]]) as { readonly pubkey: string };
    const descriptors = [...[...keys, ...shared].map((address) => `addr(${address})`), `pk(${bare.pubkey})`];
    for (const descriptor of descriptors) await mineOurs(2, descriptor);
    await both.mineTheirs(100);
    const coins = ours('listunspent', [100]) as readonly { readonly txid: string; readonly vout: number }[];
    expect(coins).toHaveLength(2 * descriptors.length);
    for (const [index, { txid: id, vout }] of coins.entries()) {
      const raw = ours('createrawtransaction', [[{ txid: id, vout }], { [keys[index % 3] ?? '']: 0.01 }]);
      const { hex, complete } = ours('signrawtransactionwithwallet', [raw]) as { hex: string; complete: boolean };
      expect(complete).toBe(true);
      if (index % 2 === 0) await give([(ours('generateblock', [ANYONE, [hex]]) as { hash: string }).hash]);
      else await both.mineThis(hex);
    }
    await sameTip();
  });

  test(`that are damaged are refused for the same reason, ${DAMAGED} of them (seed ${SEED})`, async () => {
    const dice = makeDice(SEED);
    const names = Object.keys(DAMAGES);
    const reasons = new Set<string>();
    const coins = await freeCoins();
    for (let count = 0; count < DAMAGED; count += 1) {
      const ground = groundAfter(count, coins);
      const name = names[count % names.length] ?? '';
      const hex = encodeDraft(DAMAGES[name]?.(draftOn(ground), ground, dice) ?? draftOn(ground));
      const sent = count < 2 * names.length || dice.chance(0.5) ? hex : garbled(hex, dice);
      const [own, other] = [ours('submitblock', [sent]), await theirs('submitblock', [sent])];
      expect({ name, count, reason: own }).toEqual({ name, count, reason: other });
      reasons.add(reasonIn(own));
      await sameTip();
      while (coins.length > 0 && isSpent(coins[0])) coins.shift();
    }
    // Most reasons of refusal have come up.
    expect(reasons.size).toBeGreaterThan(30);
  });

  const reasonIn = (answer: unknown): string => (answer as { message?: string } | null)?.message ?? String(answer);

  const isSpent = (coin: Coin | undefined): boolean =>
    coin !== undefined && ours('gettxout', [Buffer.from(coin.txid).reverse().toString('hex'), coin.vout]) === null;

  /** Finds coinbases of OP_TRUE that are old enough. */
  async function freeCoins(): Promise<Coin[]> {
    const coins: Coin[] = [];
    for (let height = 1; height <= HALF; height += 1) coins.push(coinbaseAt(height));
    return coins.filter((coin) => !isSpent(coin));
  }

  function coinbaseAt(height: number): Coin {
    const hash = ours('getblockhash', [height]);
    const { tx } = ours('getblock', [hash, 2]) as { readonly tx: readonly { readonly hex: string }[] };
    const decoded = decodeTransaction(parseHex(tx[0]?.hex ?? ''));
    return { txid: txid(decoded), vout: 0, value: decoded.outputs[0]?.value ?? 0n };
  }

  function groundAfter(salt: number, coins: readonly Coin[]): Ground {
    const height = ours('getblockcount') as number;
    const previous = ours('getbestblockhash') as string;
    const { mediantime } = ours('getblockheader', [previous]) as { readonly mediantime: number };
    const halvings = Math.floor((height + 1) / 150);
    return {
      previous,
      height: height + 1,
      time: Math.max(both.now(), mediantime + 1),
      coins: coins.slice(0, 3),
      young: coinbaseAt(height),
      subsidy: 5_000_000_000n >> BigInt(halvings),
      salt,
    };
  }
});
