import { describe, expect, test } from 'vitest';
import { expectFinding } from '../support/expectFinding.ts';
import {
  applySignature,
  concatBytes,
  decodePsbtBytes,
  encodeControlBlock,
  encodePsbt,
  encodeTransaction,
  extractTransaction,
  finalizePsbt,
  formatHex,
  formatReview,
  formatTxid,
  formatWif,
  hash160,
  networks,
  nobleEcc,
  OP,
  type Psbt,
  type PsbtInput,
  parseControlBlock,
  parseTxid,
  RpcError,
  SIGHASH,
  type SignatureRequest,
  sha256,
  signingRequests,
  signRawTransactionWithKey,
  tapLeafHash,
  tapTweakHash,
  unsignedTransaction,
} from '../support/library.ts';
import {
  ALICE,
  BOB,
  MALLORY,
  make,
  PAYEE,
  payment,
  review,
  scriptAt,
  sign,
  signatureCount,
  verdictsOf,
  WALLETS,
  type WalletName,
  withInput,
  withOutput,
  without,
} from '../support/psbts.ts';
import { expectRefusal } from '../support/refusal.ts';

/** Attacks with scripts and signatures; the numbers are those of docs/safety.md. */

const ONCE: readonly WalletName[] = ['wpkh'];

describe('10. a script that the coin does not commit to', () => {
  const other = scriptAt(WALLETS.wpkh, 0, 2);

  test('is refused, and not signed under any policy', () => {
    const spoiled = [
      withInput(payment(['shWpkh']), 0, (input) => ({ ...input, redeemScript: other })),
      withInput(payment(['multi']), 0, (input) => ({ ...input, witnessScript: Uint8Array.of(0x51) })),
    ];
    for (const psbt of spoiled) {
      expectFinding(psbt, 'script-mismatch');
      const { psbt: signed } = sign(psbt, { policy: { 'script-mismatch': 'warn' } });
      expect(signatureCount(signed)).toBe(0);
      expect(finalizePsbt(signed).isComplete).toBe(false);
    }
  });

  test("is refused with Core's error for a raw transaction", () => {
    const psbt = payment(['multi']);
    const tx = unsignedTransaction(psbt);
    const { txid, vout } = tx.inputs[0]?.outpoint ?? { txid: parseTxid('00'.repeat(32)), vout: 0 };
    const prevtx = {
      txid: formatTxid(txid),
      vout,
      scriptPubKey: formatHex(scriptAt(WALLETS.multi)),
      witnessScript: '51',
      amount: '0.01',
    };
    expect(() => signRawTransactionWithKey([formatHex(encodeTransaction(tx)), [], [prevtx]])).toThrow(
      new RpcError(-8, 'redeemScript/witnessScript does not match scriptPubKey'),
    );
  });
});

test('11. prevtxs that name one coin with two scripts', () => {
  const tx = unsignedTransaction(payment(ONCE));
  const { txid, vout } = tx.inputs[0]?.outpoint ?? { txid: parseTxid('00'.repeat(32)), vout: 0 };
  const prevtx = { txid: formatTxid(txid), vout, scriptPubKey: formatHex(scriptAt(WALLETS.wpkh)), amount: '0.01' };
  const keys = [formatWif({ secretKey: ALICE.secretAt('m/84h/1h/0h/0/0'), isCompressed: true }, networks.main)];
  const signWith = (...prevtxs: readonly (typeof prevtx)[]) =>
    signRawTransactionWithKey([formatHex(encodeTransaction(tx)), keys, prevtxs]);
  expect(signWith(prevtx).complete).toBe(true);
  expect(() => signWith(prevtx, { ...prevtx, scriptPubKey: '51' })).toThrow(
    expect.objectContaining({ code: -22, message: expect.stringMatching(/^Previous output scriptPubKey mismatch:\n/) }),
  );
});

