import { RawPSBTV0, RawPSBTV2 } from '@scure/btc-signer/psbt.js';
import { describe, expect, test } from 'vitest';
import { readRecorded, shared } from '../support/corpus.ts';
import {
  decodePsbtBytes,
  formatHex,
  formatTxid,
  type KeyOrigin,
  type Psbt,
  type PsbtInput,
  type PsbtOutput,
  type TapKeyOrigin,
  type TxOut,
} from '../support/library.ts';
import { report } from '../support/report.ts';

/** The compared parts of a PSBT as @scure/btc-signer reads it. */
type Theirs = ReturnType<typeof RawPSBTV0.decode> | ReturnType<typeof RawPSBTV2.decode>;

/** Formats bytes as hex and omits absent members, to compare two results. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return formatHex(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]));
}

function theirsOf(bytes: Uint8Array): Theirs | undefined {
  for (const codec of [RawPSBTV0, RawPSBTV2]) {
    try {
      return codec.decode(bytes);
    } catch {
      // @scure/btc-signer does not read it.
    }
  }
  return undefined;
}

function oursOf(bytes: Uint8Array): Psbt | undefined {
  try {
    return decodePsbtBytes(bytes);
  } catch {
    return undefined;
  }
}

const utxo = (output: TxOut | undefined) => output && { amount: output.value, script: output.scriptPubKey };
const fingerprint = ({ fingerprint: bytes, path }: KeyOrigin) => ({
  fingerprint: new DataView(bytes.buffer).getUint32(0),
  path,
});
const tapOrigin = (origin: TapKeyOrigin) => [origin.pubkey, { hashes: origin.leafHashes, der: fingerprint(origin) }];

/** Translates an input of ours into theirs, for records of the same shape. */
const inputInTheirWords = (input: PsbtInput) => ({
  witnessUtxo: utxo(input.witnessUtxo),
  partialSig: input.partialSigs?.map(({ pubkey, signature }) => [pubkey, signature]),
  sighashType: input.sighashType,
  redeemScript: input.redeemScript,
  witnessScript: input.witnessScript,
  bip32Derivation: input.bip32Derivations?.map((entry) => [entry.pubkey, fingerprint(entry)]),
  finalScriptSig: input.finalScriptSig,
  finalScriptWitness: input.finalScriptWitness,
  ripemd160: input.ripemd160Preimages?.map(({ hash, preimage }) => [hash, preimage]),
  sha256: input.sha256Preimages?.map(({ hash, preimage }) => [hash, preimage]),
  hash160: input.hash160Preimages?.map(({ hash, preimage }) => [hash, preimage]),
  hash256: input.hash256Preimages?.map(({ hash, preimage }) => [hash, preimage]),
  txid: input.previousTxid && formatTxid(input.previousTxid),
  index: input.outputIndex,
  sequence: input.sequence,
  requiredTimeLocktime: input.requiredTimeLocktime,
  requiredHeightLocktime: input.requiredHeightLocktime,
  tapKeySig: input.tapKeySig,
  tapScriptSig: input.tapScriptSigs?.map(({ pubkey, leafHash, signature }) => [
    { pubKey: pubkey, leafHash },
    signature,
  ]),
  tapBip32Derivation: input.tapBip32Derivations?.map(tapOrigin),
  tapInternalKey: input.tapInternalKey,
  tapMerkleRoot: input.tapMerkleRoot,
});

const outputInTheirWords = (output: PsbtOutput) => ({
  redeemScript: output.redeemScript,
  witnessScript: output.witnessScript,
  bip32Derivation: output.bip32Derivations?.map((entry) => [entry.pubkey, fingerprint(entry)]),
  amount: output.amount,
  script: output.script,
  tapInternalKey: output.tapInternalKey,
  tapTree: output.tapTree?.map(({ depth, leafVersion, script }) => ({ depth, version: leafVersion, script })),
  tapBip32Derivation: output.tapBip32Derivations?.map(tapOrigin),
});

/** Picks the members that both sides have, in a common format. */
function shownBy(words: Readonly<Record<string, unknown>>, theirs: object): [unknown, unknown] {
  const members = Object.keys(words);
  const picked = Object.fromEntries(members.map((name) => [name, (theirs as Record<string, unknown>)[name]]));
  return [plain(words), plain(picked)];
}

/** Reverses a txid: theirs are in display order. */
const readable = (input: object): object =>
  'txid' in input && input.txid instanceof Uint8Array ? { ...input, txid: formatHex(input.txid) } : input;

function compare(ours: Psbt, theirs: Theirs): void {
  expect(ours.inputs).toHaveLength(theirs.inputs.length);
  ours.inputs.forEach((input, i) => {
    const [mine, other] = shownBy(inputInTheirWords(input), readable(theirs.inputs[i] ?? {}));
    expect(mine).toEqual(other);
  });
  ours.outputs.forEach((output, i) => {
    const [mine, other] = shownBy(outputInTheirWords(output), theirs.outputs[i] ?? {});
    expect(mine).toEqual(other);
  });
  const { unsignedTx } = ours.global;
  if (!unsignedTx || !('unsignedTx' in theirs.global) || !theirs.global.unsignedTx) return;
  const tx = {
    version: unsignedTx.version | 0,
    inputs: unsignedTx.inputs.map(({ outpoint, scriptSig, sequence }) => ({
      txid: formatTxid(outpoint.txid),
      index: outpoint.vout,
      finalScriptSig: scriptSig,
      sequence,
    })),
    outputs: unsignedTx.outputs.map(utxo),
    lockTime: unsignedTx.locktime,
  };
  expect(plain(tx)).toEqual(plain(theirs.global.unsignedTx));
}

describe('@scure/btc-signer', () => {
  test.each(['core-32.decode', 'litecoin-0.21.decode', 'core-32.flow', 'core-32.rpc_psbt'])(
    'agrees on every PSBT of %s that both read',
    (name) => {
      const calls = readRecorded(name, shared ? 'shared' : 'sample').filter(({ method }) => method === 'decodepsbt');
      let compared = 0;
      for (const { params } of calls) {
        const [base64] = params;
        if (typeof base64 !== 'string' || !base64.startsWith('cHNid')) continue;
        const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
        const ours = oursOf(bytes);
        const theirs = ours && theirsOf(bytes);
        if (!ours || !theirs) continue;
        compare(ours, theirs);
        compared += 1;
      }
      const note = `of ${calls.length} PSBTs, those that both read`;
      report({
        subject: `@scure/btc-signer, ${name}`,
        passed: compared,
        total: compared,
        note,
      });
      expect(compared).toBeGreaterThan(20);
    },
  );
});
