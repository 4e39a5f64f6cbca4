import { getPublicKey } from '@noble/secp256k1';
import fc from 'fast-check';
import {
  formatHex,
  type Outpoint,
  type ProprietaryRecord,
  type Psbt,
  type PsbtGlobal,
  type PsbtInput,
  type PsbtOutput,
  parseTxid,
  type Transaction,
  type TxIn,
  type TxOut,
  txid,
  type UnknownRecord,
} from './library.ts';

// Random transactions, scripts and PSBTs, shared by the property tests and the live comparison with a node.

export const bytes = (minLength: number, maxLength = minLength): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength, maxLength });

const u32 = fc.oneof(fc.constantFrom(0, 1, 2, 0xffffffff, 0xfffffffe, 500_000_000), fc.nat({ max: 0xffffffff }));

/** Valid keys in all forms; few, so that the same key occurs in several places. */
const KEYS: readonly Uint8Array[] = Array.from({ length: 24 }, (_, i) => {
  const key = getPublicKey(new Uint8Array(32).fill(i + 1), i % 4 !== 3);
  if (i % 8 === 7) key[0] = 6 + ((key[64] ?? 0) & 1);
  return key;
});
const pubkey = fc.constantFrom(...KEYS);
const compressedKey = fc.constantFrom(...KEYS.filter((key) => key.length === 33));
const xOnlyKey = compressedKey.map((key) => key.slice(1));

const concat = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));
const push = (data: Uint8Array): Uint8Array => {
  if (data.length < 0x4c) return concat([data.length], data);
  return data.length < 0x100
    ? concat([0x4c, data.length], data)
    : concat([0x4d, data.length & 255, data.length >> 8], data);
};

const derInteger = bytes(1, 33).map((raw) => {
  const first = (raw[0] ?? 0) & 0x7f;
  return raw.length > 1 && first === 0 ? concat([1], raw.slice(1)) : concat([first], raw.slice(1));
});
/** Generates strictly DER-encoded signatures with a defined sighash type. */
const signature = fc.tuple(derInteger, derInteger, fc.constantFrom(1, 2, 3, 0x81, 0x82, 0x83)).map(([r, s, type]) => {
  const body = concat([0x02, r.length], r, [0x02, s.length], s);
  return concat([0x30, body.length], body, [type]);
});

const multisig = fc.tuple(fc.array(pubkey, { minLength: 1, maxLength: 18 }), fc.nat({ max: 20 })).map(([keys, m]) => {
  const count = (n: number): readonly number[] => (n <= 16 ? [n === 0 ? 0 : 0x50 + n] : [1, n]);
  return concat(count(m), ...keys.map(push), count(keys.length), [0xae]);
});
const randomOps = fc
  .array(fc.oneof(bytes(1), bytes(0, 80).map(push), bytes(76, 300).map(push), signature.map(push), pubkey.map(push)), {
    maxLength: 8,
  })
  .map((parts) => concat(...parts));

/** Generates scripts of every type that Core distinguishes, and nonsense. */
export const script: fc.Arbitrary<Uint8Array> = fc.oneof(
  bytes(20).map((hash) => concat([0x76, 0xa9, 20], hash, [0x88, 0xac])),
  bytes(20).map((hash) => concat([0xa9, 20], hash, [0x87])),
  bytes(20).map((hash) => concat([0, 20], hash)),
  bytes(32).map((hash) => concat([0, 32], hash)),
  fc.oneof(xOnlyKey, bytes(32)).map((key) => concat([0x51, 32], key)),
  fc.constant(Uint8Array.of(0x51, 2, 0x4e, 0x73)),
  fc.tuple(fc.integer({ min: 0x50, max: 0x60 }), bytes(1, 41)).map(([op, program]) => concat([op], push(program))),
  pubkey.map((key) => concat(push(key), [0xac])),
  multisig,
  bytes(0, 90).map((data) => concat([0x6a], push(data))),
  randomOps,
  bytes(0, 40),
);

const amount = fc.oneof(
  fc.constantFrom(0n, 1n, 546n, 100_000_000n, 2_100_000_000_000_000n, 8_400_000_000_000_000n),
  fc.bigInt({ min: 0n, max: 8_400_000_000_000_000n }),
);
/** Generates amounts that no node would relay, too: they must be printed all the same. */
const wildAmount = fc.oneof(amount, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }));

