import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../src/core/crypto/nativeSecp256k1.ts';
import { bytes, psbtV0, psbtV2 } from '../support/arbitraries.ts';
import { campaign } from '../support/campaign.ts';
import {
  type Coins,
  created,
  drive,
  HOLDER_NAMES,
  type Holder,
  KIND_NAMES,
  KINDS,
  type KindName,
  keySignerOf,
  prevoutsOf,
  requestsOf,
  updatedPsbt,
  WATCHER,
} from '../support/kinds.ts';
import {
  applySignature,
  asNodeWrites,
  combinePsbts,
  decodePsbtBytes,
  encodePsbt,
  extractTransaction,
  finalizePsbt,
  formatHex,
  type Psbt,
  type PsbtInput,
  type SignatureRequest,
  updatePsbt,
  verifyTransaction,
} from '../support/library.ts';

// The roles of BIP174 together: the orders in which they may act, and the records that they must keep.

const ecc = nativeSecp256k1Ecc;
const options = { ecc };
const wire = (psbt: Psbt): string => formatHex(encodePsbt(asNodeWrites(psbt)));
const sent = (psbt: Psbt): Psbt => decodePsbtBytes(encodePsbt(psbt));

const coins = (names: readonly KindName[] = KIND_NAMES): fc.Arbitrary<Coins> =>
  fc.record({
    kinds: fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }),
    outputs: fc.integer({ min: 4, max: 5 }),
    version: fc.constantFrom(0 as const, 2 as const),
  });
const someHolders = fc.subarray([...HOLDER_NAMES]);
/** The sighash type that the signer asks for, or none. */
const sighashType = fc.constantFrom(undefined, 1, 2, 3, 0x81, 0x82, 0x83);
const typed = (type: number | undefined) => ({ ...options, ...(type !== undefined && { sighashType: type }) });
const signedBy = (psbt: Psbt, holders: readonly Holder[], type?: number): Psbt =>
  drive(psbt, keySignerOf(holders, ecc), typed(type)).psbt;

/** Kinds for which the order of signers does not matter: a key path signature makes all later ones superfluous. */
const UNORDERED = KIND_NAMES.filter((name) => name !== 'tr with leaves');

describe('signing a PSBT', () => {
  test('gives the same result for two signers in either order, together, or combined afterwards', () => {
    fc.assert(
      fc.property(coins(UNORDERED), someHolders, someHolders, sighashType, (plan, a, b, type) => {
        const psbt = updatedPsbt(plan);
        const first = wire(signedBy(signedBy(psbt, a, type), b, type));
        expect(wire(signedBy(signedBy(psbt, b, type), a, type))).toBe(first);
        expect(wire(signedBy(psbt, [...new Set([...a, ...b])], type))).toBe(first);
        for (const order of [
          [a, b],
          [b, a],
        ]) {
          const { psbt: both, conflicts } = combinePsbts(order.map((holders) => signedBy(psbt, holders, type)));
          expect(wire(both)).toBe(first);
          expect(conflicts).toEqual([]);
        }
      }),
      campaign(200),
    );
  });

  test('gives the same result for a PSBT that was encoded and decoded', () => {
    fc.assert(
      fc.property(coins(), someHolders, sighashType, (plan, holders, type) => {
        const psbt = updatedPsbt(plan);
        const signed = signedBy(psbt, holders, type);
        expect(wire(signedBy(sent(psbt), holders, type))).toBe(wire(signed));
        expect(wire(signedBy(sent(asNodeWrites(psbt)), holders, type))).toBe(wire(signed));
        expect(wire(sent(signed))).toBe(wire(signed));
        const final = finalizePsbt(signed, options).psbt;
        expect(wire(finalizePsbt(sent(signed), options).psbt)).toBe(wire(final));
        expect(wire(sent(final))).toBe(wire(final));
      }),
      campaign(200),
    );
  });

  test('makes the same requests whatever the answers, and signatures can be applied in any order', () => {
    const name = ({ inputIndex, publicKey, digest, ...rest }: SignatureRequest): string =>
      [inputIndex, ...[publicKey, digest].map(formatHex), 'leafHash' in rest ? formatHex(rest.leafHash) : ''].join();
    fc.assert(
      fc.property(coins(), someHolders, sighashType, fc.infiniteStream(fc.nat()), (plan, holders, type, numbers) => {
        const psbt = updatedPsbt(plan);
        const all = requestsOf(psbt, typed(type)).map(name);
        expect(new Set(all).size).toBe(all.length);
        const answered: [SignatureRequest, Uint8Array][] = [];
        const asked: string[] = [];
        const signer = keySignerOf(holders, ecc);
        const { psbt: signed } = drive(
          psbt,
          (request) => {
            asked.push(name(request));
            const signature = signer(request);
            if (signature) answered.push([request, signature]);
            return signature;
          },
          typed(type),
        );
        expect(all.filter((request) => asked.includes(request))).toEqual(asked);
        const shuffled = answered
          .map((pair) => ({ pair, at: numbers.next().value }))
          .sort((x, y) => x.at - y.at)
          .map(({ pair }) => pair);
        const applied = shuffled.reduce((into, [request, item]) => applySignature(into, request, item, { ecc }), psbt);
        expect(wire(applied)).toBe(wire(signed));
      }),
      campaign(200),
    );
  });
});

