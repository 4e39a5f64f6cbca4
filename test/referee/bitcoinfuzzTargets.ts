import { createReader, readBytes, readCompactSize, readU32, readVarBytes } from '../../src/core/bytes/reader.ts';
import { findFault, type Miniscript, parseMiniscript } from '../../src/core/descriptors/miniscript/index.ts';
import { evaluate } from '../../src/core/interpreter/evaluate.ts';
import { countSigOps } from '../../src/core/script/sigops.ts';
import { readTransaction } from '../../src/core/tx/codec.ts';
import { contentFault, witnessFault } from '../../src/node/chain/blockRules.ts';
import {
  BtcError,
  checkTransaction,
  classifyScript,
  decodePsbtBytes,
  derivePath,
  determineLocktime,
  encodeTransaction,
  formatAddress,
  formatHex,
  formatReversedHex,
  formatTxid,
  formatXprv,
  isPushOnly,
  isUnspendable,
  masterKey,
  networks,
  type Psbt,
  type PsbtInput,
  parseAddress,
  parseDescriptor,
  parseExtendedKey,
  parseWitnessProgram,
  psbtVersion,
  type SignatureChecker,
  sha256d,
  type Transaction,
  toPsbtV2,
  transactionSize,
  txid,
  verifyScript,
  wtxid,
} from '../support/library.ts';
import { bytesOf, FormError, type Json, listOf } from './given.ts';
import type { Answer } from './ownTargets.ts';

// The answers of bitcoinfuzz's module for Bitcoin Core (modules/bitcoin/module.cpp), by the names of its targets.

const { main, testnet3 } = networks;

/** Runs a decoder. @returns undefined if it refuses */
function unlessRefused<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof BtcError) return undefined;
    throw error;
  }
}

/** Makes a target of bytes, which stand in hex. */
const ofBytes =
  (answer: (bytes: Uint8Array) => Json): Answer =>
  (input) =>
    answer(bytesOf(input, 'the input'));

/** Makes a target of text, whose bytes stand in hex, since they may be no text. */
const ofText = (answer: (text: string) => Json): Answer =>
  ofBytes((bytes) => answer(Buffer.from(bytes).toString('latin1')));

/** A checker for which every signature is valid and every lock is met. */
const ACCEPTS_ALL: SignatureChecker = {
  checkEcdsa: () => true,
  checkSchnorr: () => undefined,
  checkLockTime: () => true,
  checkSequence: () => true,
};
const NO_FLAGS = new Set<never>();

const script = ofBytes((bytes) => {
  const read = unlessRefused(() => readVarBytes(createReader(bytes)));
  if (!read || isUnspendable(read)) return '0';
  const isProgram = parseWitnessProgram(read) !== undefined;
  return `${countSigOps(read, false)}${isProgram ? 1 : 0}${isPushOnly(read) ? 1 : 0}`;
});

const scriptEval = ofBytes((bytes) => {
  if (bytes.length === 0) return null;
  const context = { flags: NO_FLAGS, checker: ACCEPTS_ALL, sigVersion: 'base', role: 'scriptPubKey' } as const;
  return evaluate(bytes, [], context) === undefined;
});

const verify: Answer = (input) => {
  const [scriptSig, scriptPubKey] = listOf(input, 'the input').map((item) => bytesOf(item, 'a script'));
  if (!scriptSig || !scriptPubKey) throw new FormError('the input must be a scriptSig and a scriptPubKey');
  if (scriptSig.length === 0 || scriptPubKey.length === 0) return null;
  const outcome = verifyScript({ scriptSig, scriptPubKey, witness: [], checker: ACCEPTS_ALL, flags: NO_FLAGS });
  return outcome.kind === 'valid';
};

/** The most weight of a block, and the most signature checks, which count four times outside witnesses. */
const [MAX_BLOCK_WEIGHT, MAX_SIGOPS_COST] = [4_000_000, 80_000];

const sigOpsOf = ({ inputs, outputs }: Transaction): number =>
  [...inputs.map(({ scriptSig }) => scriptSig), ...outputs.map(({ scriptPubKey }) => scriptPubKey)].reduce(
    (sum, one) => sum + countSigOps(one, false),
    0,
  );

