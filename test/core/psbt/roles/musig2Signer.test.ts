import { describe, expect, test } from 'vitest';
import { textDivergences } from '../../../divergences.ts';
import { someOf } from '../../../support/corpus.ts';
import {
  addNonce,
  addPartialSignature,
  asNodeWrites,
  combinePsbts,
  createDeriver,
  createDescriptorProvider,
  decodePsbtBytes,
  encodePsbt,
  extractTransaction,
  finalizePsbt,
  formatHex,
  formatXpub,
  generateNonce,
  isPartialSignatureValid,
  type Musig2Share,
  masterKey,
  musig2Shares,
  networks,
  neuter,
  nobleEcc,
  type Psbt,
  type SecretNonce,
  toPsbtV0,
  updatePsbt,
  verifyTransaction,
} from '../../../support/library.ts';
import { paymentOf } from '../../../support/psbtCalls.ts';
import { ALICE, BOB, MALLORY, make, PAYEE, type Person, parse, review, withInput } from '../../../support/psbts.ts';
import { expectRefusal, refusalOf } from '../../../support/refusal.ts';

/** MuSig2 through the fields of BIP373: nonces, then partial signatures; each participant has a copy of the PSBT. */

const PEOPLE = [ALICE, BOB, MALLORY] as const;
const PATH = 'm/87h';
const xpubs = (count: number): string =>
  PEOPLE.slice(0, count)
    .map((person) => person.xpub(PATH))
    .join(',');
const keys = (count: number, step: string): string =>
  PEOPLE.slice(0, count)
    .map((person) => `${person.xpub(PATH)}${step}`)
    .join(',');

/** Wallets with the path behind each participant's key expression. */
const WALLETS: Readonly<Record<string, { readonly of: string; readonly people: number; readonly steps: string }>> = {
  'one key, two signers': { of: `tr(musig(${keys(2, '/5')}))`, people: 2, steps: '/5' },
  'one key, three signers': { of: `tr(musig(${keys(3, '/5')}))`, people: 3, steps: '/5' },
  'participants derive': { of: `tr(musig(${keys(2, '/0/*')}))`, people: 2, steps: '/0/0' },
  'the aggregate derives': { of: `tr(musig(${xpubs(2)})/0/*)`, people: 2, steps: '' },
  'the aggregate derives, with a tree': {
    of: `tr(musig(${xpubs(3)})/0/*,pk(${ALICE.xpub('m/88h')}/0/*))`,
    people: 3,
    steps: '',
  },
  'in a leaf': { of: `tr(${MALLORY.xpub('m/88h')}/0,pk(musig(${keys(2, '/5')})))`, people: 2, steps: '/5' },
  'in a leaf, derived': {
    of: `tr(${MALLORY.xpub('m/88h')}/0,{pk(musig(${xpubs(2)})/0/*),pk(${BOB.xpub('m/88h')}/0)})`,
    people: 2,
    steps: '',
  },
};

const secretOf = (person: Person, steps: string): Uint8Array => person.secretAt(PATH + steps);
const spend = (of: string, version: 0 | 2 = 2): Psbt =>
  make({ inputs: [{ of }, { of, value: 2_000_000n }], outputs: [{ to: PAYEE, value: 2_990_000n }], version });

let counter = 0;
/** Returns other bytes for every nonce. */
function rand(): Uint8Array {
  counter += 1;
  const bytes = new Uint8Array(32).fill(0x77);
  new DataView(bytes.buffer).setUint32(0, counter);
  return bytes;
}

type Nonces = readonly SecretNonce[];
const isOf =
  (secretKey: Uint8Array) =>
  ({ participantPubkey }: Musig2Share): boolean =>
    formatHex(participantPubkey) === formatHex(nobleEcc.publicKey(secretKey));

/** Runs a participant's first round: adds a nonce for every signature it owes. */
function withNonces(psbt: Psbt, secretKey: Uint8Array): { readonly psbt: Psbt; readonly nonces: Nonces } {
  return musig2Shares(psbt)
    .filter(isOf(secretKey))
    .reduce<{ psbt: Psbt; nonces: Nonces }>(
      (round, share) => {
        const { psbt: next, secretNonce } = addNonce(round.psbt, share, { secretKey, rand: rand() });
        return { psbt: next, nonces: [...round.nonces, secretNonce] };
      },
      { psbt, nonces: [] },
    );
}