const TAPROOT = ['tr', 'tr with leaves', 'tr, multi_a', 'rawtr'] as const satisfies readonly KindName[];
/** The records that are optional in BIP371. */
const OPTIONAL = ['tapInternalKey', 'tapMerkleRoot', 'tapLeafScripts', 'tapBip32Derivations'] as const;
type Optional = (typeof OPTIONAL)[number];

describe('taproot inputs that lack records', () => {
  const withoutRecords = (psbt: Psbt, names: readonly Optional[], leaves: number): Psbt => ({
    ...psbt,
    inputs: psbt.inputs.map((input) => {
      const kept = Object.fromEntries(
        Object.entries(input).filter(([name]) => !names.includes(name as Optional)),
      ) as PsbtInput;
      return kept.tapLeafScripts ? { ...kept, tapLeafScripts: kept.tapLeafScripts.slice(0, leaves) } : kept;
    }),
  });
  /** Splits an input into inputs of one signature each. */
  const splitSignatures = ({ tapKeySig, tapScriptSigs = [] }: PsbtInput): readonly PsbtInput[] => [
    ...(tapKeySig ? [{ tapKeySig }] : []),
    ...tapScriptSigs.map((signature) => ({ tapScriptSigs: [signature] })),
  ];

  /** Tells whether an input holds enough records for the holder of its internal key to sign. */
  const showsKeyOf = (kind: KindName, { tapInternalKey, tapMerkleRoot, tapLeafScripts = [] }: PsbtInput): boolean => {
    if (kind === 'rawtr') return true;
    if (kind === 'tr, multi_a' || !tapInternalKey) return false;
    return kind === 'tr' || tapMerkleRoot !== undefined || tapLeafScripts.length > 0;
  };

  test('get only signatures that are valid for their coin, and are finalized if these suffice', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...TAPROOT),
        fc.subarray([...OPTIONAL]),
        fc.nat(2),
        someHolders,
        sighashType,
        (kind, names, leaves, holders, type) => {
          const plan = { kinds: [kind], outputs: 1 };
          const whole = updatedPsbt(plan);
          const signed = signedBy(withoutRecords(whole, names, leaves), holders, type);
          const [input = {}] = signed.inputs;
          const isFinalWith = (signatures: PsbtInput): boolean => {
            const inputs = whole.inputs.map((full) => ({
              ...full,
              ...(type !== undefined && { sighashType: type }),
              ...signatures,
            }));
            const { psbt, isComplete } = finalizePsbt({ ...whole, inputs }, options);
            if (!isComplete) return false;
            return verifyTransaction(extractTransaction(psbt, options), prevoutsOf(plan), options).isValid;
          };
          // Each signature alone must spend the coin, except in multi_a, which needs both.
          const spends = kind === 'tr, multi_a' ? [] : splitSignatures(input);
          expect(spends.map(isFinalWith)).toEqual(spends.map(() => true));
          if (kind === 'tr, multi_a' && input.tapScriptSigs?.length === 2) expect(isFinalWith(input)).toBe(true);

          expect(input.tapKeySig !== undefined).toBe(holders.includes('a1') && showsKeyOf(kind, input));
          if (input.tapKeySig) expect(finalizePsbt(signed, options).isComplete).toBe(true);
        },
      ),
      campaign(300),
    );
  });

  test('still request every signature when they hold an invalid key path signature', () => {
    const invalid = fc.tuple(bytes(64, 64), fc.constantFrom<readonly number[]>([], [1], [0], [0x41], [0x83]));
    fc.assert(
      fc.property(fc.constantFrom(...TAPROOT), invalid, someHolders, (kind, [signature, type], holders) => {
        const psbt = updatedPsbt({ kinds: [kind], outputs: 1 });
        const bad = {
          ...psbt,
          inputs: psbt.inputs.map((input) => ({ ...input, tapKeySig: Uint8Array.of(...signature, ...type) })),
        };
        expect(requestsOf(bad, options)).toEqual(requestsOf(psbt, options));
        const signed = signedBy(bad, holders);
        const [input = {}] = signed.inputs;
        const isRepaired = input.tapKeySig !== bad.inputs[0]?.tapKeySig;
        // Like Core's, the finalizer refuses a signature whose sighash type differs from the input's.
        const { isComplete } = finalizePsbt(signed, options);
        expect(isComplete).toBe((isRepaired || type.length === 0) && canSpend(kind, holders));
      }),
      campaign(200),
    );
  });
});

