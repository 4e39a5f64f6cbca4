import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { legacyPsbt, psbtV0, psbtV2 } from '../support/arbitraries.ts';
import {
  asNodeWrites,
  type BtcError,
  CURRENT_RULES,
  combinePsbts,
  createDeriver,
  createRpc,
  createSigningProvider,
  decodePsbtBytes,
  decodeTransaction,
  encodePsbt,
  extractTransaction,
  finalizePsbt,
  formatBase64,
  formatHex,
  formatWif,
  hash160,
  keySigner,
  networks,
  nobleEcc,
  openSession,
  type Psbt,
  type PsbtInput,
  parseBase64,
  parseHex,
  signPsbt,
  tapTweakHash,
  verifyTransaction,
} from '../support/library.ts';
import { ALICE, BOB, parse, payment, sign, WALLETS, type WalletName, withInput, without } from '../support/psbts.ts';
import { refusalOf } from '../support/refusal.ts';

/** Core's answers to PSBTs that are wrong, odd or final: the rules behind its replies. */

/** OP_TRUE. */
const ANYONE = parseHex('51');
const text = (psbt: Psbt): string => formatBase64(encodePsbt(psbt));
const rpc = createRpc({ network: 'regtest', dialect: 'core-31' });
/** An answer, or an error's code and text. */
function ask(method: string, ...params: readonly unknown[]): unknown {
  try {
    return rpc.call(method, params);
  } catch (error) {
    const { code, message } = error as BtcError;
    return { code, message };
  }
}

describe('descriptorprocesspsbt calls complete what verifies, and nothing else', () => {
  const garbage = fc.uint8Array({ minLength: 1, maxLength: 80 });
  const spoil: fc.Arbitrary<(input: PsbtInput) => PsbtInput> = fc.oneof(
    fc.constant((input: PsbtInput) => input),
    fc.constant((input: PsbtInput) => without(input, 'witnessUtxo', 'nonWitnessUtxo')),
    fc.constant((input: PsbtInput) => without(input, 'finalScriptWitness', 'finalScriptSig')),
    garbage.map((item) => (input: PsbtInput) => ({ ...input, finalScriptWitness: [item] })),
    garbage.map((item) => (input: PsbtInput) => ({ ...input, finalScriptSig: item })),
    fc.bigInt({ min: 1n, max: 9n }).map((more) => (input: PsbtInput) => {
      const { witnessUtxo: coin } = input;
      return {
        ...without(input, 'nonWitnessUtxo'),
        ...(coin && { witnessUtxo: { ...coin, value: coin.value + more } }),
      };
    }),
    // A coin that needs no signature.
    fc.constant((input: PsbtInput) => ({
      ...without(input, 'nonWitnessUtxo', 'finalScriptWitness', 'finalScriptSig'),
      witnessUtxo: { value: 9n, scriptPubKey: ANYONE },
    })),
  );
  const names = fc.array(fc.constantFrom(...(Object.keys(WALLETS) as WalletName[])), { minLength: 1, maxLength: 3 });

  test('whatever the final fields and coins of its inputs say', () => {
    let complete = 0;
    fc.assert(
      fc.property(names, fc.array(spoil, { minLength: 3, maxLength: 3 }), fc.boolean(), (kinds, spoils, finalize) => {
        const final = finalizePsbt(sign(payment(kinds)).psbt).psbt;
        const spoiled = {
          ...final,
          inputs: final.inputs.map((input, i) => spoils[i]?.(input) ?? input),
        };
        const { coins, prevouts } = openSession(spoiled);
        const answer = ask('descriptorprocesspsbt', text(spoiled), [], 'DEFAULT', true, finalize);
        const { complete: isComplete, hex } = answer as { complete: boolean; hex?: string };
        expect(isComplete).toBe(hex !== undefined);
        if (!isComplete) {
          const isKnown = coins.every((coin) => coin !== undefined);
          if (isKnown) expect(refusalOf(() => extractTransaction(spoiled)).code).toBe('psbt/not-final');
          return;
        }
        complete += 1;
        expect(verifyTransaction(decodeTransaction(parseHex(hex ?? '')), prevouts ?? []).isValid).toBe(true);
      }),
      { numRuns: 60 },
    );
    expect(complete).toBeGreaterThan(5);
  });

  test('a coin that needs nothing to be spent is complete with nothing', () => {
    const psbt = withInput(payment(['wpkh']), 0, (input) => ({
      ...without(input, 'nonWitnessUtxo', 'bip32Derivations'),
      witnessUtxo: { value: 1_000_000n, scriptPubKey: ANYONE },
    }));
    expect(ask('descriptorprocesspsbt', text(psbt), [])).toMatchObject({ complete: true, hex: expect.any(String) });
  });
});

