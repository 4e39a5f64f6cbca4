import { getPublicKey } from '@noble/secp256k1';
import { encodePsbt } from '../dist/psbt/index.js';
import { txid } from '../dist/tx/index.js';

/** A reproducible stream of bytes: the benchmarks see the same PSBTs on every machine. */
function byteStream(seed) {
  let state = seed >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 24;
  };
  return (length) => Uint8Array.from({ length }, next);
}

const concat = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const HARDENED = 0x80000000;

/** A DER signature with SIGHASH_ALL, of the usual 71 bytes; nobody checks it here. */
function signature(bytes) {
  const r = bytes(32);
  const s = bytes(32);
  r[0] = (r[0] & 0x7f) | 1;
  s[0] = (s[0] & 0x3f) | 1;
  return concat([0x30, 0x44, 0x02, 0x20], r, [0x02, 0x20], s, [0x01]);
}

/**
 * A PSBT as a wallet hands it round: native segwit inputs, each with its previous transaction, its UTXO, one partial
 * signature and one key origin; two outputs with key origins. Every input has a key of its own.
 *
 * - `extraOutputs`: outputs of every previous transaction beyond two, to make it larger
 */
export function makePsbt(inputCount, { extraOutputs = 0, seed = 1 } = {}) {
  const bytes = byteStream(seed);
  const origin = (pubkey) => ({
    pubkey,
    fingerprint: bytes(4),
    path: [84 + HARDENED, HARDENED, HARDENED, 0, bytes(1)[0]],
  });
  const key = () => {
    const secret = bytes(32);
    secret[0] = 1;
    return getPublicKey(secret, true);
  };
  const payment = (value) => ({ value, scriptPubKey: concat([0x00, 0x14], bytes(20)) });
  const spend = (count) =>
    Array.from({ length: count }, () => ({
      outpoint: { txid: bytes(32), vout: 0 },
      scriptSig: new Uint8Array(0),
      sequence: 0xfffffffd,
      witness: [],
    }));
  const inputs = Array.from({ length: inputCount }, () => {
    const pubkey = key();
    const witnessUtxo = payment(100_000n);
    const change = Array.from({ length: 1 + extraOutputs }, () => payment(50_000n));
    const nonWitnessUtxo = { version: 2, inputs: spend(1), outputs: [witnessUtxo, ...change], locktime: 0 };
    const partialSigs = [{ pubkey, signature: signature(bytes) }];
    return { nonWitnessUtxo, witnessUtxo, partialSigs, bip32Derivations: [origin(pubkey)] };
  });
  const unsignedTx = {
    version: 2,
    inputs: spend(inputCount).map((input, i) => ({
      ...input,
      outpoint: { txid: txid(inputs[i].nonWitnessUtxo), vout: 0 },
    })),
    outputs: [payment(100_000n), payment(BigInt(inputCount) * 100_000n - 110_000n > 0n ? BigInt(inputCount) * 100_000n - 110_000n : 0n)],
    locktime: 0,
  };
  const outputs = unsignedTx.outputs.map(() => ({ bip32Derivations: [origin(key())] }));
  return encodePsbt({ global: { unsignedTx }, inputs, outputs });
}