describe('12. a signature that is not valid', () => {
  /** Adds well-formed signatures by the right key, but of another transaction. */
  const withAlien = (name: WalletName): Psbt => {
    const good = payment([name]);
    const other = sign(withOutput(good, 0, (output) => ({ ...output, amount: 399_999n }))).psbt;
    const { partialSigs, tapKeySig, tapScriptSigs } = other.inputs[0] ?? {};
    return withInput(good, 0, (input) => ({
      ...input,
      ...(partialSigs && { partialSigs }),
      ...(tapKeySig && { tapKeySig }),
      ...(tapScriptSigs && { tapScriptSigs }),
    }));
  };

  test.each(['pkh', 'shWpkh', 'wpkh', 'multi', 'tr', 'tree'] as const)(
    'is never finalized or extracted: %s',
    (name) => {
      const psbt = withAlien(name);
      expectFinding(psbt, 'signature-invalid');
      expect(review(psbt).inputs[0]?.signatures).toContainEqual(expect.objectContaining({ state: 'invalid' }));
      const { psbt: finalized, isComplete } = finalizePsbt(psbt);
      expect(isComplete).toBe(false);
      expectRefusal(() => extractTransaction(finalized), 'psbt/not-final', { inputIndex: 0 });
    },
  );

  test.each([
    ['pkh', WALLETS.pkh],
    ['shWpkh', WALLETS.shWpkh],
    ['wpkh', WALLETS.wpkh],
    ['multi', WALLETS.multi],
    ['a miniscript', `wsh(or_d(pk(${ALICE.xprv('m/9h')}/<0;1>/*),and_v(v:pkh(${BOB.xpub('m/9h')}/<0;1>/*),older(9))))`],
  ])('may be by a key that the coin does not take: %s', (_, of) => {
    const { psbt } = sign(make({ inputs: [{ of }], outputs: [{ to: PAYEE, value: 998_000n }] }), {}, [of]);
    const foreign = withInput(psbt, 0, ({ partialSigs = [], ...input }) => ({
      ...input,
      partialSigs: partialSigs.map(({ signature }) => ({ pubkey: MALLORY.keyAt('m/3'), signature })),
    }));
    expect(expectFinding(foreign, 'signature-foreign').text).toBe(
      'Input 0 holds a signature by a key that its coin does not take.',
    );
    expect(review(foreign).inputs[0]?.signatures).toMatchObject([{ state: 'unverifiable', reason: 'key-foreign' }]);
    expect(formatReview(review(foreign)).replace(/\s+/g, ' ')).toMatch(
      /signature of [0-9a-f]{66}, which cannot be verified: the coin does not take its key /,
    );
    expect(finalizePsbt(foreign).isComplete).toBe(false);
  });

  test('is not taken from final fields', () => {
    const signed = finalizePsbt(sign(withOutput(payment(ONCE), 0, (output) => ({ ...output, amount: 399_999n }))).psbt);
    const { finalScriptWitness } = signed.psbt.inputs[0] ?? {};
    const psbt = withInput(payment(ONCE), 0, (input): PsbtInput => {
      return finalScriptWitness ? { ...input, finalScriptWitness } : input;
    });
    expectFinding(psbt, 'signature-invalid');
    expect(review(psbt).inputs[0]).toMatchObject({ isFinal: true, isFinalValid: false });
    expect(finalizePsbt(psbt).isComplete).toBe(false);
    expectRefusal(() => extractTransaction(psbt), 'psbt/not-final', { inputIndex: 0 });
  });

  test('is refused as the answer to a request', () => {
    const requests = signingRequests(payment(ONCE));
    requests.next();
    expectRefusal(() => requests.next(new Uint8Array(64).fill(7)), 'signature/invalid', {
      inputIndex: 0,
      reason: 'not-valid',
    });
  });

  test('does not include a valid one whose key has no origin record', () => {
    for (const name of ['pkh', 'wpkh', 'shWpkh'] as const) {
      const psbt = withInput(sign(payment([name])).psbt, 0, (input) => without(input, 'bip32Derivations'));
      expect(finalizePsbt(psbt).isComplete).toBe(true);
      expect(verdictsOf(psbt)).not.toContain('signature-invalid: refuse');
      expect(review(psbt).inputs[0]).toMatchObject({
        signatures: [{ state: 'valid' }],
        missingSignatures: [],
      });
    }
  });

  test('may be valid for the internal key without its Merkle root', () => {
    const tree = payment(['tree']);
    const { tapInternalKey = INTERNAL } = tree.inputs[0] ?? {};
    const tweak = tapTweakHash(tapInternalKey);
    const secret = nobleEcc.tweakSecretKey(ALICE.secretAt('m/86h/1h/0h/0/0'), tweak) ?? new Uint8Array(32);
    const request = [...signingRequests(tree)].find((one) => one.algorithm === 'schnorr' && one.path === 'key');
    if (!request) throw new Error('a key path');
    const tapKeySig = nobleEcc.signSchnorr(request.digest, secret, new Uint8Array(32));
    const publicKey = nobleEcc.publicKey(secret).slice(1);
    expect(nobleEcc.verifySchnorr(tapKeySig, request.digest, publicKey)).toBe(true);
    // The coin decides which key may sign, not the input's records and not a request.
    const bare = withInput(tree, 0, (input) => without(input, 'tapMerkleRoot'));
    for (const psbt of [tree, bare]) {
      const alien = { ...request, publicKey } as SignatureRequest;
      expectRefusal(() => applySignature(psbt, alien, tapKeySig), 'signature/invalid', {
        inputIndex: 0,
        reason: 'not-valid',
      });
      const spoilt = withInput(psbt, 0, (input) => ({ ...input, tapKeySig }));
      expectFinding(spoilt, 'signature-invalid');
      expect(review(spoilt).inputs[0]?.signatures).toMatchObject([{ state: 'invalid' }]);
      expect([...signingRequests(spoilt)]).toEqual([...signingRequests(tree)]);
      const { psbt: signed } = sign(spoilt, { policy: { 'signature-invalid': 'warn' } });
      expect(verdictsOf(signed)).not.toContain('signature-invalid: refuse');
      expect(finalizePsbt(signed).isComplete).toBe(true);
    }
  });

  test('for the key path does not keep a leaf from being signed and finalized', () => {
    const spoilt = withInput(payment(['tree']), 0, (input) => ({ ...input, tapKeySig: new Uint8Array(64).fill(7) }));
    const leafOnly = [`pk(${ALICE.xprv('m/87h/1h/0h')}/0/*)`];
    const { psbt: signed } = sign(spoilt, { policy: { 'signature-invalid': 'warn' } }, leafOnly);
    expect(signed.inputs[0]?.tapScriptSigs).toHaveLength(1);
    expect(finalizePsbt(signed).isComplete).toBe(true);
  });

  test('is replaced where its key can sign', () => {
    for (const name of ['pkh', 'wpkh', 'shWpkh', 'multi', 'tr'] as const) {
      const { psbt: signed } = sign(withAlien(name), { policy: { 'signature-invalid': 'warn' } });
      expect(verdictsOf(signed)).not.toContain('signature-invalid: refuse');
    }
  });

  test('with an undefined hash type is a finding, not an error', () => {
    const named = (type: number): Psbt =>
      withInput(sign(payment(['tree']), { sighashType: SIGHASH.ALL }).psbt, 0, (input): PsbtInput => {
        const { tapKeySig = new Uint8Array(65) } = input;
        return { ...without(input, 'sighashType'), tapKeySig: Uint8Array.of(...tapKeySig.slice(0, 64), type) };
      });
    expectFinding(named(0x41), 'signature-invalid');
    // DEFAULT has no byte. BIP341 "Common signature message".
    expectFinding(named(0x00), 'signature-invalid');
    const spelled = withInput(sign(payment(['tr'])).psbt, 0, (input): PsbtInput => {
      return { ...input, tapKeySig: Uint8Array.of(...(input.tapKeySig ?? []), SIGHASH.DEFAULT) };
    });
    expectFinding(spelled, 'signature-invalid');
    expect(finalizePsbt(spelled).isComplete).toBe(false);
  });
});