const anyTxid = bytes(32).map((raw) => parseTxid(formatHex(raw)));
const outpoint: fc.Arbitrary<Outpoint> = fc.record({ txid: anyTxid, vout: u32 });
const witness = fc.array(fc.oneof(bytes(0, 80), signature), { minLength: 1, maxLength: 4 });

const txIn = (isSigned: boolean): fc.Arbitrary<TxIn> =>
  fc.record({
    outpoint,
    scriptSig: isSigned ? fc.oneof(fc.constant(new Uint8Array(0)), randomOps) : fc.constant(new Uint8Array(0)),
    sequence: u32,
    witness: isSigned ? fc.oneof(fc.constant([]), witness) : fc.constant([]),
  });
const txOut = (value: fc.Arbitrary<bigint>): fc.Arbitrary<TxOut> => fc.record({ value, scriptPubKey: script });

/**
 * Generates transactions with at least one input: without inputs, the formats with and without witness are ambiguous.
 */
export const transaction: fc.Arbitrary<Transaction> = fc.record({
  version: u32,
  inputs: fc.array(txIn(true), { minLength: 1, maxLength: 4 }),
  outputs: fc.array(txOut(wildAmount), { maxLength: 4 }),
  locktime: u32,
});

const unsignedTransaction: fc.Arbitrary<Transaction> = fc.record({
  version: u32,
  inputs: fc.array(txIn(false), { maxLength: 3 }),
  outputs: fc.array(txOut(wildAmount), { maxLength: 3 }),
  locktime: u32,
});

const origin = fc.record({ fingerprint: bytes(4), path: fc.array(u32, { maxLength: 5 }) });
const optional: { requiredKeys: never[] } = { requiredKeys: [] };

/** Generates lists of records with distinct keys. */
const distinct = <T>(entry: fc.Arbitrary<T>, keyOf: (entry: T) => string, minLength = 1): fc.Arbitrary<readonly T[]> =>
  fc.uniqueArray(entry, { selector: keyOf, minLength, maxLength: 3 });

const unknown = distinct(
  // Types that no BIP defines, encoded in one byte or three.
  fc.record({
    key: fc
      .tuple(fc.constantFrom([0x60], [0xa0], [0xfd, 0x00, 0xff]), bytes(0, 6))
      .map(([type, data]) => concat(type, data)),
    value: bytes(0, 20),
  }) satisfies fc.Arbitrary<UnknownRecord>,
  ({ key }) => formatHex(key),
);
const proprietary = distinct(
  fc.record({
    identifier: bytes(0, 5),
    subtype: fc.nat({ max: 70_000 }),
    keyData: bytes(0, 5),
    value: bytes(0, 9),
  }) satisfies fc.Arbitrary<ProprietaryRecord>,
  ({ identifier, subtype, keyData }) => `${formatHex(identifier)} ${subtype} ${formatHex(keyData)}`,
);
const derivations = distinct(
  fc.tuple(pubkey, origin).map(([key, from]) => ({ pubkey: key, ...from })),
  (entry) => formatHex(entry.pubkey),
);
const partialSigs = distinct(fc.record({ pubkey, signature }), (entry) => formatHex(entry.pubkey));

/** The input records that Core 0.21 knows, and unknown ones. */
const legacyInput = {
  witnessUtxo: txOut(amount),
  partialSigs,
  sighashType: fc.oneof(fc.constantFrom(0, 1, 2, 3, 0x81, 0x82, 0x83, 0x101, 0x80000001), u32),
  redeemScript: script,
  witnessScript: script,
  bip32Derivations: derivations,
  finalScriptSig: randomOps,
  finalScriptWitness: witness,
  unknown,
};
const preimages = (size: number) =>
  distinct(fc.record({ hash: bytes(size), preimage: bytes(0, 40) }), ({ hash }) => formatHex(hash));
