import { describe, expect, test } from 'vitest';
import { nativeSecp256k1Ecc } from '../../src/core/crypto/nativeSecp256k1.ts';
import { rounds } from '../support/campaign.ts';
import { created, drive, HOLDER_NAMES, KIND_NAMES, keySignerOf, updatedPsbt, WATCHER } from '../support/kinds.ts';
import {
  analyzePsbt,
  asNodeWrites,
  BtcError,
  combinePsbts,
  createRpc,
  type DialectName,
  decodePsbtBytes,
  encodePsbt,
  extractTransaction,
  finalizePsbt,
  formatBase64,
  formatHex,
  hash160,
  joinPsbts,
  musig2Shares,
  networks,
  nobleEcc,
  type Psbt,
  type PsbtInput,
  type PsbtOutput,
  psbtSighash,
  RpcError,
  sha256,
  signPsbt,
  stringifyRpc,
  toPsbtV0,
  toPsbtV2,
  updatePsbt,
} from '../support/library.ts';
import { ALICE, make, PAYEE, review, withInput, withOutput } from '../support/psbts.ts';

/**
 * Whatever a PSBT holds, the roles answer or refuse with this library's errors, and reveal no secret. Nothing is timed:
 * quadratic work would end in the runner's time-out.
 */

const ecc = nativeSecp256k1Ecc;
const everyone = keySignerOf(HOLDER_NAMES, ecc);
const DIALECTS = ['core-32', 'documented', 'litecoin-0.21'] as const satisfies readonly DialectName[];
const PRIVATE = ALICE.xprv('m/1h');
const SECRETS = [PRIVATE.replace(/^\[.*\]/, ''), formatHex(ALICE.secretAt('m/1h/0'))];

/** Runs a role, which may refuse; any other exception is a defect. */
function attempt<T>(run: () => T, refusal: typeof BtcError | typeof RpcError = BtcError): T | undefined {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof refusal)) throw error;
    const said = `${error.message} ${JSON.stringify(error)} ${error.stack} ${String(error.cause)}`;
    for (const secret of SECRETS) expect(said).not.toContain(secret);
    return undefined;
  }
}

function playRoles(psbt: Psbt): void {
  attempt(() => review(psbt, { ecc }));
  attempt(() => analyzePsbt(psbt, { maxMoney: networks.regtest.maxMoney, ecc }));
  attempt(() => updatePsbt(psbt, { provider: WATCHER, ecc }));
  attempt(() => signPsbt(psbt, everyone, { ecc }));
  attempt(() => musig2Shares(psbt, { ecc }));
  attempt(() => joinPsbts([psbt, psbt]));
  attempt(() => toPsbtV2(toPsbtV0(psbt)));
  for (const [inputIndex] of psbt.inputs.entries()) attempt(() => psbtSighash(psbt, inputIndex));
  const signed = attempt(() => drive(psbt, everyone, { ecc }).psbt) ?? psbt;
  attempt(() => combinePsbts([psbt, signed, asNodeWrites(signed)]));
  const final = attempt(() => finalizePsbt(signed, { ecc }));
  if (!final) return;
  const tx = attempt(() => extractTransaction(final.psbt, { ecc }));
  expect(tx !== undefined).toBe(final.isComplete);
}

function playMethods(wire: Uint8Array): void {
  const text = formatBase64(wire);
  for (const dialect of DIALECTS) {
    const rpc = createRpc({ dialect, network: 'regtest', ecc });
    const call = (method: string, ...params: readonly unknown[]): unknown =>
      attempt(() => {
        const answer = rpc.call(method, params);
        return typeof answer === 'string' ? answer : stringifyRpc(answer);
      }, RpcError);
    for (const method of ['decodepsbt', 'analyzepsbt', 'finalizepsbt', 'utxoupdatepsbt']) call(method, text);
    call('combinepsbt', [text, text]);
    call('joinpsbts', [text, OTHER]);
    call('descriptorprocesspsbt', text, [`wpkh(${PRIVATE}/0)`]);
  }
}

function play(wire: Uint8Array): void {
  const psbt = attempt(() => decodePsbtBytes(wire));
  if (psbt) playRoles(psbt);
  playMethods(wire);
}

const OTHER = formatBase64(encodePsbt(updatedPsbt({ kinds: ['pkh'], version: 0 })));

