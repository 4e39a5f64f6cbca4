import fc from 'fast-check';
import {
  encodePush,
  payToPubkey,
  payToPubkeyHash,
  payToTaproot,
  payToWitness,
  wrapInScriptHash,
  wrapInWitness,
} from '../../src/core/script/build.ts';
import { UNSPENDABLE_KEY } from '../../src/core/script/tapTree.ts';
import type { PayingKey } from '../../src/core/silentPayments/index.ts';
import type { Transaction, TxOut } from '../../src/core/tx/types.ts';
import { concatBytes, hash160, nobleEcc, sha256, txid } from './library.ts';

/** An input of a transaction that pays silently, as a receiver sees it, and the key that its sender has. */
export interface SilentInput {
  readonly input: Transaction['inputs'][number];
  readonly spent: TxOut;
  /** `undefined` if it adds nothing to the secret. */
  readonly key: PayingKey | undefined;
}

const KINDS = ['p2pkh', 'p2wpkh', 'p2sh-p2wpkh', 'p2tr', 'p2tr script', 'p2tr nums', 'p2wsh', 'uncompressed'] as const;
type Kind = (typeof KINDS)[number];

const SIGNATURE = new Uint8Array(71).fill(0x30);
const NO_BYTES = new Uint8Array(0);

export const secretKeys: fc.Arbitrary<Uint8Array> = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((bytes) => nobleEcc.isSecretKey(bytes));

interface Spend {
  readonly scriptPubKey: Uint8Array;
  readonly scriptSig?: Uint8Array;
  readonly witness?: readonly Uint8Array[];
  readonly pays?: 'plain' | 'taproot';
}

const keyHashScript = (key: Uint8Array): Uint8Array => payToWitness(0, hash160(key));

/** How each kind of coin is spent by the owner of a secret key. */
const SPENDS: Readonly<Record<Kind, (secretKey: Uint8Array) => Spend>> = {
  p2pkh: (secretKey) => spendPubkeyHash(nobleEcc.publicKey(secretKey), 'plain'),
  uncompressed: (secretKey) => spendPubkeyHash(nobleEcc.publicKey(secretKey, false), undefined),
  p2wpkh: (secretKey) => {
    const key = nobleEcc.publicKey(secretKey);
    return { scriptPubKey: keyHashScript(key), witness: [SIGNATURE, key], pays: 'plain' };
  },
  'p2sh-p2wpkh': (secretKey) => {
    const key = nobleEcc.publicKey(secretKey);
    const script = keyHashScript(key);
    return {
      scriptPubKey: wrapInScriptHash(script),
      scriptSig: encodePush(script),
      witness: [SIGNATURE, key],
      pays: 'plain',
    };
  },
  p2tr: (secretKey) => spendTaproot(secretKey, [SIGNATURE.slice(7)], 'taproot'),
  'p2tr script': (secretKey) =>
    spendTaproot(secretKey, [Uint8Array.of(0x51), concatBytes(Uint8Array.of(0xc0), sha256(NO_BYTES))], 'taproot'),
  'p2tr nums': (secretKey) =>
    spendTaproot(secretKey, [Uint8Array.of(0x51), concatBytes(Uint8Array.of(0xc0), UNSPENDABLE_KEY)], undefined),
  p2wsh: (secretKey) => {
    const script = payToPubkey(nobleEcc.publicKey(secretKey));
    return { scriptPubKey: wrapInWitness(script), witness: [SIGNATURE, script] };
  },
};

function spendPubkeyHash(key: Uint8Array, pays: 'plain' | undefined): Spend {
  const scriptSig = concatBytes(encodePush(SIGNATURE), encodePush(key));
  return { scriptPubKey: payToPubkeyHash(hash160(key)), scriptSig, ...(pays && { pays }) };
}

function spendTaproot(secretKey: Uint8Array, witness: readonly Uint8Array[], pays: 'taproot' | undefined): Spend {
  return { scriptPubKey: payToTaproot(nobleEcc.publicKey(secretKey).slice(1)), witness, ...(pays && { pays }) };
}

function silentInput(kind: Kind, secretKey: Uint8Array, vout: number): SilentInput {
  const { scriptPubKey, scriptSig = NO_BYTES, witness = [], pays } = SPENDS[kind](secretKey);
  // The coin's transaction is any that has the script.
  const spent = { value: 100_000n, scriptPubKey };
  const id = txid({ version: 2, inputs: [], outputs: [spent], locktime: vout });
  const input = { outpoint: { txid: id, vout }, scriptSig, sequence: 0xffff_fffd, witness };
  return { input, spent, key: pays && { secretKey, isTaproot: pays === 'taproot' } };
}

/** Makes one input of a random kind. */
export const silentInputs: fc.Arbitrary<SilentInput> = fc
  .tuple(fc.constantFrom(...KINDS), secretKeys, fc.nat(1000))
  .map(([kind, secretKey, vout]) => silentInput(kind, secretKey, vout));

/** Makes inputs of which one at least has a key. */
export const payingInputs: fc.Arbitrary<readonly SilentInput[]> = fc
  .array(silentInputs, { minLength: 1, maxLength: 4 })
  .filter((inputs) => inputs.some(({ key }) => key));

/** Makes the transaction of inputs and scripts. */
export const transactionOf = (inputs: readonly SilentInput[], scripts: readonly Uint8Array[]): Transaction => ({
  version: 2,
  inputs: inputs.map(({ input }) => input),
  outputs: scripts.map((scriptPubKey) => ({ value: 1000n, scriptPubKey })),
  locktime: 0,
});
