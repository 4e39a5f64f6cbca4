import { getPublicKey } from '@noble/secp256k1';
import { formatHex } from '../dist/core/bytes/index.js';
import { encodeDer, nobleEcc } from '../dist/core/crypto/index.js';
import { formatWif } from '../dist/core/keys/index.js';
import { formatAmount, networks } from '../dist/core/network/index.js';
import { encodePsbt } from '../dist/core/psbt/index.js';
import { tapLeafHash, tapTweakHash } from '../dist/core/script/index.js';
import { SIGHASH, sighashForInput } from '../dist/core/sighash/index.js';
import { encodeTransaction, formatTxid, txid } from '../dist/core/tx/index.js';
import { hash160, payToPubkeyHash, wrapInWitness } from './internals.built.mjs';

const HARDENED = 0x80000000;

/** Creates a reproducible stream of bytes, so that a benchmark has the same input on every machine. */
export function byteStream(seed) {
  let state = seed;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 24;
  };
  return (length) => Uint8Array.from({ length }, next);
}

const concat = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

/** Makes a DER signature with SIGHASH_ALL of the usual 71 bytes; it is invalid, which decoders do not check. */
function signature(bytes) {
  const r = bytes(32);
  const s = bytes(32);
  r[0] = (r[0] & 0x7f) | 1;
  s[0] = (s[0] & 0x3f) | 1;
  return concat([0x30, 0x44, 0x02, 0x20], r, [0x02, 0x20], s, [0x01]);
}

export function spends(bytes, count) {
  return Array.from({ length: count }, () => ({
    outpoint: { txid: bytes(32), vout: 0 },
    scriptSig: new Uint8Array(0),
    sequence: 0xfffffffd,
    witness: [],
  }));
}

export const payToKey = (bytes, value) => ({ value, scriptPubKey: concat([0x00, 0x14], bytes(20)) });
const twoOfThree = (keys) => concat([0x52], ...keys.map((key) => concat([33], key)), [0x53, 0xae]);

/**
 * Makes a typical PSBT: every input has its previous transaction, witness UTXO, key origins and signatures; two outputs
 * have a key origin each. No key occurs in two inputs.
 *
 * - `cosigners`: 1 for P2WPKH with one signature, 3 for a 2-of-3 P2WSH with two
 * - `previousOutputs`: outputs of every previous transaction
 */
export function makePsbt(inputCount, { cosigners = 1, previousOutputs = 2 } = {}) {
  const bytes = byteStream(0x5eed);
  const origin = (pubkey) => ({
    pubkey,
    fingerprint: bytes(4),
    path: [84 + HARDENED, HARDENED, HARDENED, 0, bytes(1)[0]],
  });
  const newKey = () => {
    const secret = bytes(32);
    secret[0] = 1;
    return getPublicKey(secret, true);
  };
  const makeInput = () => {
    const keys = Array.from({ length: cosigners }, newKey);
    const witnessScript = cosigners === 1 ? undefined : twoOfThree(keys);
    const scriptPubKey = witnessScript ? wrapInWitness(witnessScript) : concat([0x00, 0x14], hash160(keys[0]));
    const witnessUtxo = { value: 100_000n, scriptPubKey };
    const rest = Array.from({ length: previousOutputs - 1 }, () => payToKey(bytes, 50_000n));
    const nonWitnessUtxo = { version: 2, inputs: spends(bytes, 1), outputs: [witnessUtxo, ...rest], locktime: 0 };
    const signers = cosigners === 1 ? keys : keys.slice(0, 2);
    const partialSigs = signers.map((pubkey) => ({ pubkey, signature: signature(bytes) }));
    const input = { nonWitnessUtxo, witnessUtxo, partialSigs, bip32Derivations: keys.map(origin) };
    return witnessScript ? { ...input, witnessScript } : input;
  };
  const inputs = Array.from({ length: inputCount }, makeInput);
  const unsignedTx = {
    version: 2,
    inputs: spends(bytes, inputCount).map((input, i) => ({
      ...input,
      outpoint: { txid: txid(inputs[i].nonWitnessUtxo), vout: 0 },
    })),
    outputs: [payToKey(bytes, 60_000n), payToKey(bytes, BigInt(inputCount) * 100_000n - 90_000n)],
    locktime: 0,
  };
  const outputs = unsignedTx.outputs.map(() => ({ bip32Derivations: [origin(newKey())] }));
  return encodePsbt({ global: { unsignedTx }, inputs, outputs });
}

/** Makes a signed transaction with equally many P2WPKH inputs and outputs. */
export function makeTransaction(inputCount) {
  const bytes = byteStream(0x7eed);
  const inputs = spends(bytes, inputCount).map((input) => ({
    ...input,
    witness: [signature(bytes), concat([2], bytes(32))],
  }));
  const outputs = Array.from({ length: inputCount }, () => payToKey(bytes, 50_000n));
  return encodeTransaction({ version: 2, inputs, outputs, locktime: 0 });
}

/** Makes an unsigned transaction with two outputs that spends coins of one kind. */
export function makeSpend(inputCount, scriptPubKeyOf) {
  const bytes = byteStream(0x5eed);
  const prevouts = Array.from({ length: inputCount }, (_, i) => ({
    value: 100_000n + BigInt(i),
    scriptPubKey: scriptPubKeyOf(bytes(32)),
  }));
  const outputs = [payToKey(bytes, 60_000n * BigInt(inputCount)), payToKey(bytes, 30_000n * BigInt(inputCount))];
  return { tx: { version: 2, inputs: spends(bytes, inputCount), outputs, locktime: 0 }, prevouts };
}