describe('records are written as Core writes them', () => {
  /** The types of an output's records from 5 on in the order of the wire: an older reader keeps them as they come. */
  const laterTypes = (psbt: Psbt): readonly (readonly number[])[] =>
    decodePsbtBytes(encodePsbt(psbt), { generation: 'core-0.21' }).outputs.map(({ unknown = [] }) =>
      unknown.map(({ key }) => key[0] ?? 0),
    );
  /** Proprietary records come before those of taproot and MuSig2, and these before what Core does not know. */
  const rank = (type: number): number => (type === 0xfc ? 0 : type <= 0x08 ? type : 9);

  test('an output: proprietary records before 0x05 to 0x08', () => {
    let seen = 0;
    fc.assert(
      fc.property(psbtV0, (psbt) => {
        for (const types of laterTypes(psbt)) {
          const ranks = types.map(rank);
          expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
          if (ranks.includes(0) && ranks.some((one) => one > 0 && one < 9)) seen += 1;
        }
      }),
      { numRuns: 200 },
    );
    expect(seen).toBeGreaterThan(5);
  });

  test('a MuSig2 nonce or signature for a leaf hash of zeros: without it, and once', () => {
    const pubkey = parseHex('02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9');
    const signer = { participantPubkey: pubkey, aggregatePubkey: pubkey };
    const zeros = { ...signer, leafHash: new Uint8Array(32) };
    const leaf = { ...signer, leafHash: new Uint8Array(32).fill(1) };
    const pubNonce = new Uint8Array(66).fill(2);
    const partialSig = new Uint8Array(32).fill(3);
    const psbt = withInput(payment(['tr']), 0, (input) => ({
      ...input,
      musig2PubNonces: [leaf, zeros, signer].map((one) => ({ ...one, pubNonce })),
      musig2PartialSigs: [zeros, leaf].map((one) => ({ ...one, partialSig })),
    }));
    const read = decodePsbtBytes(parseBase64(ask('combinepsbt', [text(psbt)]) as string));
    expect(read.inputs[0]).toMatchObject({
      musig2PubNonces: [
        { ...signer, pubNonce },
        { ...leaf, pubNonce },
      ],
      musig2PartialSigs: [
        { ...signer, partialSig },
        { ...leaf, partialSig },
      ],
    });
    expect(read.inputs[0]?.musig2PubNonces?.[0]).not.toHaveProperty('leafHash');
    expect(read.inputs[0]?.musig2PartialSigs?.[0]).not.toHaveProperty('leafHash');
  });

  test('what is written is read and written as the same text, and combined with itself stays', () => {
    fc.assert(
      fc.property(fc.oneof(legacyPsbt, psbtV0, psbtV2), (psbt) => {
        const once = text(asNodeWrites(psbt));
        const read = decodePsbtBytes(parseBase64(once));
        expect(text(asNodeWrites(read))).toBe(once);
        expect(text(asNodeWrites(combinePsbts([read]).psbt))).toBe(once);
      }),
      { numRuns: 100 },
    );
  });
});

test('tx_modifiable is combined bit by bit: SIGHASH_SINGLE if either sets it, the others if both do', () => {
  const base = payment(['wpkh']);
  const flagged = (txModifiable: number | undefined): Psbt => ({
    ...base,
    global: { ...base.global, ...(txModifiable !== undefined && { txModifiable }) },
  });
  const flags = fc.option(fc.nat({ max: 255 }), { nil: undefined });
  fc.assert(
    fc.property(flags, flags, (a, b) => {
      const combined = combinePsbts([flagged(a), flagged(b)]).psbt.global.txModifiable;
      const isSet = (value: number | undefined, bit: number): boolean => (((value ?? 0) >> bit) & 1) === 1;
      const expected = [...Array(8).keys()].filter((bit) =>
        bit === 2 ? isSet(a, bit) || isSet(b, bit) : isSet(a, bit) && isSet(b, bit),
      );
      const none = a === undefined && b === undefined;
      expect(combined).toBe(none ? undefined : expected.reduce((sum, bit) => sum + 2 ** bit, 0));
    }),
  );
});