/** Makes a PSBT that spends a coin with the script, with the given records of its input. */
function spending(scriptPubKey: Uint8Array, known: PsbtInput = {}): Psbt {
  const good = payment(ONCE, { outputs: [{ to: PAYEE, value: 990_000n }] });
  const coin = { value: 1_000_000n, scriptPubKey };
  return withInput(
    good,
    0,
    ({ previousTxid, outputIndex, sequence }): PsbtInput => ({
      ...(previousTxid && { previousTxid }),
      ...(outputIndex !== undefined && { outputIndex }),
      ...(sequence !== undefined && { sequence }),
      witnessUtxo: coin,
      ...known,
    }),
  );
}

const xOnly = (key: Uint8Array): Uint8Array => key.slice(1);
const push = (data: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(data.length), data);
const INTERNAL = xOnly(BOB.keyAt('m/86h/9'));
const LEAF_KEY = ALICE.keyAt('m/87h/1h/0h/0/0');
const checkSig = concatBytes(push(xOnly(LEAF_KEY)), Uint8Array.of(OP.CHECKSIG));

/** Makes a PSBT that spends a taproot coin with one leaf, and has its records. */
function spendingLeaf(script: Uint8Array, leafVersion = 0xc0): Psbt {
  const root = tapLeafHash(script, leafVersion);
  const output = nobleEcc.tweakPublicKey(INTERNAL, tapTweakHash(INTERNAL, root));
  if (!output) throw new Error('a point');
  const controlBlock = encodeControlBlock({ leafVersion, parity: output.parity, internalKey: INTERNAL, path: [] });
  return spending(concatBytes(Uint8Array.of(OP['1'], 32), output.publicKey), {
    tapInternalKey: INTERNAL,
    tapMerkleRoot: root,
    tapLeafScripts: [{ controlBlock, script, leafVersion }],
  });
}