const fill = (byte) => new Uint8Array(32).fill(byte);
const withType = (signature) => concat(encodeDer(signature), [SIGHASH.ALL]);
const publicKeyOf = (secretKey) => nobleEcc.publicKey(secretKey);
const pushed = (bytes) => concat([bytes.length], bytes);

/** Kinds of coins: how to make them from three secret keys, and how to spend them. */
const SPENDS = {
  p2pkh: {
    scriptPubKey: ([key]) => payToPubkeyHash(hash160(publicKeyOf(key))),
    spend: (keys, sign) => ({ scriptSig: concat(pushed(sign.ecdsa(keys[0])), pushed(publicKeyOf(keys[0]))) }),
  },
  p2wpkh: {
    scriptPubKey: ([key]) => concat([0, 20], hash160(publicKeyOf(key))),
    spend: (keys, sign) => ({ witness: [sign.ecdsa(keys[0]), publicKeyOf(keys[0])] }),
  },
  '2-of-3 p2wsh': {
    scriptPubKey: (keys) => wrapInWitness(twoOfThree(keys.map(publicKeyOf))),
    scriptCode: (keys) => twoOfThree(keys.map(publicKeyOf)),
    spend: (keys, sign) => ({
      witness: [new Uint8Array(0), sign.ecdsa(keys[0]), sign.ecdsa(keys[1]), twoOfThree(keys.map(publicKeyOf))],
    }),
  },
  'p2tr key path': {
    scriptPubKey: ([key]) => concat([0x51, 32], publicKeyOf(key).slice(1)),
    spend: (keys, sign) => ({ witness: [sign.schnorr(keys[0])] }),
  },
  'p2tr script path': {
    scriptPubKey: (keys) => concat([0x51, 32], tapOutput(keys).publicKey),
    leaf: ([, key]) => ({ script: tapScript(key) }),
    spend: (keys, sign) => {
      const control = concat([0xc0 | tapOutput(keys).parity], publicKeyOf(keys[0]).slice(1));
      return { witness: [sign.schnorr(keys[1]), tapScript(keys[1]), control] };
    },
  },
};
const tapScript = (key) => concat([32], publicKeyOf(key).slice(1), [0xac]);
function tapOutput([internal, key]) {
  const internalKey = publicKeyOf(internal).slice(1);
  return nobleEcc.tweakPublicKey(internalKey, tapTweakHash(internalKey, tapLeafHash(tapScript(key))));
}

export const SPEND_KINDS = Object.keys(SPENDS);

/** Makes a signed transaction that spends `inputCount` coins of a kind, each with different keys. */
export function makeSignedSpend(kind, inputCount) {
  const { scriptPubKey, scriptCode, leaf, spend } = SPENDS[kind];
  const bytes = byteStream(0xc01f);
  const keys = Array.from({ length: inputCount }, () => [1, 2, 3].map(() => bytes(32).map((b, i) => (i ? b : 1))));
  const { tx, prevouts } = makeSpend(inputCount, () => new Uint8Array(0));
  for (const [i, prevout] of prevouts.entries()) prevout.scriptPubKey = scriptPubKey(keys[i]);
  const inputs = tx.inputs.map((input, inputIndex) => {
    const own = keys[inputIndex];
    const known = { ...(scriptCode && { scriptCode: scriptCode(own) }), ...(leaf && { leaf: leaf(own) }) };
    const { digest } = sighashForInput({ tx, prevouts, inputIndex, ...known });
    const sign = {
      ecdsa: (key) => withType(nobleEcc.signEcdsa(digest, key)),
      schnorr: (key) => nobleEcc.signSchnorr(digest, key, fill(0)),
    };
    return { ...input, ...spend(own, sign) };
  });
  return { tx: { ...tx, inputs }, prevouts };
}

/**
 * Makes the input of a signer for `inputCount` coins of a kind, all with the same keys: as RPC parameters for
 * countersign, as plain data for the other libraries. Each `seed` gives other keys.
 */
export function makeSigningTask(kind, inputCount, seed = 0) {
  const { scriptPubKey, scriptCode } = SPENDS[kind];
  const bytes = byteStream(0x51f7 + seed);
  const keys = [1, 2, 3].map(() => bytes(32).map((b, i) => (i ? b : 1)));
  const { tx } = makeSpend(inputCount, () => new Uint8Array(0));
  const needed = keys.slice(0, scriptCode ? 2 : 1);
  const coinScript = scriptPubKey(keys);
  const inputs = tx.inputs.map(({ outpoint }, i) => ({
    txid: formatTxid(outpoint.txid),
    vout: outpoint.vout,
    value: 100_000n + BigInt(i),
    scriptPubKey: coinScript,
  }));
  return {
    hex: formatHex(encodeTransaction(tx)),
    wifs: needed.map((secretKey) => formatWif({ secretKey, isCompressed: true }, networks.regtest)),
    prevtxs: inputs.map(({ txid, vout, value, scriptPubKey: script }) => ({
      txid,
      vout,
      scriptPubKey: formatHex(script),
      amount: formatAmount(value),
      ...(scriptCode && { witnessScript: formatHex(scriptCode(keys)) }),
    })),
    plain: {
      inputs,
      outputs: tx.outputs,
      secretKeys: needed,
      publicKeys: keys.map(publicKeyOf),
      witnessScript: scriptCode?.(keys),
    },
  };
}