describe('a version 2 PSBT of which one input wants a height and another a time', () => {
  const fields: readonly Partial<PsbtInput>[] = [{ requiredHeightLocktime: 7 }, { requiredTimeLocktime: 500_000_007 }];
  const base = payment(['wpkh', 'tr']);
  const torn = { ...base, inputs: base.inputs.map((input, i) => ({ ...input, ...fields[i] })) };
  const asWritten = text(asNodeWrites(torn));

  test('is answered as Core does', () => {
    const wkt = [`wpkh(${'03'.padEnd(66, '1')})`];
    expect(ask('analyzepsbt', text(torn))).toEqual({
      next: 'creator',
      error: 'PSBT cannot be made into a valid transaction',
    });
    expect(ask('finalizepsbt', text(torn))).toEqual({ psbt: asWritten, complete: false });
    expect(ask('finalizepsbt', text(torn), false)).toEqual({ psbt: asWritten, complete: false });
    expect(ask('combinepsbt', [text(torn)])).toBe(asWritten);
    expect(ask('combinepsbt', [text(torn), text(torn)])).toEqual({
      code: -8,
      message: 'PSBTs not compatible (different transactions)',
    });
    const impossible = { code: -25, message: 'The transaction cannot be valid' };
    expect(ask('descriptorprocesspsbt', text(torn), [])).toEqual(impossible);
    expect(ask('utxoupdatepsbt', text(torn))).toEqual(impossible);
    // Bad descriptors are found first.
    expect(ask('descriptorprocesspsbt', text(torn), wkt)).toMatchObject({ code: -5 });
  });

  test('is refused by the roles of the library, which need its transaction', () => {
    for (const role of [
      () => finalizePsbt(torn),
      () => extractTransaction(torn),
      () => signPsbt(torn, () => undefined),
      () => combinePsbts([torn, torn]),
    ]) {
      expect(refusalOf(role).code).toBe('psbt/locktime-conflict');
    }
    expect(combinePsbts([torn]).psbt).toBe(torn);
  });
});

test('previous transactions stay where a signature of ANYONECANPAY was made of a taproot input that became final', () => {
  const names = ['DEFAULT', 'ALL', 'NONE', 'ALL|ANYONECANPAY', 'NONE|ANYONECANPAY', 'SINGLE|ANYONECANPAY'];
  // Beside a segwit input of version 0, previous transactions stay.
  const mixed = payment(['tr', 'tree', 'wpkh']);
  const psbt = { ...mixed, inputs: mixed.inputs.slice(0, 2) };
  for (const name of names) {
    for (const finalize of [true, false]) {
      const descriptors = [WALLETS.tr, WALLETS.tree].map((desc) => ({ desc, range: 2 }));
      const answer = ask('descriptorprocesspsbt', text(psbt), descriptors, name, true, finalize);
      const { psbt: processed, complete } = answer as { psbt: string; complete: boolean };
      const { inputs } = decodePsbtBytes(parseBase64(processed));
      const isKept = name.includes('ANYONECANPAY');
      expect([complete, ...inputs.map(({ nonWitnessUtxo }) => nonWitnessUtxo !== undefined)]).toEqual([
        finalize,
        isKept,
        isKept,
      ]);
    }
  }
});