/** Runs a participant's second round: adds partial signatures, with the nonces of the first. */
function withPartials(psbt: Psbt, secretKey: Uint8Array, nonces: Nonces): Psbt {
  return musig2Shares(psbt)
    .filter(isOf(secretKey))
    .reduce((signed, share, i) => {
      const secretNonce = nonces[i];
      return secretNonce ? addPartialSignature(signed, share, { secretKey, secretNonce }) : signed;
    }, psbt);
}

/** Encodes and decodes a PSBT, as if sent to another participant. */
const sent = (psbt: Psbt): Psbt => decodePsbtBytes(encodePsbt(psbt));
const combined = (psbts: readonly Psbt[]): Psbt => {
  const { psbt, conflicts } = combinePsbts(psbts.map(sent));
  expect(conflicts).toEqual([]);
  return psbt;
};

/** Runs both rounds; after each, a coordinator combines the copies. */
function rounds(psbt: Psbt, secrets: readonly Uint8Array[]): { readonly afterNonces: Psbt; readonly signed: Psbt } {
  const first = secrets.map((secretKey) => withNonces(sent(psbt), secretKey));
  const afterNonces = combined(first.map((round) => round.psbt));
  const second = secrets.map((secretKey, i) => withPartials(sent(afterNonces), secretKey, first[i]?.nonces ?? []));
  return { afterNonces, signed: combined(second) };
}

function expectValid(psbt: Psbt): void {
  const { psbt: final, isComplete } = finalizePsbt(psbt);
  expect(isComplete).toBe(true);
  const prevouts = psbt.inputs.flatMap(({ witnessUtxo }) => witnessUtxo ?? []);
  expect(verifyTransaction(extractTransaction(final), prevouts)).toMatchObject({ isValid: true });
}

describe.each(someOf(Object.entries(WALLETS)))('%s', (_, { of, people, steps }) => {
  const secrets = PEOPLE.slice(0, people).map((person) => secretOf(person, steps));
  const psbt = spend(of);
  const { afterNonces, signed } = rounds(psbt, secrets);

  test('lists what each participant owes for each input, with its key origin', () => {
    const shares = musig2Shares(psbt);
    expect(shares.map(({ inputIndex }) => inputIndex)).toEqual([0, 1].flatMap((input) => Array(people).fill(input)));
    for (const secret of secrets) expect(shares.filter(isOf(secret))).toHaveLength(2);
    for (const share of shares) {
      expect(share).toMatchObject({ hasNonce: false, hasSigned: false });
      expect(share.session).toBe(undefined);
      expect(PEOPLE.map(({ fingerprint }) => fingerprint)).toContainEqual(share.origin?.fingerprint);
    }
    for (const share of musig2Shares(afterNonces)) expect(share).toMatchObject({ hasNonce: true, hasSigned: false });
    for (const share of musig2Shares(signed)) expect(share).toMatchObject({ hasNonce: true, hasSigned: true });
  });

  test('is finalized, and its transaction is valid, in any order of combining', () => {
    expectValid(signed);
    const again = rounds(psbt, [...secrets].reverse()).signed;
    expectValid(again);
    expectValid(combined([psbt, afterNonces, signed]));
    expectValid(combined([signed, psbt]));
    expectValid(rounds(toPsbtV0(psbt), secrets).signed);
  });

  test('is not complete while a nonce or a partial signature is missing', () => {
    for (const open of [psbt, afterNonces]) expect(finalizePsbt(open)).toMatchObject({ psbt: open, isComplete: false });
    for (const [i] of secrets.entries()) {
      const without1 = withInput(signed, 0, (input) => ({
        ...input,
        musig2PartialSigs: input.musig2PartialSigs?.filter((_, at) => at !== i) ?? [],
      }));
      expect(finalizePsbt(without1).inputs.map(({ status }) => status)).toEqual(['incomplete', 'complete']);
      const withoutNonce = withInput(signed, 1, (input) => ({
        ...input,
        musig2PubNonces: input.musig2PubNonces?.filter((_, at) => at !== i) ?? [],
      }));
      expect(finalizePsbt(withoutNonce).inputs.map(({ status }) => status)).toEqual(['complete', 'incomplete']);
    }
    expectRefusal(() => extractTransaction(afterNonces), 'psbt/not-final', { inputIndex: 0 });
  });

  test('does not add up swapped partial signatures, although their sum is right', () => {
    const swapped = withInput(signed, 0, (input) => {
      const [first, second, ...others] = input.musig2PartialSigs ?? [];
      if (!first || !second) throw new Error('two partial signatures');
      const partials = [
        { ...first, partialSig: second.partialSig },
        { ...second, partialSig: first.partialSig },
        ...others,
      ];
      return { ...input, musig2PartialSigs: partials };
    });
    expect(finalizePsbt(swapped).inputs.map(({ status }) => status)).toEqual(['incomplete', 'complete']);
    const wrong = musig2Shares(swapped).filter((share) => !isPartialSignatureValid(swapped, share));
    expect(wrong.map(({ inputIndex }) => inputIndex)).toEqual([0, 0]);
  });

  test('blames exactly the participant whose partial signature is wrong', () => {
    expect(musig2Shares(signed).every((share) => isPartialSignatureValid(signed, share))).toBe(true);
    for (const [i] of secrets.entries()) {
      const spoilt = withInput(signed, 0, (input) => ({
        ...input,
        musig2PartialSigs: (input.musig2PartialSigs ?? []).map((record, at) =>
          at === i
            ? { ...record, partialSig: record.partialSig.map((byte, b) => (b === 31 ? byte ^ 1 : byte)) }
            : record,
        ),
      }));
      const blamed = spoilt.inputs[0]?.musig2PartialSigs?.[i]?.participantPubkey ?? PAYEE;
      const wrong = musig2Shares(spoilt).filter((share) => !isPartialSignatureValid(spoilt, share));
      expect(wrong.map(({ inputIndex, participantPubkey }) => [inputIndex, participantPubkey])).toEqual([[0, blamed]]);
      const { isComplete, inputs } = finalizePsbt(spoilt);
      expect([isComplete, inputs.map(({ status }) => status)]).toEqual([false, ['incomplete', 'complete']]);
    }
    // No share has a valid partial signature before the second round.
    expect(musig2Shares(afterNonces).some((share) => isPartialSignatureValid(afterNonces, share))).toBe(false);
  });
});

