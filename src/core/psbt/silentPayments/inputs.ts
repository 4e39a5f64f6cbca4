import { equalBytes } from '../../bytes/compare.ts';
import type { Ecc } from '../../crypto/ecc.ts';
import { hash160 } from '../../crypto/hash.ts';
import { isValidPublicKey } from '../../crypto/publicKey.ts';
import { UNSPENDABLE_KEY } from '../../script/tapTree.ts';
import { classifyScript } from '../../script/template.ts';
import type { ShareKey } from '../../signing/shareSigner.ts';
import { outputTweak } from '../../signing/taprootCommitment.ts';
import { evenPoint, forbidsSilentPayments, inputKey } from '../../silentPayments/inputKeys.ts';
import { isFinal } from '../format/nodeOrder.ts';
import type { PsbtInput } from '../format/types.ts';
import { inputSignatureData } from '../inputSignatureData.ts';
import { findSilentSpend } from './spends.ts';

/** A key that adds to the shared secrets. */
export interface CountedKey extends ShareKey {
  /** False for a taproot coin whose records do not show the internal key: an unspendable one would add nothing. */
  readonly isCertain: boolean;
}

/** What an input adds to the shared secrets: its key, of 33 bytes, or nothing, or what the PSBT does not say. */
export type InputPart =
  | ({ readonly kind: 'key' } & CountedKey)
  | { readonly kind: 'nothing' | 'forbidden' }
  | { readonly kind: 'unknown'; readonly what: 'coin' | 'key' };

const NOTHING: InputPart = { kind: 'nothing' };
const UNKNOWN_KEY: InputPart = { kind: 'unknown', what: 'key' };
const NO_BYTES = new Uint8Array(0);

/** An input, and the facts that decide what it adds. */
export interface SpendingInput {
  readonly input: PsbtInput;
  readonly scriptPubKey: Uint8Array | undefined;
  /** Tells whether the final fields validly spend the coin. */
  readonly isVerified: () => boolean;
}

/**
 * Reads what an input adds. What decides that is verified: the hash of a key, the commitment to an internal key, the
 * scripts of a final input.
 * @see BIP352 "Inputs For Shared Secret Derivation"
 */
export function readInputPart({ input, scriptPubKey, isVerified }: SpendingInput, ecc: Ecc): InputPart {
  if (!scriptPubKey) return { kind: 'unknown', what: 'coin' };
  if (forbidsSilentPayments(scriptPubKey)) return { kind: 'forbidden' };
  if (!isFinal(input)) return openPart(scriptPubKey, input, ecc);
  if (!isVerified()) return UNKNOWN_KEY;
  const { finalScriptSig: scriptSig = NO_BYTES, finalScriptWitness: witness = [] } = input;
  const publicKey = inputKey({ scriptPubKey, scriptSig, witness });
  const isTaproot = classifyScript(scriptPubKey).type === 'witness_v1_taproot';
  return publicKey ? { kind: 'key', publicKey, isTaproot, isCertain: true } : NOTHING;
}

function openPart(script: Uint8Array, input: PsbtInput, ecc: Ecc): InputPart {
  const template = classifyScript(script);
  switch (template.type) {
    case 'pubkeyhash':
      return namedKey(template.hash, input);
    case 'witness_v0_keyhash':
      return namedKey(template.program, input);
    case 'scripthash': {
      const { redeemScript } = input;
      if (!redeemScript || !equalBytes(hash160(redeemScript), template.hash)) return UNKNOWN_KEY;
      const inner = classifyScript(redeemScript);
      return inner.type === 'witness_v0_keyhash' ? namedKey(inner.program, input) : NOTHING;
    }
    case 'witness_v1_taproot': {
      return taprootPart(template.program, input, ecc);
    }
    default:
      return NOTHING;
  }
}

/** Finds a key by its hash. One of 65 bytes adds nothing. */
function namedKey(hash: Uint8Array, { bip32Derivations = [], partialSigs = [] }: PsbtInput): InputPart {
  const named = [...bip32Derivations, ...partialSigs].find(({ pubkey }) => equalBytes(hash160(pubkey), hash));
  if (!named) return UNKNOWN_KEY;
  const { pubkey: publicKey } = named;
  return publicKey.length === 33 && isValidPublicKey(publicKey)
    ? { kind: 'key', publicKey, isTaproot: false, isCertain: true }
    : NOTHING;
}

/** Leaves out a coin with an unspendable key, which the records must prove: a false claim would change the secrets. */
function taprootPart(outputKey: Uint8Array, input: PsbtInput, ecc: Ecc): InputPart {
  const { taproot } = inputSignatureData(input);
  const tweakOf = (publicKey: Uint8Array) => outputTweak({ publicKey, outputKey, taproot }, ecc);
  const publicKey = evenPoint(outputKey);
  if (!publicKey || equalBytes(outputKey, UNSPENDABLE_KEY) || tweakOf(UNSPENDABLE_KEY)) return NOTHING;
  const part = { kind: 'key', publicKey, isTaproot: true } as const;
  const silent = findSilentSpend(input, outputKey, ecc);
  if (silent) return { ...part, isCertain: false, internalKey: silent.internalKey, tweak: silent.tweak };
  const { internalKey } = taproot;
  const tweak = internalKey && tweakOf(internalKey);
  return { ...part, isCertain: tweak !== undefined, ...(tweak && { internalKey, tweak }) };
}
