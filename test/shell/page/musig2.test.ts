import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedWords } from '../../../examples/fixtures.ts';
import { accountFromDescriptors, buildPsbt } from '../../../src/kit/account/index.ts';
import { createMemoryNonces } from '../../../src/shell/page/memoryNonces.ts';
import { createPageSession } from '../../../src/shell/page/pageSession.ts';
import type { PageSession } from '../../../src/shell/page/protocol.ts';
import {
  decodeTransaction,
  formatHex,
  formatPsbt,
  parseHex,
  parsePsbt,
  verifyTransaction,
} from '../../support/library.ts';
import { ALICE, BOB } from '../../support/psbts.ts';
import { refusalIfAny, refusalOf } from '../../support/refusal.ts';

const network = 'regtest';
const PATH = 'm/86h/1h/7h';
const keyed = (alice: string, bob: string): string => `tr(musig(${alice},${bob})/<0;1>/*)`;
const WALLETS = {
  alice: keyed(ALICE.xprv(PATH), BOB.xpub(PATH)),
  bob: keyed(ALICE.xpub(PATH), BOB.xprv(PATH)),
};
const account = accountFromDescriptors(keyed(ALICE.xpub(PATH), BOB.xpub(PATH)), { network });
const COINS = [0, 1].map((vout) => ({ txid: '11'.repeat(32), vout, value: 100_000n, from: account.receive(vout) }));
const unsigned = (value = 60_000n): string =>
  formatPsbt(
    buildPsbt({
      inputs: COINS,
      outputs: { bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080: value },
      change: account.change(0),
      feeRate: 2,
    }),
  );

/** Returns bytes that no other call returns. */
function counting(seed: number): (size: number) => Uint8Array {
  let calls = 0;
  return (size) => {
    calls += 1;
    return new Uint8Array(size).fill(seed).fill(calls, 1, 3);
  };
}

let sessions = 0;

function sessionOf(who: keyof typeof WALLETS, psbt = unsigned()): PageSession {
  sessions += 1;
  const session = createPageSession({ network, random: counting(sessions) });
  session.addKeys({ text: WALLETS[who], network });
  session.open({ content: psbt });
  return session;
}

const psbtOf = (session: PageSession): string => session.exported({ kind: 'psbt' }).text;

/** Two pages after the first round, each with the nonces of both. */
function afterNonces(): Readonly<Record<keyof typeof WALLETS, PageSession>> {
  const [alice, bob] = [sessionOf('alice'), sessionOf('bob')];
  for (const session of [alice, bob]) session.sign([]);
  const [fromAlice, fromBob] = [psbtOf(alice), psbtOf(bob)];
  alice.open({ content: fromBob });
  bob.open({ content: fromAlice });
  return { alice, bob };
}

describe('MuSig2 of two pages', () => {
  test('signs in two rounds, and the second participant completes the transaction', () => {
    const [alice, bob] = [sessionOf('alice'), sessionOf('bob')];
    expect(alice.document()).toMatchObject({
      canSign: true,
      musig2: { nonces: 2, partialSignatures: 0, waiting: 0 },
    });
    expect(alice.sign([])).toMatchObject({
      canSign: false,
      final: undefined,
      musig2: { nonces: 0, partialSignatures: 0, waiting: 2 },
    });
    bob.sign([]);
    const [fromAlice, fromBob] = [psbtOf(alice), psbtOf(bob)];
    alice.open({ content: fromBob });
    bob.open({ content: fromAlice });
    expect(alice.document()).toMatchObject({ canSign: true, musig2: { partialSignatures: 2 } });
    expect(alice.sign([])).toMatchObject({ canSign: false, musig2: { nonces: 0, partialSignatures: 0, waiting: 0 } });
    bob.open({ content: psbtOf(alice) });
    const { final } = bob.sign([]);
    const coins = COINS.map(({ value, from: { scriptPubKey } }) => ({ value, scriptPubKey }));
    expect(verifyTransaction(decodeTransaction(parseHex(final?.hex ?? '')), coins).isValid).toBe(true);
  });

  test('never signs twice with a nonce, whatever is opened again', () => {
    const { alice } = afterNonces();
    const both = psbtOf(alice);
    alice.sign([]);
    alice.closeDocument();
    alice.open({ content: both });
    const again = refusalOf(() => alice.sign([]));
    expect([again.code, alice.document()?.musig2.partialSignatures]).toEqual(['musig2/nonce-state', 2]);
    // Bob starts anew, which changes the challenge: another signature would reveal the key of Alice.
    const other = sessionOf('bob');
    other.sign([]);
    const nonces = parsePsbt(psbtOf(other)).inputs.map(({ musig2PubNonces = [] }) => musig2PubNonces);
    const own = parsePsbt(both);
    const bobKey = formatHex(nonces[0]?.[0]?.participantPubkey ?? new Uint8Array(0));
    const mixed = {
      ...own,
      inputs: own.inputs.map((input, i) => ({
        ...input,
        musig2PubNonces: [
          ...(input.musig2PubNonces ?? []).filter(({ participantPubkey }) => formatHex(participantPubkey) !== bobKey),
          ...(nonces[i] ?? []),
        ],
      })),
    };
    alice.closeDocument();
    alice.open({ content: formatPsbt(mixed) });
    expect(alice.document()?.musig2.partialSignatures).toBe(2);
    expect(refusalOf(() => alice.sign([])).code).toBe('musig2/nonce-state');
    expect(parsePsbt(psbtOf(alice)).inputs.every(({ musig2PartialSigs = [] }) => musig2PartialSigs.length === 0)).toBe(
      true,
    );
  });

  test('loses its nonces with the page, and by a wipe', () => {
    const { alice } = afterNonces();
    const both = psbtOf(alice);
    expect(refusalOf(() => sessionOf('alice', both).sign([])).code).toBe('musig2/nonce-state');
    alice.wipe();
    alice.addKeys({ text: WALLETS.alice, network });
    alice.open({ content: both });
    expect(refusalOf(() => alice.sign([])).code).toBe('musig2/nonce-state');
  });

  test('keeps them while the document is closed', () => {
    const { alice } = afterNonces();
    const both = psbtOf(alice);
    alice.closeDocument();
    alice.open({ content: both });
    expect(alice.sign([]).musig2).toEqual({ nonces: 0, partialSignatures: 0, waiting: 0 });
    expect(parsePsbt(psbtOf(alice)).inputs.map(({ musig2PartialSigs = [] }) => musig2PartialSigs.length)).toEqual([
      1, 1,
    ]);
  });

  test('adds no nonce twice, and puts no secret one into a PSBT', () => {
    const alice = sessionOf('alice');
    alice.sign([]);
    const first = psbtOf(alice);
    expect(refusalOf(() => alice.sign([])).code).toBe('account/nothing-signed');
    expect(psbtOf(alice)).toBe(first);
    const known = new Set(['musig2PubNonces', 'musig2Participants']);
    const added = parsePsbt(first).inputs.flatMap((input) =>
      Object.keys(input).filter((name) => name.includes('musig2')),
    );
    expect(added.every((name) => known.has(name))).toBe(true);
  });

  test('without randomness does no round', () => {
    const session = createPageSession({ network });
    session.addKeys({ text: WALLETS.alice, network });
    session.open({ content: unsigned() });
    expect(session.document()).toMatchObject({ musig2: { nonces: 2 } });
    expect(refusalOf(() => session.sign([])).code).toBe('account/nothing-signed');
  });

  test('is not asked of a wallet without such keys', () => {
    const session = createPageSession({ network, random: counting(99) });
    session.addKeys({ text: seedWords, network });
    session.open({ content: unsigned() });
    expect(session.document()?.musig2).toEqual({ nonces: 0, partialSignatures: 0, waiting: 0 });
  });
});

