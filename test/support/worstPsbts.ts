import {
  aggregateKeys,
  buildTapTree,
  concatBytes,
  encodeControlBlock,
  encodeDer,
  encodePsbt,
  hash160,
  keyFingerprint,
  masterKey,
  nobleEcc,
  type Psbt,
  type PsbtInput,
  type PsbtOutput,
  parseHex,
  sha256,
  type Transaction,
  tapLeafHash,
  tapTweakHash,
  txid,
} from './library.ts';

/**
 * The size in bytes of the PSBTs here, which are made to be slow: each is filled with as many expensive records as fit. No
 * signature in them is valid. Their scripts and leaves match the coins, which an attacker is free to make up.
 */
export const WORST_SIZE = 115_000;

const NOTHING = new Uint8Array(0);
const number = (value: number): Uint8Array => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);

/** Makes the x coordinate of a point, different for each name and number. */
function pointOf(name: string, i: number): Uint8Array {
  for (let salt = 0; ; salt += 1) {
    const x = sha256(
      concatBytes(
        Uint8Array.from(name, (letter) => letter.charCodeAt(0)),
        number(i),
        number(salt),
      ),
    );
    if (nobleEcc.isXOnlyPoint(x)) return x;
  }
}
const keyOf = (name: string, i: number): Uint8Array => concatBytes(Uint8Array.of(2), pointOf(name, i));

/** Makes 32 bytes that are the x coordinate of no point. */
function noPointOf(i: number): Uint8Array {
  for (let salt = 0; ; salt += 1) {
    const x = sha256(concatBytes(number(i), number(salt)));
    if (!nobleEcc.isXOnlyPoint(x)) return x;
  }
}

/** Makes 64 bytes that are well-formed as an ECDSA or Schnorr signature, but invalid. */
function junk(i: number): Uint8Array {
  const [r, s] = [sha256(number(i)), sha256(number(~i))];
  r[0] = (r[0] ?? 0) & 0x7f;
  s[0] = (s[0] ?? 0) & 0x3f;
  return concatBytes(r, s);
}
const junkDer = (i: number): Uint8Array => concatBytes(encodeDer(junk(i)), Uint8Array.of(1));