/** Returns pseudorandom numbers that are the same in every run, so that failures can be reproduced. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const SEEDS = KIND_NAMES.flatMap((name, i) => {
  const psbt = updatedPsbt({ kinds: [name, 'tr with leaves'], version: i % 2 === 0 ? 0 : 2 });
  const signed = drive(psbt, everyone, { ecc }).psbt;
  return [created({ kinds: [name] }), psbt, signed, finalizePsbt(signed, { ecc }).psbt].map(encodePsbt);
});
const HUGE = ['fd0000', 'fdffff', 'feffffffff', 'fe00000002', 'ff0000000001000000', 'ffffffffffffffffff'];

/** Mutates bytes at random: among so many mutations, some hit a key, a size or a type. */
function mutate(seed: Uint8Array, random: (below: number) => number): Uint8Array {
  const at = 5 + random(seed.length - 5);
  const [before, after] = [seed.slice(0, at), seed.slice(at)];
  const splice = (...middle: readonly number[]): Uint8Array => Uint8Array.of(...before, ...middle, ...after);
  switch (random(6)) {
    case 0:
      return seed.map((byte, i) => (i === at ? byte ^ (1 << random(8)) : byte));
    case 1:
      return before;
    case 2:
      return splice(...Buffer.from(HUGE[random(HUGE.length)] ?? '', 'hex'));
    case 3:
      return splice(...before.slice(-1 - random(60)));
    case 4:
      return Uint8Array.of(...before, ...after.slice(1 + random(40)));
    default:
      return seed.map((byte, i) => (i >= at && i < at + 8 ? random(256) : byte));
  }
}

test('changed bytes', () => {
  const random = createRandom(0xbad);
  for (let run = 0; run < rounds(400); run += 1) {
    const seed = SEEDS[random(SEEDS.length)];
    if (seed) play(mutate(seed, random));
  }
});

const KEY = nobleEcc.publicKey(new Uint8Array(32).fill(1));
const X = KEY.slice(1);
const keyOf = (number: number): Uint8Array => {
  const secret = new Uint8Array(32).fill(1);
  new DataView(secret.buffer).setUint32(0, number);
  return ecc.publicKey(secret);
};
const numbered = (number: number): Uint8Array => {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
};
const list = <T>(length: number, of: (i: number) => T): readonly T[] => Array.from({ length }, (_, i) => of(i));
const ORIGIN = { fingerprint: new Uint8Array(4), path: [] };
const repeated = (length: number, ...bytes: readonly number[]): Uint8Array =>
  new Uint8Array(length * bytes.length).map((_, i) => bytes[i % bytes.length] ?? 0);
const concat = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array =>
  Uint8Array.from(Buffer.concat(parts.map((part) => Uint8Array.from(part))));

const leaf = (script: Uint8Array, i = 0) => ({
  script,
  leafVersion: 0xc0,
  controlBlock: concat([0xc0], X, numbered(i)),
});
const witnessOf = (witnessScript: Uint8Array): PsbtInput => ({
  witnessUtxo: { value: 5n, scriptPubKey: concat([0, 32], sha256(witnessScript)) },
  witnessScript,
});

