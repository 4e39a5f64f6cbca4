import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { divergences } from '../../divergences.ts';
import { callText } from '../../support/askRpc.ts';
import { campaign, rounds } from '../../support/campaign.ts';
import {
  CURRENT_RULES,
  createDeriver,
  createSigningProvider,
  decodePsbtBytes,
  decodeTransaction,
  derivePath,
  extractTransaction,
  finalizePsbt,
  formatHex,
  formatWif,
  formatXpub,
  keySigner,
  masterKey,
  networks,
  neuter,
  nobleEcc,
  openSession,
  type Psbt,
  type PsbtInput,
  parseBase64,
  parseHex,
  signPsbt,
  tapTweakHash,
  toPsbtV0,
  verifyTransaction,
} from '../../support/library.ts';
import { answerTo, ask, paymentOf, read, reply, replyText, text } from '../../support/psbtCalls.ts';
import { addsOnlyNonces, mixesOnlyOrigins } from '../../support/psbtReplies.ts';
import {
  ALICE,
  BOB,
  parse,
  payment,
  reviewOptions,
  sign,
  WALLETS,
  type WalletName,
  withInput,
  without,
} from '../../support/psbts.ts';
import { refusalOf } from '../../support/refusal.ts';
import { LEGACY, makeWorld } from '../../support/walletWorld.ts';

/** Core's answers for unusual PSBTs. */

/** OP_TRUE. */
const ANYONE = parseHex('51');

describe('descriptorprocesspsbt calls a PSBT complete exactly if it verifies', () => {
  const garbage = fc.uint8Array({ minLength: 1, maxLength: 80 });
  const spoil: fc.Arbitrary<(input: PsbtInput) => PsbtInput> = fc.oneof(
    { weight: 6, arbitrary: fc.constant((input: PsbtInput) => input) },
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

  test('whatever its final fields and coins', () => {
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
      campaign(320),
    );
    expect(complete).toBeGreaterThan(rounds(20));
  });

  test('even without signatures, for a coin that needs none', () => {
    const psbt = withInput(payment(['wpkh']), 0, (input) => ({
      ...without(input, 'nonWitnessUtxo', 'bip32Derivations'),
      witnessUtxo: { value: 1_000_000n, scriptPubKey: ANYONE },
    }));
    expect(ask('descriptorprocesspsbt', text(psbt), [])).toMatchObject({ complete: true, hex: expect.any(String) });
  });
});