describe('21. taproot records that the output key does not commit to', () => {
  const tree = payment(['tree']);
  const spoiled: readonly (readonly [string, (input: PsbtInput) => PsbtInput])[] = [
    ['another internal key', (input) => ({ ...input, tapInternalKey: INTERNAL })],
    ['another root', (input) => ({ ...input, tapMerkleRoot: new Uint8Array(32).fill(7) })],
    [
      'another root, without an internal key',
      (input) => ({
        ...without(input, 'tapInternalKey'),
        tapMerkleRoot: new Uint8Array(32).fill(7),
      }),
    ],
    [
      'another internal key, without a root',
      (input) => ({ ...without(input, 'tapMerkleRoot'), tapInternalKey: INTERNAL }),
    ],
    [
      'another leaf',
      (input) => ({
        ...input,
        tapLeafScripts:
          input.tapLeafScripts?.map((leaf) => ({ ...leaf, script: checkSig.map((byte) => byte ^ 1) })) ?? [],
      }),
    ],
    [
      'another path in the control block',
      (input) => ({
        ...input,
        tapLeafScripts:
          input.tapLeafScripts?.map((leaf) => {
            const block = parseControlBlock(leaf.controlBlock);
            if (!block) return leaf;
            return { ...leaf, controlBlock: encodeControlBlock({ ...block, path: [new Uint8Array(32)] }) };
          }) ?? [],
      }),
    ],
    [
      'another internal key in the control block',
      (input) => ({
        ...input,
        tapLeafScripts:
          input.tapLeafScripts?.map((leaf) => {
            const block = parseControlBlock(leaf.controlBlock);
            return block ? { ...leaf, controlBlock: encodeControlBlock({ ...block, internalKey: INTERNAL }) } : leaf;
          }) ?? [],
      }),
    ],
    [
      'the other parity in the control block',
      (input) => ({
        ...input,
        tapLeafScripts:
          input.tapLeafScripts?.map((leaf) => {
            const controlBlock = leaf.controlBlock.map((byte, i) => (i === 0 ? byte ^ 1 : byte));
            return { ...leaf, controlBlock };
          }) ?? [],
      }),
    ],
  ];

  test.each(spoiled)('%s', (_, spoil) => {
    const psbt = withInput(tree, 0, spoil);
    expectFinding(psbt, 'taproot-mismatch');
  });

  test('another internal key, without a tree', () => {
    expectFinding(
      withInput(payment(['tr']), 0, (input) => ({ ...input, tapInternalKey: INTERNAL })),
      'taproot-mismatch',
    );
  });

  test('the review shows which leaf is signed', () => {
    const psbt = spendingLeaf(checkSig);
    expect(verdictsOf(psbt)).toEqual([]);
    const leafHash = tapLeafHash(checkSig);
    expect(review(psbt).inputs[0]?.missingSignatures).toContainEqual(
      expect.objectContaining({ publicKey: xOnly(LEAF_KEY), leafHash }),
    );
    const { psbt: signed } = sign(psbt, {}, [
      `pk(${formatWif({ secretKey: ALICE.secretAt('m/87h/1h/0h/0/0'), isCompressed: true }, networks.regtest)})`,
    ]);
    expect(review(signed).inputs[0]?.signatures).toContainEqual(
      expect.objectContaining({ publicKey: xOnly(LEAF_KEY), state: 'valid', leafHash }),
    );
    expect(finalizePsbt(signed).isComplete).toBe(true);
  });
});