/** Reads a block as it stands; `decodeBlock` completes the coinbase, as `submitblock` does. */
function readBlock(bytes: Uint8Array) {
  const reader = createReader(bytes);
  readU32(reader);
  const [previous, merkleRoot] = [readBytes(reader, 32), readBytes(reader, 32)];
  const time = readU32(reader);
  readBytes(reader, 8);
  const txs: Transaction[] = [];
  for (let left = readCompactSize(reader); left > 0; left -= 1) txs.push(readTransaction(reader));
  return { hash: sha256d(bytes.subarray(0, 80)), previous, merkleRoot, time, txs, txids: txs.map(txid) };
}

const deserializeBlock = ofBytes((bytes) => {
  const block = unlessRefused(() => readBlock(bytes));
  if (!block) return null;
  const size = block.txs.reduce((sum, tx) => sum + transactionSize(tx).strippedSize, 81);
  const isTooLarge = 4 * Math.max(size, block.txs.length) > MAX_BLOCK_WEIGHT;
  const sigOps = block.txs.reduce((sum, tx) => sum + sigOpsOf(tx), 0);
  const isInvalid = isTooLarge || 4 * sigOps > MAX_SIGOPS_COST || contentFault(block, main) || witnessFault(block);
  return isInvalid ? '0' : formatReversedHex(block.hash);
});

const transactionEval = ofBytes((bytes) => {
  const tx = unlessRefused(() => readTransaction(createReader(bytes)));
  if (!tx || checkTransaction(tx) !== undefined) return '0';
  return `${formatTxid(wtxid(tx))}${encodeTransaction(tx).length}`;
});

const descriptorParse = ofText((text) => unlessRefused(() => parseDescriptor(text, main)) !== undefined);

/** Reads a key: the number of one of 256 in one or two digits. */
function keyNumber(text: string): number {
  if (!/^[0-9a-fA-F]{1,2}$/.test(text))
    throw new BtcError('hex/invalid', { offset: 0, reason: 'character' }, 'The key is no number');
  return Number.parseInt(text, 16);
}

function isSane(root: Miniscript<number>): boolean {
  const fault = findFault(root, String);
  // Core calls an expression sane that cannot be satisfied; only its descriptors refuse it.
  return fault === undefined || fault.reason === 'not-satisfiable';
}

const miniscriptParse = ofText((text) =>
  (['wsh', 'tapscript'] as const).some((context) => {
    const parsed = unlessRefused(() => parseMiniscript(text, { context, parseKey: keyNumber }));
    return parsed?.kind === 'miniscript' && isSane(parsed.root);
  }),
);

const KINDS: ReadonlyMap<string, string> = new Map([
  ['pubkeyhash', 'PKH'],
  ['scripthash', 'SH'],
  ['witness_v0_keyhash', 'WPKH'],
  ['witness_v0_scripthash', 'WSH'],
  ['witness_v1_taproot', 'TR'],
]);

const addressParse = ofText((text) => {
  const found = unlessRefused(() => parseAddress(text, main));
  if (!found) return 'INVALID';
  return `${KINDS.get(classifyScript(found).type) ?? 'UNK'}:${formatAddress(found, main) ?? ''}`;
});

/** Shows the records of an input that the target compares. */
function inputText(input: PsbtInput, i: number): string {
  const { previousTxid, outputIndex = 0, sequence, witnessUtxo, nonWitnessUtxo } = input;
  const hasUtxo = (witnessUtxo !== undefined && witnessUtxo.value !== -1n) || nonWitnessUtxo !== undefined;
  const isFinal = (input.finalScriptSig?.length ?? 0) > 0 || (input.finalScriptWitness?.length ?? 0) > 0;
  const parts = [
    `previous_output=${previousTxid ? formatTxid(previousTxid) : ''}:${outputIndex}`,
    `sequence=${sequence ?? ''}`,
    ...(hasUtxo ? ['utxo=1'] : []),
    `partial_signatures=${input.partialSigs?.length ?? 0}`,
    `redeem_script=${formatHex(input.redeemScript ?? new Uint8Array(0))}`,
    `witness_script=${formatHex(input.witnessScript ?? new Uint8Array(0))}`,
    `sighash_type=${input.sighashType ?? 0}`,
    `bip32=${input.bip32Derivations?.length ?? 0}`,
    ...(isFinal ? ['finalized=1'] : []),
  ];
  return parts.map((part) => `input${i}${part};`).join('');
}

