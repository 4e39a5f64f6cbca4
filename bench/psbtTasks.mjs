// PSBTs to sign, with the keys that sign them.

import { nativeSecp256k1Ecc } from '../dist/core/crypto/nativeSecp256k1.js';
import { createDeriver, parseDescriptor, singlePaths } from '../dist/core/descriptors/index.js';
import {
  derivePath,
  formatXprv,
  formatXpub,
  keyFingerprint,
  masterKey,
  neuter,
  parsePath,
} from '../dist/core/keys/index.js';
import { networks } from '../dist/core/network/index.js';
import { encodePsbt, updatePsbt } from '../dist/core/psbt/index.js';
import { createDescriptorProvider } from '../dist/core/signing/index.js';
import { txid } from '../dist/core/tx/index.js';
import { byteStream, payToKey, spends } from './fixtures.mjs';

const network = networks.main;
const masters = [1, 2, 3].map((byte) => masterKey(new Uint8Array(32).fill(byte)));

function xprv(master, path) {
  return `${formatXprv(master, network)}${path}/<0;1>/*`;
}

/** A cosigner whose private key is missing. */
function xpub(master, path) {
  const origin = Buffer.from(keyFingerprint(master)).toString('hex');
  return `[${origin}${path}]${formatXpub(neuter(derivePath(master, parsePath(path.slice(1)))), network)}/<0;1>/*`;
}

const COSIGNERS = [
  xprv(masters[0], '/48h/0h/0h/2h'),
  xprv(masters[1], '/48h/0h/0h/2h'),
  xpub(masters[2], '/48h/0h/0h/2h'),
];

/**
 * Descriptors of wallets, receiving and change. They hold the private keys of the first two of three cosigners, and of the
 * leaf, but not of its internal key.
 */
const WALLETS = {
  wpkh: `wpkh(${xprv(masters[0], '/84h/0h/0h')})`,
  '2-of-3 wsh sortedmulti': `wsh(sortedmulti(2,${COSIGNERS.join(',')}))`,
  'tr key path': `tr(${xprv(masters[0], '/86h/0h/0h')})`,
  'tr script path': `tr(${xpub(masters[2], '/86h/0h/0h')},pk(${xprv(masters[0], '/86h/0h/0h')}))`,
};

export const PSBT_KINDS = Object.keys(WALLETS);

/**
 * Makes a PSBT of version 0 as an updater leaves it: each input has different keys, its coin, its scripts, the origins
 * of its keys and, except for taproot, its previous transaction; the outputs are a payment, and change with its
 * origins.
 * @returns the encoded PSBT, the descriptor, and the secret keys of each input
 */
export function makePsbtTask(kind, inputCount) {
  const bytes = byteStream(0x95b7);
  const descriptor = parseDescriptor(WALLETS[kind], network);
  const [receive, change] = singlePaths(descriptor).map((single) => createDeriver(single, { ecc: nativeSecp256k1Ecc }));
  const coins = Array.from({ length: inputCount }, (_, index) => receive(index));
  const changeCoin = change(0);
  const outputOf = ({ scriptPubKeys }, value) => ({ value, scriptPubKey: scriptPubKeys[0] });
  const inputs = coins.map((coin, i) => {
    const witnessUtxo = outputOf(coin, 100_000n + BigInt(i));
    const outputs = [witnessUtxo, payToKey(bytes, 50_000n)];
    return { witnessUtxo, nonWitnessUtxo: { version: 2, inputs: spends(bytes, 1), outputs, locktime: 0 } };
  });
  const unsignedTx = {
    version: 2,
    inputs: spends(bytes, inputCount).map((input, i) => ({
      ...input,
      outpoint: { txid: txid(inputs[i].nonWitnessUtxo), vout: 0 },
    })),
    outputs: [payToKey(bytes, 60_000n * BigInt(inputCount)), outputOf(changeCoin, 38_000n * BigInt(inputCount))],
    locktime: 0,
  };
  const created = { global: { unsignedTx }, inputs, outputs: [{}, {}] };
  const provider = createDescriptorProvider([...coins, changeCoin]);
  const psbt = updatePsbt(created, { provider });
  const secretKeys = coins.map(({ keys }) => keys.flatMap(({ secretKey }) => (secretKey ? [secretKey] : [])));
  return {
    kind,
    inputCount,
    bytes: encodePsbt(psbt),
    descriptor,
    secretKeys,
    prevouts: inputs.map(({ witnessUtxo }) => witnessUtxo),
  };
}