describe('a nonce', () => {
  const { of, steps } = WALLETS['one key, two signers'] ?? { of: '', steps: '' };
  const psbt = make({ inputs: [{ of }], outputs: [{ to: PAYEE, value: 990_000n }] });
  const [alice, bob] = [secretOf(ALICE, steps), secretOf(BOB, steps)];
  const first = withNonces(psbt, alice);
  const second = withNonces(first.psbt, bob);
  const [share] = musig2Shares(second.psbt).filter(isOf(alice));
  const [nonce] = first.nonces;
  if (!share || !nonce) throw new Error('a share and its nonce');

  test('is added once', () => {
    const [own] = musig2Shares(first.psbt).filter(isOf(alice));
    if (!own) throw new Error('a share');
    expectRefusal(() => addNonce(first.psbt, own, { secretKey: alice, rand: rand() }), 'musig2/nonce-used', {});
    // A share that was listed before the nonce came must not add a second one either.
    const [stale] = musig2Shares(psbt).filter(isOf(alice));
    if (!stale) throw new Error('a share');
    expectRefusal(() => addNonce(first.psbt, stale, { secretKey: alice, rand: rand() }), 'musig2/nonce-used', {});
  });

  test('signs once, for any transaction', () => {
    const { secretNonce, psbt: own } = addNonce(
      psbt,
      { ...share, hasNonce: false },
      { secretKey: alice, rand: rand() },
    );
    const both = combinePsbts([own, withNonces(psbt, bob).psbt]).psbt;
    const [ready] = musig2Shares(both).filter(isOf(alice));
    if (!ready) throw new Error('a share');
    const signed = addPartialSignature(both, ready, { secretKey: alice, secretNonce });
    expect(isPartialSignatureValid(signed, ready)).toBe(true);
    const again = (target: Psbt) => () => addPartialSignature(target, ready, { secretKey: alice, secretNonce });
    expectRefusal(again(both), 'musig2/nonce-used', {});
    expectRefusal(again(signed), 'musig2/signed', {});
    const other = make({ inputs: [{ of }], outputs: [{ to: PAYEE, value: 980_000n }] });
    const [elsewhere] = musig2Shares(rounds(other, [alice, bob]).afterNonces).filter(isOf(alice));
    if (!elsewhere) throw new Error('a share');
    expect(refusalOf(() => addPartialSignature(other, elsewhere, { secretKey: alice, secretNonce })).code).toBe(
      'musig2/nonce-used',
    );
  });

  test('signs for its own key only, and only once all nonces are present', () => {
    const [early] = musig2Shares(first.psbt).filter(isOf(alice));
    if (!early) throw new Error('a share');
    expect(refusalOf(() => addPartialSignature(first.psbt, early, { secretKey: alice, secretNonce: nonce })).code).toBe(
      'musig2/count',
    );
    const [bobs] = second.nonces;
    if (!bobs) throw new Error('a nonce');
    expect(refusalOf(() => addPartialSignature(second.psbt, share, { secretKey: alice, secretNonce: bobs })).code).toBe(
      'musig2/nonce-key',
    );
  });

  test('is refused without 32 random bytes', () => {
    const own = musig2Shares(psbt).find(
      ({ participantPubkey }) => formatHex(participantPubkey) === formatHex(share.participantPubkey),
    );
    if (!own) throw new Error('a share');
    expectRefusal(() => addNonce(psbt, own, { secretKey: alice, rand: new Uint8Array(32) }), 'musig2/rand', {});
    expect(refusalOf(() => addNonce(psbt, own, { secretKey: alice, rand: new Uint8Array(31) })).code).toBe('ecc/size');
  });

  test('stays secret: no JSON, text, copy or record shows it', () => {
    const random = rand();
    const { secretNonce, psbt: own } = addNonce(
      psbt,
      { ...share, hasNonce: false },
      { secretKey: alice, rand: random },
    );
    const shown = [
      JSON.stringify({ secretNonce, nested: [secretNonce] }),
      String(secretNonce),
      JSON.stringify({ ...secretNonce }),
      JSON.stringify(Object.getOwnPropertyNames(secretNonce)),
      JSON.stringify(structuredClone(secretNonce)),
      formatHex(encodePsbt(own)),
      JSON.stringify(musig2Shares(own), (_, value) => (value instanceof Uint8Array ? formatHex(value) : value)),
    ];
    expect(shown[0]).toBe('{"secretNonce":{},"nested":[{}]}');
    for (const text of shown) {
      for (const secret of [alice, random]) expect(text).not.toContain(formatHex(secret));
    }
    const copy = structuredClone(secretNonce);
    expectRefusal(
      () => addPartialSignature(second.psbt, share, { secretKey: alice, secretNonce: copy }),
      'musig2/nonce-used',
      {},
    );
  });
});