const canSpend = (kind: KindName, holders: readonly Holder[]): boolean =>
  KINDS[kind].quorums.some((quorum) => quorum.every((holder) => holders.includes(holder)));

describe('finalizing', () => {
  test('finalizes exactly the inputs that the keys can spend, with a valid result', () => {
    fc.assert(
      fc.property(coins(), someHolders, sighashType, (plan, holders, type) => {
        const signed = signedBy(updatedPsbt(plan), holders, type);
        const { psbt, inputs, isComplete } = finalizePsbt(signed, options);
        const isSpent = plan.kinds.map((kind) => canSpend(kind, holders));
        expect(inputs.map(({ status }) => status === 'complete')).toEqual(isSpent);
        expect(isComplete).toBe(!isSpent.includes(false));
        if (isComplete) {
          const { isValid } = verifyTransaction(extractTransaction(psbt, options), prevoutsOf(plan), options);
          expect(isValid).toBe(true);
        } else
          expect(() => extractTransaction(psbt, options)).toThrow(expect.objectContaining({ code: 'psbt/not-final' }));
        // The other holders can still sign the remaining inputs.
        const rest = finalizePsbt(signedBy(psbt, HOLDER_NAMES, type), options);
        expect(rest.isComplete).toBe(true);
        const { isValid } = verifyTransaction(extractTransaction(rest.psbt, options), prevoutsOf(plan), options);
        expect(isValid).toBe(true);
      }),
      campaign(200),
    );
  });

  test('never uses a corrupted signature', () => {
    const flip = (item: Uint8Array, at: number): Uint8Array =>
      item.map((byte, i) => (i === (at >> 3) % item.length ? byte ^ (1 << (at & 7)) : byte));
    const corrupt = (input: PsbtInput, at: number): PsbtInput => ({
      ...input,
      ...(input.partialSigs && {
        partialSigs: input.partialSigs.map((record) => ({ ...record, signature: flip(record.signature, at) })),
      }),
      ...(input.tapKeySig && { tapKeySig: flip(input.tapKeySig, at) }),
      ...(input.tapScriptSigs && {
        tapScriptSigs: input.tapScriptSigs.map((record) => ({ ...record, signature: flip(record.signature, at) })),
      }),
    });
    fc.assert(
      fc.property(coins(), someHolders, sighashType, fc.nat(), fc.nat(), (plan, holders, type, number, at) => {
        const signed = signedBy(updatedPsbt(plan), holders, type);
        const badIndex = number % plan.kinds.length;
        const bad = {
          ...signed,
          inputs: signed.inputs.map((input, i) => (i === badIndex ? corrupt(input, at) : input)),
        };
        const { psbt, inputs, isComplete } = finalizePsbt(bad, options);
        expect([isComplete, inputs[badIndex]?.status === 'complete']).toEqual([false, false]);
        expect(psbt.inputs[badIndex]).not.toHaveProperty('finalScriptWitness');
        expect(psbt.inputs[badIndex]).not.toHaveProperty('finalScriptSig');
        const others = plan.kinds.map((kind, i) => i !== badIndex && canSpend(kind, holders));
        expect(inputs.map(({ status }) => status === 'complete')).toEqual(others);
      }),
      campaign(300),
    );
  });
});