const tapOrigins = distinct(
  fc
    .tuple(xOnlyKey, fc.array(bytes(32), { maxLength: 2 }), origin)
    .map(([key, leafHashes, from]) => ({ pubkey: key, leafHashes, ...from })),
  (entry) => formatHex(entry.pubkey),
);
const participants = distinct(
  fc.record({ aggregatePubkey: compressedKey, participants: fc.array(compressedKey, { maxLength: 3 }) }),
  ({ aggregatePubkey }) => formatHex(aggregatePubkey),
);
const musig2Signer = fc
  .tuple(compressedKey, compressedKey, fc.option(bytes(32), { nil: undefined }))
  .map(([participantPubkey, aggregatePubkey, leafHash]) => ({
    participantPubkey,
    aggregatePubkey,
    ...(leafHash && { leafHash }),
  }));
const bySigner = ({
  participantPubkey,
  aggregatePubkey,
  leafHash,
}: {
  participantPubkey: Uint8Array;
  aggregatePubkey: Uint8Array;
  leafHash?: Uint8Array;
}) => [participantPubkey, aggregatePubkey, leafHash ?? new Uint8Array(0)].map(formatHex).join();

const modernInput = {
  ...legacyInput,
  ripemd160Preimages: preimages(20),
  sha256Preimages: preimages(32),
  hash160Preimages: preimages(20),
  hash256Preimages: preimages(32),
  tapKeySig: bytes(64, 65),
  tapScriptSigs: distinct(fc.record({ pubkey: xOnlyKey, leafHash: bytes(32), signature: bytes(64, 65) }), (entry) =>
    formatHex(concat(entry.pubkey, entry.leafHash)),
  ),
  tapLeafScripts: distinct(
    fc.record({
      controlBlock: fc.nat({ max: 3 }).chain((depth) => bytes(33 + 32 * depth)),
      script,
      leafVersion: fc.constantFrom(0xc0, 0xc2),
    }),
    ({ controlBlock }) => formatHex(controlBlock),
  ),
  tapBip32Derivations: tapOrigins,
  tapInternalKey: fc.oneof(xOnlyKey, fc.constant(new Uint8Array(32))),
  tapMerkleRoot: bytes(32),
  musig2Participants: participants,
  musig2PubNonces: distinct(
    fc.tuple(musig2Signer, bytes(66)).map(([signer, pubNonce]) => ({ ...signer, pubNonce })),
    bySigner,
  ),
  musig2PartialSigs: distinct(
    fc.tuple(musig2Signer, bytes(32)).map(([signer, partialSig]) => ({ ...signer, partialSig })),
    bySigner,
  ),
  porCommitment: bytes(0, 20),
  proprietary,
};
const v2Input = {
  ...modernInput,
  sequence: u32,
  requiredTimeLocktime: fc.integer({ min: 500_000_000, max: 0xffffffff }),
  requiredHeightLocktime: fc.integer({ min: 1, max: 499_999_999 }),
  spEcdhShares: distinct(fc.record({ scanKey: compressedKey, share: compressedKey }), ({ scanKey }) =>
    formatHex(scanKey),
  ),
  spDleqProofs: distinct(fc.record({ scanKey: compressedKey, proof: bytes(64) }), ({ scanKey }) => formatHex(scanKey)),
  spTweak: bytes(32),
};

const legacyOutput = { redeemScript: script, witnessScript: script, bip32Derivations: derivations, unknown };
const modernOutput = {
  ...legacyOutput,
  tapInternalKey: xOnlyKey,
  tapTree: fc
    .array(script, { minLength: 1, maxLength: 4 })
    .map((leaves) =>
      leaves.map((leaf, i) => ({ depth: Math.min(i + 1, leaves.length - 1), leafVersion: 0xc0, script: leaf })),
    ),
  tapBip32Derivations: tapOrigins,
  musig2Participants: participants,
  dnssecProof: fc.record({ name: bytes(0, 20), proof: bytes(0, 30) }),
  proprietary,
};
const v2Output = {
  ...modernOutput,
  spV0Info: fc.record({ scanKey: compressedKey, spendKey: compressedKey }),
  spV0Label: u32,
};

const xpubs = distinct(
  fc
    .tuple(bytes(4), fc.integer({ min: 1, max: 9 }), bytes(40), compressedKey, origin)
    .map(([version, depth, rest, key, from]) => ({
      xpub: concat(version, [depth], rest, key),
      ...from,
    })),
  ({ xpub }) => formatHex(xpub),
);

