import { nativeSecp256k1Ecc } from '../../../src/core/crypto/nativeSecp256k1.ts';
import { tinySecp256k1Ecc } from '../../../src/core/crypto/tinySecp256k1.ts';
import { instructions, isMinimalPush } from '../../../src/core/script/instructions.ts';
import {
  classifyScript,
  createDeriver,
  createSignatureCache,
  decodeTransaction,
  encodeControlBlock,
  encodeTransaction,
  formatAddress,
  formatAsm,
  formatDescriptor,
  inferDescriptor,
  MANDATORY_FLAGS,
  networks,
  parseAddress,
  parseControlBlock,
  parseDescriptor,
  parseScriptFlags,
  parseTxid,
  SCRIPT_FLAGS,
  type SignatureChecker,
  STANDARD_FLAGS,
  type Transaction,
  type TxOut,
  verifyInput,
  verifyScript,
  verifyTransaction,
  withSignatureCache,
} from '../../support/library.ts';
import { isTaproot, kinds, type Spend, signSpend } from '../../support/spends.ts';
import { mutateBytes } from '../mutate.ts';
import { recordedHex } from '../seeds.ts';
import { joined, push, script } from '../shapes.ts';
import { createSource, type Source } from '../source.ts';
import {
  attempt,
  bytesTarget,
  formedTarget,
  holds,
  outcomeOf,
  same,
  sameBytes,
  type Target,
  textOf,
} from '../target.ts';

const SEEDS = recordedHex('decodescript', 300);
const network = networks.main;
const NOTHING = new Uint8Array(0);

function anyScript(source: Source): Uint8Array {
  const good = source.once(3) ? source.pick(SEEDS) : script(source);
  return source.once(3) ? good : mutateBytes(source, good, SEEDS);
}

/** Requires the instructions of a script to cover it, and its texts to be as documented. */
function runScript(bytes: Uint8Array): void {
  let end = 0;
  for (const instruction of instructions(bytes)) {
    if (!instruction) break;
    holds(instruction.dataStart > end && instruction.end >= instruction.dataStart, 'instructions follow each other');
    isMinimalPush(bytes, instruction);
    end = instruction.end;
  }
  holds(end === bytes.length || formatAsm(bytes).endsWith('[error]'), 'a script that is cut off shows it');
  formatAsm(bytes, { decodeSighash: true });
  classifyScript(bytes);
  const address = formatAddress(bytes, network);
  if (address !== undefined) sameBytes(parseAddress(address, network), bytes, 'an address is that of the script');
}

/** Requires the descriptor of a script to give the script. */
function runInfer(bytes: Uint8Array): void {
  // As in Core, raw() is written of an empty script, and not read.
  if (bytes.length === 0) return;
  const text = formatDescriptor(inferDescriptor(bytes), network);
  const outcome = outcomeOf(['descriptor/invalid'], () => parseDescriptor(text, network, { requireChecksum: true }));
  if (outcome.refusal) {
    // As in Core, keys that are no points and bare multisigs of any size are written, and not read.
    holds(
      /Pubkey .* is invalid|in bare multisig/.test(outcome.refusal.message),
      `an inferred descriptor is parsed: ${text}`,
    );
    return;
  }
  const descriptor = outcome.result;
  same(formatDescriptor(descriptor, network), text, 'an inferred descriptor is parsed');
  const [derived = NOTHING] = createDeriver(descriptor)(0).scriptPubKeys;
  sameBytes(derived, bytes, 'the inferred descriptor has the script');
}

function runControlBlock(bytes: Uint8Array): void {
  const block = parseControlBlock(bytes);
  holds(
    (block !== undefined) === ((bytes.length - 33) % 32 === 0 && bytes.length >= 33 && bytes.length <= 33 + 32 * 128),
    'a control block has its sizes',
  );
  if (block) sameBytes(encodeControlBlock(block), bytes, 'a control block encodes to its bytes');
}

const KINDS = Object.values(kinds);
const LEGACY_TYPES = [1, 2, 3, 0x81, 0x82, 0x83];

/** Makes a transaction that validly spends coins of some kinds. */
function signedSpend(source: Source): Spend {
  const inputs = Array.from({ length: 1 + source.next(3) }, () => source.pick(KINDS));
  const unsigned: Transaction = {
    version: 1 + source.next(2),
    inputs: inputs.map((_, i) => ({
      outpoint: { txid: parseTxid((i + 1).toString(16).padStart(64, '0')), vout: source.next(4) },
      scriptSig: NOTHING,
      sequence: source.pick([0, 1, 0xffff_fffd, 0xffff_ffff]),
      witness: [],
    })),
    outputs: inputs.map((_, i) => ({ value: BigInt(i), scriptPubKey: script(source) })),
    locktime: source.next(1000),
  };
  const plans = inputs.map((kind) => ({
    kind,
    value: BigInt(source.next(1_000_000)),
    sighashType: isTaproot(kind) && source.once(2) ? 0 : source.pick(LEGACY_TYPES),
  }));
  return signSpend(unsigned, plans, nativeSecp256k1Ecc);
}

/** Spends that cases change, since signing takes longer than verifying. */
const SPENDS: readonly Spend[] = Array.from({ length: 60 }, (_, i) => {
  const source = createSource(i, 'spends');
  source.begin(0);
  return signedSpend(source);
});