describe('keys sign the same by the library and by descriptorprocesspsbt', () => {
  const secretKey = ALICE.secretAt('m/9');
  const publicKey = nobleEcc.publicKey(secretKey);
  const bare = createSigningProvider(
    { keys: [{ secretKey, isCompressed: true }], scripts: [] },
    { rules: CURRENT_RULES, ecc: nobleEcc },
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

  test('a bare key signs for a script that holds its hash', () => {
    const psbt = paidTo(`wpkh(${key})`);
    const { inputs, psbt: signed } = signPsbt(psbt, keySigner(bare), reviewOptions({}));
    expect(inputs[0]?.signed.map(formatHex)).toEqual([key]);
    const processed = ask('descriptorprocesspsbt', text(psbt), [`pk(${wif})`], 'ALL', false, false) as { psbt: string };
    expect(decodePsbtBytes(parseBase64(processed.psbt)).inputs[0]?.partialSigs).toEqual(signed.inputs[0]?.partialSigs);
    // A signer that does not list its public keys gets no requests.
    expect(signPsbt(psbt, (request) => keySigner(bare)(request), reviewOptions({})).inputs[0]?.signed).toEqual([]);
  });

  test('the holder of an output key signs, even if the PSBT names an internal key', () => {
    const internal = formatHex(BOB.keyAt('m/1'));
    const output = createDeriver(parse(`tr(${internal})`))(0).taproot?.outputKey ?? ANYONE;
    const tweak = tapTweakHash(BOB.keyAt('m/1').slice(1));
    const tweaked = nobleEcc.tweakSecretKey(BOB.secretAt('m/1'), tweak) ?? ANYONE;
    const psbt = withInput(paidTo(`rawtr(${formatHex(output)})`), 0, (input) => ({
      ...input,
      tapInternalKey: BOB.keyAt('m/1').slice(1),
    }));
    const provider = createSigningProvider(
      { keys: [{ secretKey: tweaked, isCompressed: true }], scripts: [] },
      { rules: CURRENT_RULES, ecc: nobleEcc },
    );
    expect(finalizePsbt(signPsbt(psbt, keySigner(provider), reviewOptions({})).psbt).isComplete).toBe(true);
  });

  test('an extended private key of a descriptor also signs without derivation', () => {
    const root = ALICE.xprv('m/7h').replace(/^\[.*\]/, '');
    const xpub = ALICE.xpub('m/7h').replace(/^\[.*\]/, '');
    const one = paidTo(`wpkh(${xpub})`);
    for (const other of [`pkh(${root}/5)`, `combo(${root}/*)`, `sh(multi(1,${root}/1,${key}))`]) {
      expect(ask('descriptorprocesspsbt', text(one), [`wpkh(${xpub})`, other])).toMatchObject({ complete: true });
    }
    expect(ask('descriptorprocesspsbt', text(one), [`wpkh(${xpub})`])).toMatchObject({ complete: false });
  });
});

const NETWORK = networks.regtest;
const xprv = derivePath(masterKey(new Uint8Array(32).fill(5)), [0]);
const xpubs = [5, 6].map((seed) => formatXpub(neuter(masterKey(new Uint8Array(32).fill(seed))), NETWORK));
const hex = formatHex(xprv.publicKey);

describe('descriptorprocesspsbt adds no public nonces', () => {
  const desc = `tr(musig(${xpubs.join(',')})/0)`;
  const psbt = paymentOf(desc);
  const call = { method: 'descriptorprocesspsbt', params: [text(psbt), [desc]] };
  const processed = answerTo(call.method, ...call.params) as { readonly psbt: string };
  const ours = JSON.stringify({ result: processed, error: null });
  const own = read(processed.psbt);
  const [record] = own.inputs[0]?.musig2Participants ?? [];
  const participantPubkey = record?.participants[0] ?? new Uint8Array(33);
  const nonce = { participantPubkey, aggregatePubkey: participantPubkey, pubNonce: new Uint8Array(66).fill(2) };
  const withNonce = (input: PsbtInput): PsbtInput => ({ ...input, musig2PubNonces: [nonce] });
  const theirs = withInput(own, 0, withNonce);

  test('but names the participants', () => {
    expect(record?.participants).toHaveLength(2);
    expect(own.inputs[0]?.musig2PubNonces).toBeUndefined();
  });

  test('which is the only excused difference from a reply of Core', () => {
    expect(addsOnlyNonces({ ...call, reply: reply(theirs) }, ours)).toBe(true);
    const signed = withInput(theirs, 0, (input) => ({ ...input, tapKeySig: new Uint8Array(64) }));
    for (const other of [reply(own), reply(signed), reply(theirs, { complete: true }), reply(undefined)]) {
      expect(addsOnlyNonces({ ...call, reply: other }, ours)).toBe(false);
    }
    expect(addsOnlyNonces({ ...call, method: 'utxoupdatepsbt', reply: reply(theirs) }, ours)).toBe(false);
    // Extra nonces of ours are not excused.
    expect(addsOnlyNonces({ ...call, reply: ours }, reply(theirs))).toBe(false);
  });
});

describe('a key with two origins keeps the first', () => {
  const desc = `wsh(multi(1,[aaaaaaaa/1]${hex},[bbbbbbbb/2]${hex}))`;
  const call = { method: 'utxoupdatepsbt', params: [text(paymentOf(desc)), [desc]] };
  const own = read(answerTo(call.method, ...call.params));
  const origin = (fingerprint: string, path: readonly number[]) => ({
    pubkey: xprv.publicKey,
    fingerprint: Uint8Array.from(Buffer.from(fingerprint, 'hex')),
    path,
  });
  const holding = (fingerprint: string, path: readonly number[]): string =>
    replyText(withInput(own, 0, (input) => ({ ...input, bip32Derivations: [origin(fingerprint, path)] })));

  test('in our reply', () => {
    expect(own.inputs[0]?.bip32Derivations).toEqual([origin('aaaaaaaa', [1])]);
  });

  test('and a reply of Core with the second path first is the only excused difference', () => {
    const ours = replyText(own);
    expect(mixesOnlyOrigins({ ...call, reply: holding('bbbbbbbb', [2, 1]) }, ours)).toBe(true);
    const others = [holding('aaaaaaaa', [1]), holding('bbbbbbbb', [2]), holding('cccccccc', [2, 1])];
    for (const other of [...others, holding('bbbbbbbb', [1, 2]), holding('bbbbbbbb', [2, 21])]) {
      expect(mixesOnlyOrigins({ ...call, reply: other }, ours)).toBe(false);
    }
  });
});

const RELEASES = ['core-29', 'core-30', 'core-31', 'core-32'] as const;

test.each(RELEASES)('utxoupdatepsbt of %s names the output key of rawtr() since core-31', (dialect) => {
  const desc = `rawtr([aaaaaaaa/1]${hex.slice(2)})`;
  const updated = callText(dialect, 'utxoupdatepsbt', [text(paymentOf(desc)), [desc]]);
  const { tapBip32Derivations = [] } = read(updated as string).inputs[0] ?? {};
  const isNamed = dialect === 'core-31' || dialect === 'core-32';
  expect(tapBip32Derivations.map(({ pubkey }) => formatHex(pubkey))).toEqual(isNamed ? [hex.slice(2)] : []);
});

test.each([
  ['core-29', 'SINGLE|ANYONECANPAY', false],
  ['core-29', 'ALL', false],
  ['core-30', 'SINGLE|ANYONECANPAY', true],
  ['core-30', 'ALL', false],
] as const)('descriptorprocesspsbt of %s keeps previous transactions under %s: %s', (dialect, type, isKept) => {
  // Beside a legacy input, previous transactions are kept.
  const mixed = payment(['tr', 'pkh']);
  const psbt = toPsbtV0({ ...mixed, inputs: mixed.inputs.slice(0, 1) });
  const answer = callText(dialect, 'descriptorprocesspsbt', [text(psbt), [{ desc: WALLETS.tr, range: 2 }], type]);
  const [input] = read((answer as { readonly psbt: string }).psbt).inputs;
  expect(input?.nonWitnessUtxo !== undefined).toBe(isKept);
});

test('walletprocesspsbt of 0.21 keeps previous transactions beside signatures of versions to come', () => {
  const mixed = payment(['tr', 'pkh']);
  const psbt = toPsbtV0({ ...mixed, inputs: mixed.inputs.slice(0, 1) });
  const { rpc } = makeWorld(LEGACY);
  const { psbt: processed } = rpc.call('walletprocesspsbt', [text(psbt)], 'w');
  expect(read(processed).inputs[0]?.nonWitnessUtxo).toEqual(psbt.inputs[0]?.nonWitnessUtxo);
});

describe('a final witness that does not verify', () => {
  const psbt = withInput(paymentOf(`wsh(pk(${hex}))`), 0, (input) => ({
    ...without(input, 'nonWitnessUtxo'),
    finalScriptWitness: [Uint8Array.of(5)],
  }));
  const method = 'descriptorprocesspsbt';
  const [divergence] = divergences.filter(({ name }) => name.startsWith('final fields'));

  test.each(RELEASES)('leaves a PSBT incomplete for %s', (dialect) => {
    const ours = callText(dialect, method, [text(psbt), []]) as { readonly psbt: string };
    expect(ours).toEqual({ psbt: text(psbt), complete: false });
    const answer = JSON.stringify({ result: ours });
    const of = (result: unknown) => divergence?.concerns({ method, params: [], result }, answer);
    const theirs = { psbt: ours.psbt, complete: true, hex: '00' };
    expect([of(theirs), of(ours), of({ ...theirs, psbt: '' }), of(undefined)]).toEqual([true, false, false, false]);
  });
});