test('22. unusual leaves', () => {
  const leaves: readonly (readonly [RegExp, Uint8Array, number])[] = [
    [/has an undefined version/, checkSig, 0xc2],
    [/holds an OP_SUCCESS, which anyone can spend/, Uint8Array.of(0x50), 0xc0],
    [/holds an OP_SUCCESS/, concatBytes(checkSig, Uint8Array.of(0xfe)), 0xc0],
    [/holds an OP_CODESEPARATOR/, concatBytes(Uint8Array.of(OP.CODESEPARATOR), checkSig), 0xc0],
    [/does not parse/, concatBytes(checkSig, Uint8Array.of(0x4c)), 0xc0],
  ];
  for (const [text, script, leafVersion] of leaves) {
    const psbt = spendingLeaf(script, leafVersion);
    expect(expectFinding(psbt, 'leaf-unusual').text).toMatch(text);
    expect(decodePsbtBytes(encodePsbt(psbt)).inputs[0]?.tapLeafScripts).toEqual(psbt.inputs[0]?.tapLeafScripts);
  }
  // Pushed data is not an opcode.
  const harmless = concatBytes(push(Uint8Array.of(0x50, OP.CODESEPARATOR)), Uint8Array.of(OP.DROP), checkSig);
  expect(verdictsOf(spendingLeaf(harmless))).toEqual(['script-unread: warn']);
  // A witness script with OP_CODESEPARATOR matches no template, so that it is not signed.
  const script = concatBytes(Uint8Array.of(OP.CODESEPARATOR), push(LEAF_KEY), Uint8Array.of(OP.CHECKSIG));
  const separated = spending(concatBytes(Uint8Array.of(0, 32), sha256(script)), { witnessScript: script });
  expect([...signingRequests(separated)]).toEqual([]);
});

describe('23. uncompressed keys in segwit', () => {
  const long = nobleEcc.publicKey(ALICE.secretAt('m/0'), false);
  const hybrid = long.map((byte, i) => (i === 0 ? 0x06 + ((long[64] ?? 0) & 1) : byte));
  const origin = { fingerprint: ALICE.fingerprint, path: [0] };
  const witnessScriptHash = (witnessScript: Uint8Array): Psbt =>
    spending(concatBytes(Uint8Array.of(0, 32), sha256(witnessScript)), { witnessScript });

  test.each([
    ['uncompressed', long],
    ['hybrid', hybrid],
  ])('are found in witness scripts: %s', (_, key) => {
    const multi = concatBytes(Uint8Array.of(0x51), push(key), push(LEAF_KEY), Uint8Array.of(0x52, OP.CHECKMULTISIG));
    expectFinding(witnessScriptHash(multi), 'key-uncompressed');
    expectFinding(witnessScriptHash(concatBytes(push(key), Uint8Array.of(OP.CHECKSIG))), 'key-uncompressed');
  });

  test('are found by their hash, if the PSBT has the key', () => {
    const program = hash160(long);
    const known = { bip32Derivations: [{ pubkey: long, ...origin }] };
    const keyHash = spending(concatBytes(Uint8Array.of(0, 20), program), known);
    expect([...signingRequests(keyHash)]).toEqual([]);
    expectFinding(keyHash, 'key-uncompressed');
    const script = concatBytes(
      Uint8Array.of(OP.DUP, OP.HASH160),
      push(program),
      Uint8Array.of(OP.EQUALVERIFY, OP.CHECKSIG),
    );
    const inScript = withInput(witnessScriptHash(script), 0, (input) => ({ ...input, ...known }));
    expect([...signingRequests(inScript)]).toEqual([]);
    expectFinding(inScript, 'key-uncompressed');
  });

  test('are permitted in legacy scripts', () => {
    const previous = payment(['pkh']);
    expect(verdictsOf(previous)).not.toContain('key-uncompressed: refuse');
  });
});