/** False records of a taproot input. */
const TAPROOT: Readonly<Record<string, PsbtInput>> = {
  'an internal key off the curve': { tapInternalKey: numbered(0xffff_ffff) },
  'an empty control block': { tapLeafScripts: [{ ...leaf(PAYEE), controlBlock: concat([0xc0], X) }] },
  'a control block of 128 branches': { tapLeafScripts: [{ ...leaf(PAYEE), controlBlock: repeated(33 + 128 * 32, 7) }] },
  'a control block of 10000 branches': {
    tapLeafScripts: [{ ...leaf(PAYEE), controlBlock: repeated(33 + 10_000 * 32, 7) }],
  },
  'a control block of another leaf version': { tapLeafScripts: [{ ...leaf(PAYEE), leafVersion: 0xfe }] },
  'an empty leaf': { tapLeafScripts: [leaf(new Uint8Array(0))] },
  'leaves of many key hashes, and many keys': {
    tapLeafScripts: list(rounds(4000), (i) =>
      leaf(concat([0x76, 0xa9, 20], numbered(i).slice(0, 20), [0x88, 0xac]), i),
    ),
    tapBip32Derivations: list(rounds(4000), (i) => ({ ...ORIGIN, pubkey: keyOf(i).slice(1), leafHashes: [] })),
  },
  'many leaves and signatures of all types': {
    tapLeafScripts: list(300, (i) => leaf(concat([2, i & 255, i >> 8, 0x75, 32], X, [0xac]), i)),
    tapScriptSigs: list(256, (i) => ({
      pubkey: X,
      leafHash: numbered(i),
      signature: concat(repeated(64, 1), [i]),
    })),
  },
  'a deep leaf and signatures of all types': {
    tapLeafScripts: [leaf(concat([32], X, [0xac], repeated(rounds(250_000), 0x92)))],
    tapScriptSigs: list(256, (i) => ({ pubkey: X, leafHash: numbered(i), signature: concat(repeated(64, 1), [i]) })),
  },
  'many aggregates, many keys': {
    tapLeafScripts: list(300, (i) => leaf(concat([32], keyOf(i).slice(1), [0xac]), i)),
    musig2Participants: list(300, (i) => ({ aggregatePubkey: keyOf(i), participants: [KEY, keyOf(i)] })),
    musig2PartialSigs: [{ participantPubkey: KEY, aggregatePubkey: KEY, partialSig: numbered(1) }],
  },
  'an aggregate of many participants': {
    musig2Participants: [{ aggregatePubkey: KEY, participants: list(rounds(30_000), () => KEY) }],
    musig2PubNonces: [{ participantPubkey: KEY, aggregatePubkey: KEY, pubNonce: repeated(66, 2) }],
    musig2PartialSigs: [{ participantPubkey: KEY, aggregatePubkey: KEY, partialSig: numbered(1) }],
  },
  'one aggregate of many participants in many places, which is another key': {
    tapLeafScripts: [leaf(concat([32], X, [0xac], ...list(900, () => concat([32], X, [0xba])), [0x51, 0x9c]))],
    musig2Participants: [{ aggregatePubkey: KEY, participants: list(100, keyOf) }],
    musig2PartialSigs: [{ participantPubkey: KEY, aggregatePubkey: KEY, partialSig: numbered(1) }],
  },
  'an aggregate key without participants': { musig2Participants: [{ aggregatePubkey: KEY, participants: [] }] },
  'an aggregate that cancels out': {
    musig2Participants: [{ aggregatePubkey: KEY, participants: [concat([2], X), concat([3], X)] }],
    musig2PartialSigs: [{ participantPubkey: KEY, aggregatePubkey: KEY, partialSig: numbered(1) }],
  },
  'a path of 100000 steps': {
    tapInternalKey: keyOf(1).slice(1),
    tapBip32Derivations: [
      {
        pubkey: keyOf(1).slice(1),
        fingerprint: hash160(KEY).slice(0, 4),
        path: list(100_000, (i) => i),
        leafHashes: [],
      },
    ],
    musig2Participants: [{ aggregatePubkey: KEY, participants: [KEY] }],
    musig2PartialSigs: [{ participantPubkey: KEY, aggregatePubkey: KEY, partialSig: numbered(1) }],
  },
};

const N = rounds(20_000);
/** Scripts of extreme depth or length. */
const SCRIPTS: Readonly<Record<string, Uint8Array>> = {
  'nested OP_IF': concat(repeated(N, 0x63, 0x00, 0x67), [0x21], KEY, [0xac], repeated(N, 0x68)),
  'nested OP_NOTIF': concat(repeated(N / 10, 0x21, ...KEY, 0xac, 0x64), [0x51], repeated(N / 10, 0x68)),
  wrappers: concat([0x21], KEY, [0xac], repeated(N, 0x92)),
  altstack: concat(repeated(N, 0x6b), [0x21], KEY, [0xac], repeated(N, 0x6c)),
  OP_CODESEPARATOR: concat(repeated(N, 0xab), [0x21], KEY, [0xac]),
  'signature checks': repeated(N / 10, 0x21, ...KEY, 0xad),
  'half a push': Uint8Array.of(0x4e, 0xff, 0xff, 0xff, 0xff),
  'too many keys': concat([0x51], repeated(1000, 0x21, ...KEY), [0x02, 0xe8, 0x03, 0xae]),
};

const blank = created({ kinds: ['tr'], version: 0 });
const coin = { witnessUtxo: { value: 5n, scriptPubKey: concat([0x51, 32], X) } };
const saying = (input: PsbtInput, output: PsbtOutput = {}): Psbt =>
  withOutput(
    withInput(blank, 0, () => ({ ...coin, ...input })),
    0,
    () => output,
  );