/** Lists the partial signatures in a PSBT, and those nonces of Alice that stand beside them. */
const partialsIn = (psbt: string) =>
  parsePsbt(psbt).inputs.flatMap(({ musig2PartialSigs = [], musig2PubNonces = [] }) =>
    musig2PartialSigs.flatMap(({ participantPubkey, partialSig }) => {
      const key = formatHex(participantPubkey);
      const nonce = musig2PubNonces.find((one) => formatHex(one.participantPubkey) === key);
      return nonce ? [{ nonce: formatHex(nonce.pubNonce), partialSig: formatHex(partialSig) }] : [];
    }),
  );

/** A page, every PSBT that it or Bob had, and the partial signatures of Alice by her nonce. */
interface World {
  readonly alice: PageSession;
  readonly pool: string[];
  readonly signed: Map<string, Set<string>>;
}

const STEPS = {
  sign: ({ alice, signed }: World) => {
    const before = new Set(partialsIn(psbtOf(alice)).map(({ partialSig }) => partialSig));
    if (refusalIfAny(() => alice.sign([]))) return;
    for (const { nonce, partialSig } of partialsIn(psbtOf(alice))) {
      if (!before.has(partialSig)) signed.set(nonce, (signed.get(nonce) ?? new Set()).add(partialSig));
    }
  },
  open: ({ alice }: World, psbt: string) => {
    alice.closeDocument();
    alice.open({ content: psbt });
  },
  combine: ({ alice }: World, psbt: string) => {
    alice.open({ content: psbt });
  },
  /** Bob begins anew. */
  bob: ({ pool }: World, psbt: string) => {
    const bob = sessionOf('bob', psbt);
    refusalIfAny(() => bob.sign([]));
    pool.push(psbtOf(bob));
  },
  wipe: ({ alice }: World, psbt: string) => {
    alice.wipe();
    alice.addKeys({ text: WALLETS.alice, network });
    alice.open({ content: psbt });
  },
} as const;

type Step = keyof typeof STEPS;

test('a nonce gives one signature at most, in whatever order a page is used', () => {
  const step = fc.tuple(fc.constantFrom<Step>('sign', 'sign', 'open', 'combine', 'bob', 'wipe'), fc.nat());
  fc.assert(
    fc.property(fc.array(step, { minLength: 2, maxLength: 8 }), (steps) => {
      const { alice } = afterNonces();
      const both = psbtOf(alice);
      const world: World = { alice, pool: [unsigned(), both], signed: new Map() };
      for (const [name, which] of steps) {
        STEPS[name](world, world.pool[which % world.pool.length] ?? both);
        world.pool.push(psbtOf(alice));
      }
      STEPS.open(world, both);
      STEPS.sign(world);
      expect([...world.signed.values()].every(({ size }) => size === 1)).toBe(true);
      if (!steps.some(([name]) => name === 'wipe')) expect(world.signed.size).toBeGreaterThan(0);
    }),
    { numRuns: 6 },
  );
});

test('nonces in memory are taken once', () => {
  const store = createMemoryNonces(counting(50));
  const sealed = Uint8Array.of(1, 2, 3);
  store.put('a', () => sealed);
  expect([store.has('a'), store.has('b')]).toEqual([true, false]);
  expect(refusalOf(() => store.put('a', () => sealed)).code).toBe('page/refused');
  expect(store.take('a')).toMatchObject({ sealed });
  expect([store.take('a'), store.take('b'), store.has('a')]).toEqual(['used', 'missing', false]);
  expect(refusalOf(() => store.put('a', () => sealed)).code).toBe('page/refused');
  store.put('c', () => sealed);
  store.wipe();
  expect([[...sealed], store.take('c')]).toEqual([[0, 0, 0], 'missing']);
});