test('analyzepsbt names the hash of a key that a witness script names by it and nothing else shows', () => {
  const [shown, hidden] = [ALICE, BOB].map((person) => person.keyAt('m/0'));
  if (!shown || !hidden) throw new Error('two keys');
  const [derived] = [parse(`wsh(or_d(pk(${formatHex(shown)}),pkh(${formatHex(hidden)})))`)].map((descriptor) =>
    createDeriver(descriptor),
  );
  const { scripts, scriptPubKeys } = derived?.(0) ?? {};
  const [witnessScript = ANYONE, scriptPubKey = ANYONE] = [scripts?.[0], scriptPubKeys?.[0]];
  const psbt = withInput(payment(['multi']), 0, (input) => ({
    ...without(input, 'nonWitnessUtxo', 'bip32Derivations'),
    witnessScript,
    witnessUtxo: { value: 1_000_000n, scriptPubKey },
  }));
  const missing = { pubkeys: [formatHex(hash160(hidden))] };
  expect(ask('analyzepsbt', text(psbt))).toMatchObject({
    inputs: [{ has_utxo: true, is_final: false, next: 'updater', missing }],
  });
  const { inputs } = signPsbt(psbt, () => undefined);
  expect(inputs[0]?.missing).toContainEqual({ kind: 'key', hash: hash160(hidden) });
});

describe('keys sign the same by the library and by descriptorprocesspsbt', () => {
  const secretKey = ALICE.secretAt('m/9');
  const publicKey = nobleEcc.publicKey(secretKey);
  const bare = createSigningProvider(
    { keys: [{ secretKey, isCompressed: true }], scripts: [] },
    CURRENT_RULES,
    nobleEcc,
  );
  const wif = formatWif({ secretKey, isCompressed: true }, networks.regtest);
  const paidTo = (desc: string): Psbt => {
    const [script = ANYONE] = createDeriver(parse(desc))(0).scriptPubKeys;
    const two = payment(['wpkh', 'pkh']);
    const one = { ...two, inputs: two.inputs.slice(0, 1) };
    return withInput(one, 0, (input) => ({
      ...without(input, 'nonWitnessUtxo', 'bip32Derivations'),
      witnessUtxo: { value: 2_000_000n, scriptPubKey: script },
    }));
  };
  const key = formatHex(publicKey);

  test('a bare key signs where a script names it by its hash', () => {
    const psbt = paidTo(`wpkh(${key})`);
    const { inputs, psbt: signed } = signPsbt(psbt, keySigner(bare));
    expect(inputs[0]?.signed.map(formatHex)).toEqual([key]);
    const processed = ask('descriptorprocesspsbt', text(psbt), [`pk(${wif})`], 'ALL', false, false) as { psbt: string };
    expect(decodePsbtBytes(parseBase64(processed.psbt)).inputs[0]?.partialSigs).toEqual(signed.inputs[0]?.partialSigs);
    // Without showing its public keys, a signer is not asked.
    expect(signPsbt(psbt, (request) => keySigner(bare)(request)).inputs[0]?.signed).toEqual([]);
  });

  test('the holder of an output key signs beside an internal key that is named', () => {
    const internal = formatHex(BOB.keyAt('m/1'));
    const output = createDeriver(parse(`tr(${internal})`))(0).taproot?.outputKey ?? ANYONE;
    const tweak = tapTweakHash(BOB.keyAt('m/1').slice(1));
    const tweaked = nobleEcc.tweakSecretKey(BOB.secretAt('m/1'), tweak) ?? ANYONE;
    const psbt = withInput(paidTo(`rawtr(${formatHex(output)})`), 0, (input) => ({
      ...input,
      tapInternalKey: BOB.keyAt('m/1').slice(1),
    }));
    const holder = createSigningProvider(
      { keys: [{ secretKey: tweaked, isCompressed: true }], scripts: [] },
      CURRENT_RULES,
      nobleEcc,
    );
    expect(finalizePsbt(signPsbt(psbt, keySigner(holder)).psbt).isComplete).toBe(true);
  });

  test('an extended private key of a descriptor signs as itself, too', () => {
    const root = ALICE.xprv('m/7h').replace(/^\[.*\]/, '');
    const xpub = ALICE.xpub('m/7h').replace(/^\[.*\]/, '');
    const one = paidTo(`wpkh(${xpub})`);
    for (const other of [`pkh(${root}/5)`, `combo(${root}/*)`, `sh(multi(1,${root}/1,${key}))`]) {
      expect(ask('descriptorprocesspsbt', text(one), [`wpkh(${xpub})`, other])).toMatchObject({ complete: true });
    }
    expect(ask('descriptorprocesspsbt', text(one), [`wpkh(${xpub})`])).toMatchObject({ complete: false });
  });
});