type Map = 'global' | 'inputs' | 'outputs';

/** Generates unknown and proprietary records. */
const unknownRecords = fc.record({
  unknown: fc.uniqueArray(
    fc.record({
      key: fc.tuple(fc.constantFrom(0x60, 0xa1, 0xf3), bytes(0, 4)).map(([type, data]) => Uint8Array.of(type, ...data)),
      value: bytes(0, 9),
    }),
    { selector: ({ key }) => formatHex(key), minLength: 1, maxLength: 3 },
  ),
  proprietary: fc.uniqueArray(
    fc.record({ identifier: bytes(0, 3), subtype: fc.nat({ max: 300 }), keyData: bytes(0, 3), value: bytes(0, 9) }),
    {
      selector: ({ identifier, subtype, keyData }) =>
        JSON.stringify([formatHex(identifier), subtype, formatHex(keyData)]),
      maxLength: 2,
    },
  ),
});
type UnknownRecords = typeof unknownRecords extends fc.Arbitrary<infer T> ? T : never;

describe('unknown and proprietary records', () => {
  test('survive every role, in every map', () => {
    const ofMaps = fc.record({ global: unknownRecords, inputs: unknownRecords, outputs: unknownRecords });
    fc.assert(
      fc.property(coins(), someHolders, ofMaps, (plan, holders, added: Readonly<Record<Map, UnknownRecords>>) => {
        const given = created(plan);
        const start: Psbt = {
          global: { ...given.global, ...added.global },
          inputs: given.inputs.map((input) => ({ ...input, ...added.inputs })),
          outputs: given.outputs.map((output) => ({ ...output, ...added.outputs })),
        };
        const expectKept = (psbt: Psbt): Psbt => {
          const encoded = decodePsbtBytes(encodePsbt(asNodeWrites(psbt)));
          const texts = (records: UnknownRecords): readonly string[] =>
            [...records.unknown, ...records.proprietary].map((record) =>
              JSON.stringify(record, (_, value) => (value instanceof Uint8Array ? formatHex(value) : value)),
            );
          const expectRecords = (
            map: { readonly unknown?: unknown; readonly proprietary?: unknown },
            records: UnknownRecords,
          ): void => {
            const { unknown = [], proprietary = [] } = map as Partial<UnknownRecords>;
            expect([...texts({ unknown, proprietary })].sort()).toEqual([...texts(records)].sort());
          };
          for (const form of [psbt, encoded]) {
            expectRecords(form.global, added.global);
            for (const input of form.inputs) expectRecords(input, added.inputs);
            for (const output of form.outputs) expectRecords(output, added.outputs);
          }
          return encoded;
        };
        const updated = expectKept(updatePsbt(start, { provider: WATCHER, ecc }));
        const signed = expectKept(signedBy(updated, holders));
        const combined = expectKept(combinePsbts([given, signed, updated].map(asNodeWrites)).psbt);
        expectKept(finalizePsbt(combined, options).psbt);
        const { psbt, isComplete } = finalizePsbt(signedBy(combined, HOLDER_NAMES), options);
        expect(isComplete).toBe(true);
        expectKept(psbt);
      }),
      campaign(150),
    );
  });
});