describe('a taproot input with', () => {
  test.each(Object.entries(TAPROOT))('%s', (_, input) => {
    playRoles(saying(input));
    playMethods(encodePsbt(saying(input)));
  });
});

describe('a script of', () => {
  test.each(Object.entries(SCRIPTS))('%s', (_, script) => {
    for (const psbt of [
      saying(witnessOf(script), { witnessScript: script }),
      saying(
        { tapLeafScripts: [leaf(script)] },
        { tapInternalKey: X, tapTree: [{ depth: 0, leafVersion: 0xc0, script }] },
      ),
      saying({
        witnessUtxo: { value: 5n, scriptPubKey: script },
        finalScriptSig: script,
        finalScriptWitness: [script],
      }),
    ]) {
      playRoles(psbt);
      playMethods(encodePsbt(psbt));
    }
  });
});

describe('an output with a tree', () => {
  const comb = list(129, (i) => ({ depth: Math.min(i + 1, 128), leafVersion: 0xc0, script: PAYEE }));
  const wide = list(4096, (i) => ({ depth: 12, leafVersion: 0xc0, script: numbered(i) }));
  const broom = list(111 + 2 ** 17, (i) => ({
    depth: i < 111 ? i + 1 : 128,
    leafVersion: 0xc0,
    script: new Uint8Array(),
  }));
  test.each([
    ['as deep as can be', comb],
    ['as deep as can be, and wide', broom],
    ['of many leaves', wide],
    ['of another leaf version', [{ depth: 0, leafVersion: 0x50, script: PAYEE }]],
  ])('%s', (_, tapTree) => {
    for (const tapInternalKey of [X, numbered(0xffff_ffff)]) {
      const psbt = saying({}, { tapInternalKey, tapTree });
      playRoles(psbt);
      playMethods(encodePsbt(psbt));
    }
  });

  test('of impossible depths is refused, and never walked', () => {
    for (const depths of [[0, 0], [1], [1, 1, 1], [2, 2, 2], [128, 128], [129, 129], [255], list(100, () => 7)]) {
      const tapTree = depths.map((depth) => ({ depth, leafVersion: 0xc0, script: PAYEE }));
      const wire = encodePsbt(saying({}, { tapInternalKey: X, tapTree }));
      expect(() => decodePsbtBytes(wire)).toThrow(BtcError);
      playMethods(wire);
    }
  });
});

test('odd hash types and absurd amounts', () => {
  const amounts = [0n, -1n, 2_100_000_000_000_001n, 2n ** 63n - 1n, -(2n ** 63n)];
  for (const name of ['wpkh', 'tr', 'sh(multi)'] as const) {
    const psbt = updatedPsbt({ kinds: [name] });
    for (const sighashType of [0, 4, 0x40, 0x80, 0x84, 0xff, 0x100, 0x101, 0xffff_ffff]) {
      play(encodePsbt(withInput(psbt, 0, (input) => ({ ...input, sighashType }))));
      attempt(() => drive(psbt, everyone, { ecc, sighashType }));
    }
    for (const amount of amounts) {
      play(encodePsbt(withOutput(psbt, 0, (output) => ({ ...output, amount }))));
      const claimed = withInput(psbt, 0, ({ nonWitnessUtxo, ...input }) => {
        const scriptPubKey = nonWitnessUtxo?.outputs[1]?.scriptPubKey ?? PAYEE;
        return { ...input, witnessUtxo: { value: amount, scriptPubKey } };
      });
      play(encodePsbt(claimed));
    }
  }
});

test('many meaningless bytes', () => {
  const blob = repeated(rounds(1_000_000), 0x51);
  for (const psbt of [
    saying({ unknown: [{ key: Uint8Array.of(0xf0), value: blob }] }),
    saying({ sha256Preimages: [{ hash: numbered(1), preimage: blob }] }),
    saying({ finalScriptSig: blob }),
    saying({ tapLeafScripts: [leaf(blob)] }),
  ]) {
    playRoles(psbt);
    attempt(() => decodePsbtBytes(encodePsbt(psbt)));
  }
});

test('more PSBTs than fit on a stack', () => {
  const empty = make({ inputs: [], outputs: [], version: 0 });
  const many = list(200_000, () => empty);
  attempt(() => joinPsbts(many));
  attempt(() => combinePsbts(many));
});
