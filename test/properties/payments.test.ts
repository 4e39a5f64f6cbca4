import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockAfter, blocksAfter, genesisOf, type MadeBlock, spend } from '../support/blocks.ts';
import { campaign, isWhole } from '../support/campaign.ts';
import { makeKeyWallet } from '../support/keyWallet.ts';
import {
  createMemoryStore,
  decodeTransaction,
  type NodeRpc,
  networks,
  parseAddress,
  parseHex,
  type RecordStore,
  type Transaction,
  txid,
} from '../support/library.ts';
import { ask, hexOf, LEGACY, MODERN, NOW, openWalletRpc, type WalletKind } from '../support/walletWorld.ts';

// Payments of wallets with random coins, through the methods: a node's laws hold, whichever coins they spend.

const COIN = 100_000_000;
const MATURITY = 101;
const FOREIGN = `0014${'99'.repeat(20)}`;

interface Given {
  readonly coins: readonly { readonly kind: string; readonly sats: number; readonly isConfirmed: boolean }[];
  readonly seed: number;
}

interface World {
  readonly rpc: NodeRpc;
  readonly kind: WalletKind;
  readonly foreign: string;
}

const given: fc.Arbitrary<Given> = fc.record({
  coins: fc.array(
    fc.record({
      kind: fc.constantFrom('legacy', 'p2sh-segwit', 'bech32'),
      sats: fc.integer({ min: 5000, max: 3_000_000 }),
      isConfirmed: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  seed: fc.nat(),
});

function openWorld(kind: WalletKind, { coins, seed }: Given, store?: RecordStore): World {
  let state = seed;
  const random = (size: number): Uint8Array =>
    Uint8Array.from({ length: size }, () => {
      state = (Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x6d2b_79f5) | 0;
      return (state >>> 11) & 0xff;
    });
  const rpc = openWalletRpc(kind, store, () => NOW, { random });
  makeKeyWallet(rpc, kind);
  const first = genesisOf(kind.network);
  const old = blocksAfter(first, MATURITY);
  const [subsidy] = old[0]?.txs ?? [];
  if (!subsidy) throw new Error('no block');
  const scripts = coins.map(({ kind: type }) => scriptOf(ask(rpc, 'getnewaddress', ['', type]) as string, kind));
  const split = paying(spend([{ txid: txid(subsidy), vout: 0 }]), [
    ...coins.flatMap(({ isConfirmed, sats }, i) => (isConfirmed ? [[scripts[i] ?? '', sats] as const] : [])),
    ['51', 20 * COIN],
  ]);
  const base: MadeBlock = blockAfter(old.at(-1) ?? first, { txs: [split] });
  for (const block of [...old, base]) ask(rpc, 'submitblock', [block.hex]);
  const open = coins.flatMap(({ isConfirmed, sats }, i) => (isConfirmed ? [] : [[scripts[i] ?? '', sats] as const]));
  if (open.length > 0) {
    const outpoint = { txid: txid(split), vout: split.outputs.length - 1 };
    expect(ask(rpc, 'sendrawtransaction', [hexOf(paying(spend([outpoint]), open)), 0])).toHaveLength(64);
  }
  const foreign = ask(rpc, 'decodescript', [FOREIGN]) as { readonly address?: string; readonly addresses?: string[] };
  return { rpc, kind, foreign: foreign.address ?? foreign.addresses?.[0] ?? '' };
}

function scriptOf(address: string, { network }: WalletKind): string {
  return Buffer.from(parseAddress(address, networks[network])).toString('hex');
}

function paying(tx: Transaction, payments: readonly (readonly [script: string, sats: number])[]): Transaction {
  const outputs = payments.map(([script, sats]) => ({ value: BigInt(sats), scriptPubKey: parseHex(script) }));
  return { ...tx, outputs };
}

interface Unspent {
  readonly txid: string;
  readonly vout: number;
  readonly amount: number;
  readonly safe: boolean;
}

const unspent = ({ rpc }: World): readonly Unspent[] => ask(rpc, 'listunspent', [0]) as readonly Unspent[];
const nameOf = ({ txid: id, vout }: { readonly txid: string; readonly vout: number }): string => `${id}:${vout}`;
const satsOf = (amount: number): number => Math.round(amount * COIN);

interface Decoded {
  readonly txid: string;
  readonly vsize: number;
  readonly vin: readonly { readonly txid: string; readonly vout: number; readonly sequence: number }[];
  readonly vout: readonly { readonly value: number; readonly scriptPubKey: { readonly hex: string } }[];
  readonly locktime: number;
}

const decode = ({ rpc }: World, hex: string): Decoded => ask(rpc, 'decoderawtransaction', [hex]) as Decoded;

/** Checks a signed payment of `sats` to the foreign address, or of what the fee leaves of it, at a rate in sat/vB. */
function checkPayment(
  world: World,
  before: readonly Unspent[],
  { hex, sats, rate, isCharged = false }: { hex: string; sats: number; rate: number; isCharged?: boolean },
): void {
  const decoded = decode(world, hex);
  const spent = decoded.vin.map((input) => before.find((coin) => nameOf(coin) === nameOf(input)));
  expect(new Set(decoded.vin.map(nameOf)).size).toBe(decoded.vin.length);
  // Neither locked nor unsafe coins: the caller lists only what may be spent.
  expect(spent.every((coin) => coin?.safe === true)).toBe(true);
  const total = spent.reduce((sum, coin) => sum + satsOf(coin?.amount ?? 0), 0);
  const paid = decoded.vout.filter(({ scriptPubKey }) => scriptPubKey.hex === FOREIGN);
  const fee = total - decoded.vout.reduce((sum, { value }) => sum + satsOf(value), 0);
  expect(paid).toHaveLength(1);
  const amount = satsOf(paid[0]?.value ?? 0);
  if (isCharged) expect(amount <= sats && sats - amount <= fee).toBe(true);
  else expect(amount).toBe(sats);
  expect(fee).toBeGreaterThanOrEqual(Math.floor(decoded.vsize * rate));
  // A changeless payment gives away less than change would cost; signatures may be a byte or two shorter than counted.
  const isLitecoin = world.kind === LEGACY;
  const mostLost = rate * 35 + (isLitecoin ? 30 : 10) * 100 + 2 * rate * decoded.vin.length;
  expect(fee).toBeLessThanOrEqual(decoded.vsize * rate + mostLost + decoded.vin.length + 4);
  const dust = isLitecoin ? 2940 : 294;
  for (const { value } of decoded.vout) expect(satsOf(value)).toBeGreaterThanOrEqual(dust);
}

interface Refusal {
  readonly code: number;
  readonly message: string;
}
const isRefusal = (answer: unknown): answer is Refusal =>
  typeof answer === 'object' && answer !== null && 'code' in answer && 'message' in answer;

describe.each([
  ['litecoin-0.21', LEGACY],
  ['core-32', MODERN],
] as const)('payments in %s', (_, kind) => {
  const inWorlds = (check: (world: World, sats: number, rate: number) => boolean, cases = 8): void => {
    let count = 0;
    fc.assert(
      fc.property(
        given,
        fc.integer({ min: 3000, max: 2_000_000 }),
        fc.integer({ min: 10, max: 60 }),
        (all, sats, rate) => {
          if (check(openWorld(kind, all), sats, rate)) count += 1;
        },
      ),
      campaign(cases),
    );
    // A share of so few cases may hold refusals only.
    if (isWhole) expect(count).toBeGreaterThan(0);
  };

  test('sendtoaddress pays, and the wallet records the payment with its notes', () =>
    inWorlds((world, sats, rate) => {
      const { rpc, foreign } = world;
      const before = unspent(world);
      const answer = ask(rpc, 'sendtoaddress', [
        ...[foreign, sats / COIN, 'rent', 'landlord', false, true, null, 'unset', null, rate],
      ]);
      if (isRefusal(answer)) {
        expect([answer.code, answer.message]).toEqual([-6, 'Insufficient funds']);
        return false;
      }
      const shown = ask(rpc, 'gettransaction', [answer]) as Record<string, unknown>;
      expect(shown).toMatchObject({ comment: 'rent', to: 'landlord', confirmations: 0 });
      checkPayment(world, before, { hex: shown['hex'] as string, sats, rate });
      expect(ask(rpc, 'getrawmempool')).toContain(answer);
      const { locktime } = decode(world, shown['hex'] as string);
      expect(locktime).toBeLessThanOrEqual(MATURITY + 1);
      return true;
    }));

  test('a PSBT of walletcreatefundedpsbt is signed and sent', () =>
    inWorlds((world, sats, rate) => {
      const { rpc, foreign } = world;
      const before = unspent(world);
      const isCharged = sats % 2 === 0;
      const options = { fee_rate: rate, ...(isCharged && { subtractFeeFromOutputs: [0] }), lockUnspents: true };
      const answer = ask(rpc, 'walletcreatefundedpsbt', [[], [{ [foreign]: sats / COIN }], 0, options]);
      if (isRefusal(answer)) {
        expect(answer.code).toBe(-4);
        return false;
      }
      const { psbt, fee, changepos } = answer as { psbt: string; fee: number; changepos: number };
      const signed = ask(rpc, 'walletprocesspsbt', [psbt]) as { readonly psbt: string; readonly complete: boolean };
      expect(signed.complete).toBe(true);
      const { hex } = ask(rpc, 'finalizepsbt', [signed.psbt]) as { readonly hex: string };
      checkPayment(world, before, { hex, sats, rate, isCharged });
      const { vin, vout } = decode(world, hex);
      const locked = ask(rpc, 'listlockunspent') as readonly Unspent[];
      expect(locked.map(nameOf).sort()).toEqual(vin.map(nameOf).sort());
      expect(vout.length - 1).toBe(changepos < 0 ? 0 : 1);
      expect(vout.findIndex(({ scriptPubKey }) => scriptPubKey.hex !== FOREIGN)).toBe(changepos);
      const total = before.reduce(
        (sum, coin) => sum + (vin.some((one) => nameOf(one) === nameOf(coin)) ? satsOf(coin.amount) : 0),
        0,
      );
      expect(satsOf(fee)).toBe(total - vout.reduce((sum, { value }) => sum + satsOf(value), 0));
      expect(ask(rpc, 'sendrawtransaction', [hex, 0])).toHaveLength(64);
      return true;
    }));

  test('fundrawtransaction keeps the inputs and outputs, and puts change where it was asked for', () =>
    inWorlds((world, sats, rate) => {
      const { rpc, foreign } = world;
      const before = unspent(world);
      const [first] = before.filter(({ safe }) => safe);
      const inputs = first ? [{ txid: first.txid, vout: first.vout, sequence: 7 }] : [];
      const raw = ask(rpc, 'createrawtransaction', [inputs, [{ [foreign]: sats / COIN }]]) as string;
      const answer = ask(rpc, 'fundrawtransaction', [raw, { fee_rate: rate, changePosition: 0 }]);
      if (isRefusal(answer)) return false;
      const { hex, changepos } = answer as { readonly hex: string; readonly changepos: number };
      expect([-1, 0]).toContain(changepos);
      const funded = decode(world, hex);
      if (first) expect(funded.vin[0]).toMatchObject({ txid: first.txid, vout: first.vout, sequence: 7 });
      expect(funded.locktime).toBe(0);
      const signed = ask(rpc, 'signrawtransactionwithwallet', [hex]) as { readonly hex: string; complete: boolean };
      expect(signed.complete).toBe(true);
      checkPayment(world, before, { hex: signed.hex, sats, rate });
      return true;
    }));

  test('bumpfee replaces a payment by one with a higher fee, and both say so', () =>
    inWorlds((world, sats, rate) => {
      const { rpc, foreign } = world;
      const before = unspent(world);
      const paid = ask(rpc, 'sendtoaddress', [foreign, sats / COIN, 'n', '', false, true, null, 'unset', null, rate]);
      if (isRefusal(paid)) return false;
      const answer = ask(rpc, 'bumpfee', [paid, { fee_rate: rate + 20 }]);
      if (isRefusal(answer)) {
        expect(answer.message).toBe('Unable to create transaction. Insufficient funds');
        return false;
      }
      const { txid: id, origfee, fee } = answer as { readonly txid: string; origfee: number; fee: number };
      expect(fee).toBeGreaterThan(origfee);
      const now = ask(rpc, 'gettransaction', [id]) as Record<string, unknown>;
      expect(now).toMatchObject({ comment: 'n', replaces_txid: paid });
      expect(ask(rpc, 'gettransaction', [paid])).toMatchObject({ replaced_by_txid: id });
      checkPayment(world, before, { hex: now['hex'] as string, sats, rate: rate + 20 });
      expect(ask(rpc, 'getrawmempool')).not.toContain(paid);
      expect(ask(rpc, 'bumpfee', [paid])).toMatchObject({ code: -4 });
      // Coins of a replacement are not safe to spend.
      expect(
        unspent(world)
          .filter(({ txid: of }) => of === id)
          .every(({ safe }) => !safe),
      ).toBe(true);
      return true;
    }));

  test('a node that is opened again shows payments and replacements as before', () =>
    inWorlds((_, sats, rate) => {
      const store = createMemoryStore();
      const rich = { coins: [{ kind: 'bech32', sats: 9_000_000, isConfirmed: true }], seed: rate };
      const { rpc, foreign } = openWorld(kind, rich, store);
      const paid = ask(rpc, 'sendtoaddress', [foreign, sats / COIN, 'n', 'm', false, true, null, 'unset', null, rate]);
      const { txid: id } = ask(rpc, 'bumpfee', [paid]) as { readonly txid: string };
      const answersOf = (of: NodeRpc): readonly unknown[] => [
        ...[paid, id].map((name) => ask(of, 'gettransaction', [name])),
        ...[ask(of, 'listunspent', [0]), ask(of, 'getrawmempool')],
      ];
      const before = answersOf(rpc);
      const again = openWalletRpc(kind, store);
      expect(answersOf(again)).toEqual(before);
      return true;
    }, 20));

  test('psbtbumpfee proposes a replacement and changes nothing in the mempool', () =>
    inWorlds((world, sats, rate) => {
      const { rpc, foreign } = world;
      const paid = ask(rpc, 'send', [[{ [foreign]: sats / COIN }], null, null, rate, { replaceable: true }]);
      if (isRefusal(paid)) return false;
      const { txid: id, complete } = paid as { readonly txid: string; readonly complete: boolean };
      expect(complete).toBe(true);
      const answer = ask(rpc, 'psbtbumpfee', [id]);
      if (isRefusal(answer)) return false;
      const { psbt, fee, origfee } = answer as { readonly psbt: string; fee: number; origfee: number };
      expect(fee).toBeGreaterThan(origfee);
      expect((ask(rpc, 'analyzepsbt', [psbt]) as { readonly next: string }).next).toBe('signer');
      expect(ask(rpc, 'getrawmempool')).toContain(id);
      return true;
    }));
});

describe('sendall', () => {
  test('spends every safe coin, and pays all that the fee leaves', () => {
    let count = 0;
    fc.assert(
      fc.property(given, fc.integer({ min: 1, max: 40 }), (all, rate) => {
        const world = openWorld(MODERN, all);
        const { rpc, foreign } = world;
        const before = unspent(world);
        const answer = ask(rpc, 'sendall', [[foreign], null, 'unset', rate, { add_to_wallet: false }]);
        if (isRefusal(answer)) {
          expect(answer.code).toBe(-6);
          return;
        }
        count += 1;
        const { hex, complete } = answer as { readonly hex: string; readonly complete: boolean };
        expect(complete).toBe(true);
        const { vin, vout, vsize } = decode(world, hex);
        const safe = before.filter(({ safe: isSafe }) => isSafe);
        expect(vin.map(nameOf).sort()).toEqual(safe.map(nameOf).sort());
        const total = safe.reduce((sum, { amount }) => sum + satsOf(amount), 0);
        const fee = total - satsOf(vout[0]?.value ?? 0);
        expect(vout).toHaveLength(1);
        expect(fee).toBeGreaterThanOrEqual(vsize * rate);
        expect(fee).toBeLessThanOrEqual((vsize + 2 * vin.length) * rate + 2);
        expect(decodeTransaction(parseHex(hex)).inputs).toHaveLength(vin.length);
      }),
      campaign(6),
    );
    if (isWhole) expect(count).toBeGreaterThan(0);
  });
});