function psbtText(psbt: Psbt): string {
  // Version 0 keeps the outpoints, sequences and outputs in its transaction.
  const { inputs, outputs } = psbtVersion(psbt) === 0 ? toPsbtV2(psbt) : psbt;
  const shown = outputs.map(({ amount = 0n, script: paid, redeemScript, witnessScript, bip32Derivations = [] }, i) => {
    const [own, redeem, witness] = [paid, redeemScript, witnessScript].map((one) =>
      formatHex(one ?? new Uint8Array(0)),
    );
    const parts = [`val=${amount}`, `script=${own}`, `redeem_script=${redeem}`, `witness_script=${witness}`];
    return [...parts, `bip32=${bip32Derivations.length}`].map((part) => `output${i}${part};`).join('');
  });
  const locktime = psbt.global.unsignedTx?.locktime ?? determineLocktime(psbt);
  const head = `lock_time=${locktime};inputs=${inputs.length};outputs=${outputs.length};`;
  return head + inputs.map(inputText).join('') + shown.join('');
}

const psbtParse = ofBytes((bytes) => {
  if (bytes.length === 0) return null;
  const psbt = unlessRefused(() => decodePsbtBytes(bytes, { generation: 'core-32' }));
  if (!psbt) return 'INVALID';
  return unlessRefused(() => psbtText(psbt)) ?? 'CONFLICTING_LOCKTIME';
});

const masterKeygen = ofBytes((seed) =>
  seed.length < 16 || seed.length > 64 ? null : formatXprv(masterKey(seed), main),
);

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

const deserializeExtendedKey = ofText((text) => {
  if (!/^[xt]/.test(text)) return 'INVALID';
  const key = unlessRefused(() => parseExtendedKey(text, text.startsWith('t') ? testnet3 : main));
  if (!key) return 'INVALID';
  const parts = [
    `depth=${hex(key.depth, 2)}`,
    `fp=${formatHex(key.parentFingerprint)}`,
    `child=${hex(key.childNumber, 8)}`,
  ];
  return [...parts, `chaincode=${formatHex(key.chainCode)}`, `key=${formatHex(key.secretKey ?? key.publicKey)}`].join(
    ';',
  );
});

/** Parses a path as Core's `ParseHDKeypath` does; undefined for one that it refuses. */
function corePath(text: string): readonly number[] | undefined {
  // A slash at the end stands for nothing, and so does an `m` at the beginning.
  const items = text.replace(/\/$/, '').split('/');
  const steps = items[0] === 'm' ? items.slice(1) : items;
  if (text === '' || !steps.every((step) => /^\d+'?$/.test(step))) return undefined;
  const numbers = steps.map((step) => Number.parseInt(step, 10));
  if (numbers.some((number) => number > 0xffff_ffff)) return undefined;
  return numbers.map((number, i) => (steps[i]?.endsWith("'") ? (number | 0x8000_0000) >>> 0 : number));
}

/** The seed of the target: the bytes from 1 to 32. */
const MASTER = masterKey(Uint8Array.from({ length: 32 }, (_, i) => i + 1));

const deriveFromPath = ofText((text) => {
  if (text.includes('h')) return null;
  const path = corePath(text);
  if (!path || path.length === 0) return 'INVALID';
  const derived = unlessRefused(() => derivePath(MASTER, path));
  return derived ? formatXprv(derived, main) : 'INVALID';
});

/** The targets of bitcoinfuzz that compare what countersign does. */
export const BITCOINFUZZ_TARGETS: Readonly<Record<string, Answer>> = {
  script,
  script_eval: scriptEval,
  verify_script: verify,
  deserialize_block: deserializeBlock,
  transaction_eval: transactionEval,
  descriptor_parse: descriptorParse,
  miniscript_parse: miniscriptParse,
  address_parse: addressParse,
  psbt_parse: psbtParse,
  bip32_master_keygen: masterKeygen,
  bip32_deserialize_extended_key: deserializeExtendedKey,
  bip32_derive_from_path: deriveFromPath,
};