/** Gives some inputs a previous transaction as nonWitnessUtxo, and an outpoint that refers to it. */
function withPreviousTxs(
  tx: Transaction,
  inputs: readonly PsbtInput[],
  previous: readonly (Transaction | undefined)[],
) {
  const linked = tx.inputs.map((input, i): TxIn => {
    const spent = previous[i];
    if (!spent || spent.outputs.length === 0) return input;
    return { ...input, outpoint: { txid: txid(spent), vout: input.outpoint.vout % spent.outputs.length } };
  });
  return {
    tx: { ...tx, inputs: linked },
    inputs: inputs.map((input, i): PsbtInput => {
      const spent = previous[i];
      return spent && spent.outputs.length > 0 ? { nonWitnessUtxo: spent, ...input } : input;
    }),
  };
}

const exactly = <T>(item: fc.Arbitrary<T>, length: number): fc.Arbitrary<T[]> =>
  fc.array(item, { minLength: length, maxLength: length });

function psbtAround(
  input: fc.Arbitrary<PsbtInput>,
  output: fc.Arbitrary<PsbtOutput>,
  global: fc.Arbitrary<PsbtGlobal>,
): fc.Arbitrary<Psbt> {
  return unsignedTransaction.chain((unsigned) =>
    fc
      .tuple(
        exactly(input, unsigned.inputs.length),
        exactly(fc.option(transaction, { nil: undefined }), unsigned.inputs.length),
        exactly(output, unsigned.outputs.length),
        global,
      )
      .map(([maps, previous, outputs, rest]) => {
        const { tx, inputs } = withPreviousTxs(unsigned, maps, previous);
        return { global: { unsignedTx: tx, ...rest }, inputs, outputs };
      }),
  );
}

/** Generates PSBTs of version 0 with the records that Bitcoin Core 0.21 knows, and unknown ones. */
export const legacyPsbt: fc.Arbitrary<Psbt> = psbtAround(
  fc.record(legacyInput, optional),
  fc.record(legacyOutput, optional),
  fc.record({ unknown }, optional),
);

/** Generates PSBTs of version 0 with every record allowed there. */
export const psbtV0: fc.Arbitrary<Psbt> = psbtAround(
  fc.record(modernInput, optional),
  fc.record(modernOutput, optional),
  fc.record({ xpubs, signedMessage: bytes(0, 30), proprietary, unknown }, optional),
);

/** Generates PSBTs of version 2 with every record. */
export const psbtV2: fc.Arbitrary<Psbt> = fc
  .tuple(
    fc.record({ xpubs, fallbackLocktime: u32, txModifiable: fc.nat({ max: 255 }), proprietary, unknown }, optional),
    u32,
    fc.array(fc.tuple(fc.record(v2Input, optional), outpoint), { maxLength: 3 }),
    fc.array(fc.tuple(fc.record(v2Output, optional), wildAmount, script), { maxLength: 3 }),
  )
  .map(([global, txVersion, inputs, outputs]) => ({
    global: { ...global, txVersion, version: 2 },
    inputs: inputs.map(([input, spent]) => ({ ...input, previousTxid: spent.txid, outputIndex: spent.vout })),
    outputs: outputs.map(([output, value, paid]) => ({ ...withAddressOfLabel(output), amount: value, script: paid })),
  }));

/** BIP375 allows a label only beside the address that it belongs to. */
function withAddressOfLabel({ spV0Label, ...output }: PsbtOutput): PsbtOutput {
  return output.spV0Info && spV0Label !== undefined ? { ...output, spV0Label } : output;
}

/** Corrupts valid bytes: changes up to three, and cuts off or appends up to four. */
export const mangled = (good: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(
      good,
      fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 3 }),
      fc.integer({ min: -4, max: 4 }),
    )
    .map(([whole, changes, growth]) => {
      const changed = new Uint8Array(Math.max(0, whole.length + growth));
      changed.set(whole.slice(0, changed.length));
      for (const [at, value] of changes) if (changed.length > 0) changed[at % changed.length] = value;
      return changed;
    });