/** Encodes a spend: the size of the transaction, its bytes, and the outputs that it spends. */
function encodeSpend({ tx, prevouts }: Spend): Uint8Array {
  const bytes = encodeTransaction(tx);
  const coins = prevouts.map(({ value, scriptPubKey }) =>
    joined(
      new Uint8Array(new BigInt64Array([value]).buffer),
      [scriptPubKey.length & 0xff, scriptPubKey.length >> 8],
      scriptPubKey,
    ),
  );
  return joined([bytes.length & 0xff, bytes.length >> 8], bytes, ...coins);
}

function decodeSpend(bytes: Uint8Array): Spend | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < 2) return undefined;
  const size = view.getUint16(0, true);
  const tx = attempt(['bytes/', 'tx/'], () => decodeTransaction(bytes.subarray(2, 2 + size)));
  const prevouts: TxOut[] = [];
  for (let at = 2 + size; at + 10 <= bytes.length; ) {
    const length = view.getUint16(at + 8, true);
    prevouts.push({ value: view.getBigInt64(at, true), scriptPubKey: bytes.slice(at + 10, at + 10 + length) });
    at += 10 + length;
  }
  return tx && tx.inputs.length === prevouts.length ? { tx, prevouts } : undefined;
}

function anySpend(source: Source): Uint8Array {
  const { tx, prevouts } = source.pick(SPENDS);
  const at = source.next(tx.inputs.length);
  const change = source.next(6);
  const inputs = tx.inputs.map((input, i) => {
    if (i !== at) return input;
    if (change === 0) return { ...input, scriptSig: mutateBytes(source, input.scriptSig, SEEDS) };
    if (change === 1)
      return {
        ...input,
        witness: input.witness.map((item) => (source.once(2) ? mutateBytes(source, item, SEEDS) : item)),
      };
    return change === 2 ? { ...input, witness: [...input.witness, source.bytes(source.next(40))] } : input;
  });
  const coins = prevouts.map((coin, i) =>
    i === at && change === 3 ? { ...coin, scriptPubKey: mutateBytes(source, coin.scriptPubKey, SEEDS) } : coin,
  );
  const bytes = encodeSpend({ tx: { ...tx, inputs }, prevouts: coins });
  return change === 4 ? mutateBytes(source, bytes, SEEDS) : bytes;
}

const cached = withSignatureCache(nativeSecp256k1Ecc, createSignatureCache());

/** Requires all ways to verify a spend to agree, and looser rules to accept what stricter ones do. */
function runSpend(bytes: Uint8Array): void {
  const spend = decodeSpend(bytes);
  if (!spend) return;
  const { tx, prevouts } = spend;
  const ecc = nativeSecp256k1Ecc;
  const all = verifyTransaction(tx, prevouts, { ecc });
  const each = tx.inputs.map((_, inputIndex) => verifyInput({ tx, prevouts, inputIndex, ecc: cached }));
  same(textOf(each), textOf(all.inputs), 'inputs verified alone and with a cache have the same outcomes');
  const lax = verifyTransaction(tx, prevouts, { ecc, flags: MANDATORY_FLAGS });
  const strict = verifyTransaction(tx, prevouts, { ecc, flags: STANDARD_FLAGS });
  holds(!strict.isValid || lax.isValid, 'what policy accepts, consensus accepts');
  if (tx.locktime % 8 === 0) {
    same(textOf(verifyTransaction(tx, prevouts, { ecc: tinySecp256k1Ecc })), textOf(all), 'all curve libraries agree');
  }
}

const NO_SIGNATURES: SignatureChecker = {
  checkEcdsa: () => false,
  checkSchnorr: () => 'SCHNORR_SIG',
  checkLockTime: (lock) => lock < 500,
  checkSequence: (lock) => lock < 500,
};
const ALL_FLAGS = parseScriptFlags(SCRIPT_FLAGS.join(','));

/** Joins a scriptSig and a scriptPubKey, after the flags and the size of the first. */
function anyEvaluation(source: Source): Uint8Array {
  const sig = source.once(3)
    ? NOTHING
    : joined(...Array.from({ length: source.next(4) }, () => push(source.bytes(source.next(6)))));
  const scriptSig = source.once(8) ? anyScript(source) : sig;
  return joined(source.bytes(3), [scriptSig.length & 0xff, scriptSig.length >> 8], scriptSig, anyScript(source));
}

function runEvaluation(bytes: Uint8Array): void {
  if (bytes.length < 5) return;
  const size = (bytes[3] ?? 0) | ((bytes[4] ?? 0) << 8);
  const bits = (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8) | ((bytes[2] ?? 0) << 16);
  const flags = parseScriptFlags(SCRIPT_FLAGS.filter((_, i) => bits & (1 << i)).join(','));
  const given = { scriptSig: bytes.slice(5, 5 + size), scriptPubKey: bytes.slice(5 + size), checker: NO_SIGNATURES };
  const some = verifyScript({ ...given, witness: [], flags });
  const again = verifyScript({ ...given, witness: [], flags });
  same(textOf(again), textOf(some), 'the same script has the same outcome');
  const every = verifyScript({ ...given, witness: [], flags: ALL_FLAGS });
  holds(every.kind !== 'valid' || some.kind === 'valid', 'fewer flags accept what more flags accept');
}

export const SCRIPT_TARGETS: readonly Target[] = [
  bytesTarget('script', { generate: anyScript, run: runScript }),
  bytesTarget('script-infer', { generate: anyScript, run: runInfer }),
  bytesTarget('control-block', {
    generate: (source) => source.bytes(source.once(2) ? 33 + 32 * source.next(4) : source.next(140)),
    run: runControlBlock,
  }),
  formedTarget('script-verify', { generate: anyEvaluation, run: runEvaluation }),
  formedTarget('spend-verify', { generate: anySpend, run: runSpend }),
];