describe('combinePsbts', () => {
  test('gives the same result for signed PSBTs in any order and any grouping', () => {
    fc.assert(
      fc.property(coins(), fc.tuple(someHolders, someHolders, someHolders), sighashType, (plan, holders, type) => {
        const psbt = updatedPsbt(plan);
        const [a, b, c] = holders.map((some) => signedBy(psbt, some, type)) as [Psbt, Psbt, Psbt];
        const all = (...psbts: readonly Psbt[]): Psbt => combinePsbts(psbts).psbt;
        const whole = wire(all(a, b, c));
        for (const other of [all(c, b, a), all(b, a, c), all(all(a, b), c), all(a, all(b, c)), all(a, b, c, a, psbt)]) {
          expect(wire(other)).toBe(whole);
        }
        expect(all(a, a)).toEqual(a);
      }),
      campaign(200),
    );
  });

  /** Fields that identify the transaction or that others need, and the modifiable flags, which have their own rule. */
  const KEPT = new Set([
    ...['unsignedTx', 'txVersion', 'fallbackLocktime', 'version', 'txModifiable', 'amount', 'script', 'spV0Info'],
    ...['previousTxid', 'outputIndex', 'sequence', 'requiredTimeLocktime', 'requiredHeightLocktime'],
  ]);

  type Choice = (copy: number) => boolean;
  /** Chooses which of three copies get a record: at least one. */
  const chosen = (number: number): Choice => {
    return (copy) => (((number % 7) + 1) & (1 << copy)) !== 0;
  };

  /** Shares a field among three copies: the entries of a list separately, any other value as a whole. */
  function shareOf(name: string, value: unknown, next: () => number): (copy: number) => unknown {
    if (KEPT.has(name)) return () => value;
    if (!Array.isArray(value) || name === 'finalScriptWitness' || name === 'tapTree') {
      const isIn = chosen(next());
      return (copy) => (isIn(copy) ? value : undefined);
    }
    const choices = value.map(() => chosen(next()));
    return (copy) => {
      const some = value.filter((_, at) => choices[at]?.(copy));
      return some.length > 0 ? some : undefined;
    };
  }

  /** Deals the records of a map to three copies, so that each record is in at least one. */
  function dealt<M extends object>(map: M, next: () => number): readonly M[] {
    const shares = Object.entries(map).map(([name, value]) => [name, shareOf(name, value, next)] as const);
    return [0, 1, 2].map((copy) => {
      const members = shares.map(([name, share]) => [name, share(copy)] as const);
      return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as M;
    });
  }

  test('restores a PSBT whose records were dealt to three copies', () => {
    fc.assert(
      fc.property(fc.oneof(psbtV0, psbtV2), fc.infiniteStream(fc.nat()), (whole, numbers) => {
        const hasConflict =
          whole.inputs.some((i) => i.requiredHeightLocktime === undefined) && whole.global.version === 2;
        fc.pre(!hasConflict || whole.inputs.every((i) => i.requiredTimeLocktime === undefined));
        const next = (): number => numbers.next().value;
        const globals = dealt(whole.global, next);
        const inputs = whole.inputs.map((input) => dealt(input, next));
        const outputs = whole.outputs.map((output) => dealt(output, next));
        const parts = globals.map((global, i): Psbt => {
          return { global, inputs: inputs.map((of) => of[i] ?? {}), outputs: outputs.map((of) => of[i] ?? {}) };
        });
        const inOneOrder = combinePsbts(parts);
        expect(inOneOrder.conflicts).toEqual([]);
        expect(wire(inOneOrder.psbt)).toBe(wire(whole));
        expect(wire(combinePsbts([...parts].reverse()).psbt)).toBe(wire(whole));
        expect(combinePsbts([whole, ...parts])).toEqual({ psbt: whole, conflicts: [] });
      }),
      campaign(300),
    );
  });
});