const push = (bytes: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(bytes.length), bytes);
const times = <T>(count: number, make: (i: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const TAPROOT = Uint8Array.of(0x51, 32);
const WSH = Uint8Array.of(0, 32);
const WPKH = Uint8Array.of(0, 20);
const SH = Uint8Array.of(0xa9, 20);
const PKH = Uint8Array.of(0x76, 0xa9, 20);
const PAYMENT = { value: 1000n, scriptPubKey: concatBytes(WPKH, new Uint8Array(20)) };

/** Makes a PSBT that spends coins of the scripts `of`, each with its records. */
function spending(
  inputs: readonly (PsbtInput & { readonly of?: Uint8Array })[],
  outputs: readonly PsbtOutput[] = [{}],
  global: Partial<Psbt['global']> = {},
): Psbt {
  const unsignedTx: Transaction = {
    version: 2,
    inputs: inputs.map(({ nonWitnessUtxo }, i) => ({
      outpoint: { txid: txid(nonWitnessUtxo ?? transactionOf(i)), vout: 0 },
      scriptSig: NOTHING,
      sequence: 0xffff_fffd,
      witness: [],
    })),
    outputs: outputs.map(() => PAYMENT),
    locktime: 0,
  };
  const maps = inputs.map(({ of, ...input }) => ({
    ...input,
    ...(of && { witnessUtxo: { value: 10_000n, scriptPubKey: of } }),
  }));
  return { global: { unsignedTx, ...global }, inputs: maps, outputs };
}

const transactionOf = (locktime: number): Transaction => ({ version: 2, inputs: [], outputs: [], locktime });

/** Makes the largest PSBT of at most `WORST_SIZE` bytes from a function of a count. */
function filled(make: (count: number) => Psbt): Psbt {
  const size = (count: number): number => encodePsbt(make(count)).length;
  const few = 16;
  const perRecord = (size(2 * few) - size(few)) / few;
  let count = Math.floor((WORST_SIZE - size(few)) / perRecord) + few;
  while (size(count) > WORST_SIZE) count -= Math.ceil((size(count) - WORST_SIZE) / perRecord);
  return make(count);
}

interface Leaf {
  readonly controlBlock: Uint8Array;
  readonly script: Uint8Array;
  readonly leafVersion: number;
}

/** Makes a taproot coin with scripts in a balanced tree, with all control blocks. */
function taprootOf(internalKey: Uint8Array, scripts: readonly Uint8Array[]) {
  const depth = Math.ceil(Math.log2(scripts.length));
  const deepest = depth === 0 ? 1 : 2 * (scripts.length - 2 ** (depth - 1));
  const leaves = scripts.map((script, i) => ({ depth: i < deepest ? depth : depth - 1, leafVersion: 0xc0, script }));
  const { merkleRoot = NOTHING, paths } = buildTapTree(leaves);
  const tweaked = nobleEcc.tweakPublicKey(internalKey, tapTweakHash(internalKey, merkleRoot));
  if (!tweaked) throw new Error('invalid internal key');
  const block = { leafVersion: 0xc0, parity: tweaked.parity, internalKey };
  const tapLeafScripts = scripts.map(
    (script, i): Leaf => ({
      script,
      leafVersion: 0xc0,
      controlBlock: encodeControlBlock({ ...block, path: paths[i] ?? [] }),
    }),
  );
  return {
    of: concatBytes(TAPROOT, tweaked.publicKey),
    tapInternalKey: internalKey,
    tapMerkleRoot: merkleRoot,
    tapLeafScripts,
  };
}

const payTo = (x: Uint8Array): Uint8Array => concatBytes(push(x), Uint8Array.of(0xac));
const musig = (name: string, count: number) => {
  const participants = times(count, (i) => keyOf(name, i));
  return { participants, aggregatePubkey: aggregateKeys(participants).publicKey };
};
const path = (i: number, steps: number): readonly number[] => times(steps, (step) => i * 300 + step);

/** Makes a PSBT with leaves whose keys claim to be derived from an aggregate key, with MuSig2 nonces and signatures. */
function derivedLeaves(
  count: number,
  { steps, isCommitted, signs }: { steps: number; isCommitted: boolean; signs: boolean },
): Psbt {
  const record = musig('signer', 1);
  const [participantPubkey = NOTHING] = record.participants;
  const keys = times(count, (i) => pointOf('leaf', i));
  const { of, ...taproot } = taprootOf(pointOf('internal', 0), keys.map(payTo));
  const leafHashes = keys.map((key) => tapLeafHash(payTo(key)));
  const signers = keys.map((key, i) => ({
    participantPubkey,
    aggregatePubkey: concatBytes(Uint8Array.of(2), key),
    leafHash: leafHashes[i] ?? NOTHING,
  }));
  const fingerprint = keyFingerprint({ publicKey: record.aggregatePubkey });
  return spending([
    {
      of: isCommitted ? of : concatBytes(TAPROOT, pointOf('other', 0)),
      ...taproot,
      tapBip32Derivations: keys.map((pubkey, i) => ({ pubkey, leafHashes: [], fingerprint, path: path(i, steps) })),
      musig2Participants: [record],
      ...(signs && {
        musig2PubNonces: signers.map((signer, i) => ({
          ...signer,
          pubNonce: concatBytes(keyOf('nonce', i), keyOf('nonce', ~i)),
        })),
        musig2PartialSigs: signers.map((signer, i) => ({ ...signer, partialSig: junk(i).slice(0, 32) })),
      }),
    },
  ]);
}

/** Encodes a `multi_a` leaf. */
function multiA(keys: readonly Uint8Array[], required: number): Uint8Array {
  const parts = keys.map((key, i) => concatBytes(push(key), Uint8Array.of(i === 0 ? 0xac : 0xba)));
  return concatBytes(...parts, Uint8Array.of(0x50 + required, 0x9c));
}

/** Makes a PSBT with one leaf of many keys, each of which claims to be derived from one of many aggregate keys. */
function keysOfOneLeaf(count: number): Psbt {
  const keys = times(Math.min(count, 999), (i) => pointOf('leaf', i));
  const record = musig('signer', 1);
  const fingerprint = keyFingerprint({ publicKey: record.aggregatePubkey });
  const others = times(Math.ceil(count / 2), (i) => ({
    participants: [keyOf('signer', i)],
    aggregatePubkey: keyOf('aggregate', i),
  }));
  return spending([
    {
      ...taprootOf(pointOf('internal', 0), [multiA(keys, 2)]),
      tapBip32Derivations: keys.map((pubkey, i) => ({ pubkey, leafHashes: [], fingerprint, path: path(i, 2) })),
      musig2Participants: [record, ...others],
    },
  ]);
}

/** Makes a PSBT of multisig inputs in P2WSH or P2SH, of which `signs` keys each have a signature. */
function quorums(
  count: number,
  { keys: keyCount, signs, isLegacy = false }: { keys: number; signs: number; isLegacy?: boolean },
): Psbt {
  return spending(
    times(count, (input) => {
      const keys = times(keyCount, (i) => keyOf('quorum', input * keyCount + i));
      const size = keyCount > 16 ? Uint8Array.of(1, keyCount) : Uint8Array.of(0x50 + keyCount);
      const required = signs > 16 ? Uint8Array.of(1, signs) : Uint8Array.of(0x50 + signs);
      const script = concatBytes(required, ...keys.map(push), size, Uint8Array.of(0xae));
      return {
        ...(isLegacy
          ? { of: concatBytes(SH, hash160(script), Uint8Array.of(0x87)), redeemScript: script }
          : { of: concatBytes(WSH, sha256(script)), witnessScript: script }),
        partialSigs: keys.slice(0, signs).map((pubkey, i) => ({ pubkey, signature: junkDer(input * keyCount + i) })),
      };
    }),
  );
}

/** The key below which keys of some PSBTs claim to be; none is. */
export const MASTER = masterKey(new Uint8Array(32).fill(7));

const ORIGIN = { fingerprint: Uint8Array.of(1, 2, 3, 4) };

/** Generators of PSBTs by the kind of record that fills them. */
export const WORST: Readonly<Record<string, () => Psbt>> = {
  'long paths to leaves of other coins': () =>
    filled((count) => derivedLeaves(count, { steps: 200, isCommitted: false, signs: true })),
  'long paths to leaves': () => filled((count) => derivedLeaves(count, { steps: 200, isCommitted: true, signs: true })),
  'short paths to leaves': () => filled((count) => derivedLeaves(count, { steps: 2, isCommitted: true, signs: false })),
  'short paths to leaves that are signed': () =>
    filled((count) => derivedLeaves(count, { steps: 2, isCommitted: true, signs: true })),
  'keys and aggregates': () => filled(keysOfOneLeaf),
  'participants of one key': () => {
    const record = musig('signer', 999);
    const internalKey = record.aggregatePubkey.slice(1);
    const aggregatePubkey = concatBytes(Uint8Array.of(2), taprootOf(internalKey, [payTo(internalKey)]).of.slice(2));
    return spending([
      {
        ...taprootOf(internalKey, [payTo(internalKey)]),
        musig2Participants: [record],
        musig2PubNonces: record.participants.slice(0, 350).map((participantPubkey, i) => ({
          participantPubkey,
          aggregatePubkey,
          pubNonce: concatBytes(keyOf('nonce', i), keyOf('nonce', ~i)),
        })),
      },
    ]);
  },
  'participants of many keys': () =>
    filled((count) =>
      spending(
        times(count, (i) => {
          const record = musig(`signer ${i}`, 30);
          return {
            ...taprootOf(record.aggregatePubkey.slice(1), [payTo(pointOf('leaf', i))]),
            musig2Participants: [record],
          };
        }),
      ),
    ),
  'inputs of one signature': () =>
    filled((count) =>
      spending(
        times(count, (i) => {
          const pubkey = keyOf('owner', i);
          return { of: concatBytes(WPKH, hash160(pubkey)), partialSigs: [{ pubkey, signature: junkDer(i) }] };
        }),
      ),
    ),
  'inputs of one taproot signature': () =>
    filled((count) =>
      spending(times(count, (i) => ({ of: concatBytes(TAPROOT, pointOf('owner', i)), tapKeySig: junk(i) }))),
    ),
  'quorums of which all signed': () => filled((count) => quorums(count, { keys: 20, signs: 20 })),
  'P2SH quorums of which all signed': () => filled((count) => quorums(count, { keys: 15, signs: 15, isLegacy: true })),
  'legacy inputs beside many outputs': () =>
    filled((count) =>
      spending(
        times(count, (i) => {
          const pubkey = keyOf('owner', i);
          return {
            of: concatBytes(PKH, hash160(pubkey), Uint8Array.of(0x88, 0xac)),
            partialSigs: [{ pubkey, signature: junkDer(i) }],
          };
        }),
        times(2 * count, () => ({})),
      ),
    ),
  'keys of leaves that are no points': () =>
    filled((count) => {
      const keys = times(count, noPointOf);
      return spending([
        {
          ...taprootOf(pointOf('internal', 0), keys.map(payTo)),
          tapBip32Derivations: keys.map((pubkey, i) => ({ ...ORIGIN, pubkey, leafHashes: [], path: [0, i] })),
          tapScriptSigs: keys.map((pubkey, i) => ({
            pubkey,
            leafHash: tapLeafHash(payTo(pubkey)),
            signature: junk(i),
          })),
        },
      ]);
    }),
  'keys with long paths': () =>
    filled((count) =>
      spending([
        {
          of: concatBytes(WPKH, hash160(keyOf('owner', 0))),
          bip32Derivations: times(count, (i) => ({ ...ORIGIN, pubkey: keyOf('owner', i), path: path(i, 200) })),
        },
      ]),
    ),
  'keys that claim one master key': () =>
    filled((count) =>
      spending([
        {
          of: concatBytes(WPKH, hash160(keyOf('owner', 0))),
          bip32Derivations: times(count, (i) => ({
            fingerprint: keyFingerprint(MASTER),
            pubkey: keyOf('owner', i),
            path: [84, i, i % 7, i, i],
          })),
        },
      ]),
    ),
  'outputs with trees': () =>
    filled((count) =>
      spending(
        [{ of: concatBytes(WPKH, hash160(keyOf('owner', 0))) }],
        times(count, (output) => ({
          tapInternalKey: pointOf('internal', output),
          tapTree: times(8, (i) => ({ depth: 3, leafVersion: 0xc0, script: payTo(pointOf('leaf', output * 8 + i)) })),
        })),
      ),
    ),
  'final tapscripts of many checks': () =>
    filled((count) =>
      spending(
        times(count, (i) => {
          const key = pointOf('leaf', i);
          // Repeats <key> OP_CHECKSIG OP_DROP: each check takes another signature.
          const script = concatBytes(
            ...times(12, () => concatBytes(push(key), Uint8Array.of(0xac, 0x75))),
            Uint8Array.of(0x51),
          );
          const { of, tapLeafScripts } = taprootOf(pointOf('internal', i), [script]);
          const controlBlock = tapLeafScripts[0]?.controlBlock ?? NOTHING;
          const signatures = times(12, (at) => junk(i * 12 + at));
          return { of, finalScriptWitness: [...signatures, script, controlBlock] };
        }),
      ),
    ),
  'signatures of one tapscript of many checks': () =>
    filled((count) => {
      const keys = times(count, (i) => pointOf('leaf', i));
      const checks = keys.map((key) => concatBytes(push(key), Uint8Array.of(0xad)));
      const script = concatBytes(...checks, Uint8Array.of(0x51));
      const leafHash = tapLeafHash(script);
      return spending([
        {
          ...taprootOf(pointOf('internal', 0), [script]),
          tapScriptSigs: keys.map((pubkey, i) => ({ pubkey, leafHash, signature: junk(i) })),
        },
      ]);
    }),
  'the same records for each input': () =>
    filled((count) => {
      const keys = times(4, (i) => keyOf('quorum', i));
      const witnessScript = concatBytes(Uint8Array.of(0x52), ...keys.map(push), Uint8Array.of(0x54, 0xae));
      return spending(
        times(count, () => ({
          of: concatBytes(WSH, sha256(witnessScript)),
          witnessScript,
          bip32Derivations: keys.map((pubkey, i) => ({ ...ORIGIN, pubkey, path: path(i, 8) })),
          partialSigs: keys.map((pubkey, i) => ({ pubkey, signature: junkDer(i) })),
        })),
      );
    }),
  'quorums of which one signed': () => filled((count) => quorums(count, { keys: 20, signs: 1 })),
  'signatures by keys that have no place': () =>
    filled((count) =>
      spending([
        {
          of: concatBytes(WPKH, hash160(keyOf('owner', 0))),
          partialSigs: times(count, (i) => ({ pubkey: keyOf('stranger', i), signature: junkDer(i) })),
        },
      ]),
    ),
  'signatures for one leaf': () =>
    filled((count) => {
      const keys = times(Math.min(count, 999), (i) => pointOf('leaf', i));
      const script = multiA(keys, 16);
      return spending([
        {
          ...taprootOf(pointOf('internal', 0), [script]),
          tapScriptSigs: keys.map((pubkey, i) => ({ pubkey, leafHash: tapLeafHash(script), signature: junk(i) })),
        },
      ]);
    }),
  'signatures for leaves': () =>
    filled((count) => {
      const keys = times(count, (i) => pointOf('leaf', i));
      return spending([
        {
          ...taprootOf(pointOf('internal', 0), keys.map(payTo)),
          tapScriptSigs: keys.map((pubkey, i) => ({
            pubkey,
            leafHash: tapLeafHash(payTo(pubkey)),
            signature: junk(i),
          })),
        },
      ]);
    }),
  'leaves that lead nowhere': () =>
    filled((count) =>
      spending([
        {
          of: concatBytes(TAPROOT, pointOf('owner', 0)),
          tapLeafScripts: times(count, (i) => ({
            script: Uint8Array.of(0x51),
            leafVersion: 0xc0,
            controlBlock: concatBytes(Uint8Array.of(0xc0), pointOf('internal', i)),
          })),
        },
      ]),
    ),
  'keys with their origins': () =>
    filled((count) =>
      spending([
        {
          of: concatBytes(WPKH, hash160(keyOf('owner', 0))),
          bip32Derivations: times(count, (i) => ({ ...ORIGIN, pubkey: keyOf('owner', i), path: [i] })),
        },
      ]),
    ),
  'outputs with origins': () =>
    filled((count) =>
      spending(
        [{ of: concatBytes(WPKH, hash160(keyOf('owner', 0))) }],
        times(count, (output) => ({
          bip32Derivations: times(8, (i) => ({ ...ORIGIN, pubkey: keyOf('owner', i), path: [0, output * 8 + i] })),
        })),
      ),
    ),
  'extended keys': () =>
    filled((count) =>
      spending([{}], [{}], {
        xpubs: times(count, (i) => ({
          ...ORIGIN,
          path: [i],
          xpub: concatBytes(parseHex('0488b21e01'), number(i), number(i), sha256(number(i)), keyOf('owner', i)),
        })),
      }),
    ),
  'records that no one knows': () =>
    filled((count) =>
      spending([
        {
          unknown: times(count, (i) => ({
            key: concatBytes(Uint8Array.of(0x60), number(i * 2654435761)),
            value: NOTHING,
          })),
        },
      ]),
    ),
  'one large previous transaction': () =>
    filled((count) => {
      const outputs = times(900, () => PAYMENT);
      const nonWitnessUtxo = {
        ...transactionOf(0),
        inputs: [{ outpoint: { txid: txid(transactionOf(1)), vout: 0 }, scriptSig: NOTHING, sequence: 0, witness: [] }],
        outputs,
      };
      return spending(times(Math.max(1, Math.floor(count / 16)), () => ({ nonWitnessUtxo })));
    }),
  'final scripts of many checks': () =>
    filled((count) =>
      spending(
        times(count, (i) => {
          // Repeats OP_CODESEPARATOR OP_2DUP OP_CHECKSIG OP_DROP: each check of the same signature needs another digest.
          const script = concatBytes(...times(48, () => Uint8Array.of(0xab, 0x6e, 0xac, 0x75)), Uint8Array.of(0x51));
          return { of: concatBytes(WSH, sha256(script)), finalScriptWitness: [junkDer(i), keyOf('owner', i), script] };
        }),
      ),
    ),
};