describe('records from other participants', () => {
  const { of, steps } = WALLETS['one key, two signers'] ?? { of: '', steps: '' };
  const psbt = spend(of);
  const secrets = [secretOf(ALICE, steps), secretOf(BOB, steps)];
  const { signed, afterNonces } = rounds(psbt, secrets);

  test('are kept to the end if their type is unknown', () => {
    const extra = [{ key: Uint8Array.of(0xf7, 1), value: Uint8Array.of(1, 2, 3) }];
    const odd = withInput({ ...psbt, global: { ...psbt.global, unknown: extra } }, 0, (input) => ({
      ...input,
      unknown: extra,
    }));
    const { psbt: final } = finalizePsbt(rounds(odd, secrets).signed);
    expect([final.global.unknown, final.inputs[0]?.unknown]).toEqual([extra, extra]);
    expect(decodePsbtBytes(encodePsbt(asNodeWrites(final))).inputs[0]?.unknown).toEqual(extra);
  });

  test('count once: of two nonces of one participant, the first', () => {
    const zeros = new Uint8Array(32);
    const broken = { pubNonce: new Uint8Array(66), leafHash: zeros };
    const doubled = withInput(afterNonces, 0, (input) => {
      const nonces = input.musig2PubNonces ?? [];
      return { ...input, musig2PubNonces: [...nonces, ...nonces.map((nonce) => ({ ...nonce, ...broken }))] };
    });
    const states = (changed: Psbt) =>
      musig2Shares(changed).map(({ hasNonce, isNonceValid, session }) => [
        hasNonce,
        isNonceValid,
        session !== undefined,
      ]);
    expect(states(doubled)).toEqual(Array(4).fill([true, true, true]));
    const reversed = withInput(doubled, 0, (input) => ({
      ...input,
      musig2PubNonces: [...(input.musig2PubNonces ?? [])].reverse(),
    }));
    expect(states(reversed)).toEqual([
      [true, false, false],
      [true, false, false],
      [true, true, true],
      [true, true, true],
    ]);
    expect(states(psbt)).toEqual(Array(4).fill([false, false, false]));
  });

  test('conflict if they hold two nonces of one participant', () => {
    const [alice = PAYEE] = secrets;
    const { conflicts } = combinePsbts([withNonces(psbt, alice).psbt, withNonces(psbt, alice).psbt]);
    expect(conflicts.map(({ index, field }) => [index, field])).toEqual([
      [0, 'musig2PubNonces'],
      [1, 'musig2PubNonces'],
    ]);
  });

  test('are not finalized if their partial signatures sign another transaction', () => {
    const other = rounds(
      make({ inputs: [{ of }, { of, value: 2_000_000n }], outputs: [{ to: PAYEE, value: 2_980_000n }] }),
      secrets,
    ).signed;
    const mixed = withInput(afterNonces, 0, (input) => {
      const partials = other.inputs[0]?.musig2PartialSigs;
      return { ...input, ...(partials && { musig2PartialSigs: partials }) };
    });
    expect(finalizePsbt(mixed).isComplete).toBe(false);
    expect(musig2Shares(mixed).some((share) => isPartialSignatureValid(mixed, share))).toBe(false);
  });

  const spoilt: readonly [string, Psbt][] = [
    [
      'a nonce that is not a point',
      withInput(signed, 0, (input) => ({
        ...input,
        musig2PubNonces: (input.musig2PubNonces ?? []).map((record, i) =>
          i ? record : { ...record, pubNonce: new Uint8Array(66) },
        ),
      })),
    ],
    [
      'a partial signature beyond the order of the curve',
      withInput(signed, 0, (input) => ({
        ...input,
        musig2PartialSigs: (input.musig2PartialSigs ?? []).map((record, i) =>
          i ? record : { ...record, partialSig: new Uint8Array(32).fill(0xff) },
        ),
      })),
    ],
    [
      'a path that cannot be derived',
      withInput(
        make({
          inputs: [{ of: WALLETS['the aggregate derives']?.of ?? '' }, { of }],
          outputs: [{ to: PAYEE, value: 5n }],
        }),
        0,
        (input) => ({
          ...input,
          tapBip32Derivations: (input.tapBip32Derivations ?? []).map((key) => ({
            ...key,
            path: key.path.map(() => 0x8000_0000),
          })),
          musig2PartialSigs: signed.inputs[0]?.musig2PartialSigs ?? [],
        }),
      ),
    ],
    [
      'participants that cancel out',
      withInput(signed, 0, (input) => ({
        ...input,
        musig2Participants: [{ aggregatePubkey: nobleEcc.publicKey(secrets[0] ?? PAYEE), participants: [] }],
      })),
    ],
  ];

  test.each(spoilt)('spoil only their own input: %s', (_, bad) => {
    expect(finalizePsbt(bad).inputs[0]?.status).toBe('incomplete');
    expect(() => review(bad)).not.toThrow();
    const shares = musig2Shares(bad);
    expect(
      shares
        .filter(({ inputIndex }) => inputIndex === 0)
        .every((share) => !isPartialSignatureValid(bad, share) || share.session),
    ).toBe(true);
    expect(shares.filter(({ inputIndex }) => inputIndex === 1)).toHaveLength(2);
  });

  test('do not come from a key that is not a participant', () => {
    expect(musig2Shares(psbt).filter(isOf(secretOf(MALLORY, steps)))).toEqual([]);
    const [share] = musig2Shares(afterNonces);
    if (!share) throw new Error('a share');
    const mallory = secretOf(MALLORY, steps);
    const own = generateNonce({ rand: rand(), secretKey: mallory, publicKey: nobleEcc.publicKey(mallory) });
    expect(
      refusalOf(() => addPartialSignature(afterNonces, share, { secretKey: mallory, secretNonce: own.secretNonce }))
        .code,
    ).toBe('musig2/not-participant');
    const wrong = { secretKey: mallory, rand: rand() };
    expect(refusalOf(() => addNonce(psbt, { ...share, hasNonce: false }, wrong)).code).toMatch(/^musig2\//);
  });
});

const NETWORK = networks.regtest;
const participantXpubs = [5, 6].map((seed) => formatXpub(neuter(masterKey(new Uint8Array(32).fill(seed))), NETWORK));

describe('derivation from an aggregate key', () => {
  const shares = (steps: number): number => {
    const descriptor = parse(`tr(musig(${participantXpubs.join(',')})${'/1'.repeat(steps)})`);
    const desc = `tr(musig(${participantXpubs.join(',')})${'/1'.repeat(steps)})`;
    const provider = createDescriptorProvider([createDeriver(descriptor)(0)]);
    return musig2Shares(updatePsbt(paymentOf(desc), { provider })).length;
  };

  test('is followed for eight steps, not for nine', () => {
    expect([0, 1, 8, 9].map(shares)).toEqual([2, 2, 2, 0]);
    expect(textDivergences['MuSig2 costs no more than the inputs are worth']?.reason).toContain('8 steps');
  });
});
