import { concatBytes, equalBytes } from '../bytes/compare.ts';
import { hash160 } from '../crypto/hash.ts';
import { isValidPublicKey } from '../crypto/publicKey.ts';
import { splitTaprootWitness, UNSPENDABLE_KEY } from '../script/tapTree.ts';
import { classifyScript } from '../script/template.ts';

const KEY_SIZE = 33;
const EVEN = Uint8Array.of(0x02);

/** An input with the script that it spends. */
export interface SpentInput {
  readonly scriptPubKey: Uint8Array;
  readonly scriptSig: Uint8Array;
  readonly witness: readonly Uint8Array[];
}

/** Tells whether a transaction that spends a script cannot make silent payments: it has a later witness version. */
export function forbidsSilentPayments(scriptPubKey: Uint8Array): boolean {
  const template = classifyScript(scriptPubKey);
  return template.type === 'witness_unknown' && template.version > 1;
}

/**
 * Returns the key that an input adds to the shared secret, 33 bytes; `undefined` if it adds none.
 * @see BIP352 "Inputs For Shared Secret Derivation"
 */
export function inputKey({ scriptPubKey, scriptSig, witness }: SpentInput): Uint8Array | undefined {
  const template = classifyScript(scriptPubKey);
  switch (template.type) {
    case 'pubkeyhash':
      return keyInScriptSig(scriptSig, template.hash);
    case 'witness_v0_keyhash':
      return validKey(witness.at(-1));
    case 'scripthash':
      // The script follows the length of the only push.
      return classifyScript(scriptSig.subarray(1)).type === 'witness_v0_keyhash' ? validKey(witness.at(-1)) : undefined;
    case 'witness_v1_taproot': {
      const { leaf } = splitTaprootWitness(witness);
      return taprootKey(template.program, leaf?.controlBlock.subarray(1, KEY_SIZE));
    }
    default:
      return undefined;
  }
}

/** Returns the output key with an even y, unless no one can know the internal key. */
const taprootKey = (outputKey: Uint8Array, internalKey: Uint8Array | undefined): Uint8Array | undefined =>
  internalKey && equalBytes(internalKey, UNSPENDABLE_KEY) ? undefined : evenPoint(outputKey);

/** Returns the point with an x-only key and an even y, 33 bytes; `undefined` if it is not on the curve. */
export const evenPoint = (key: Uint8Array): Uint8Array | undefined => validKey(concatBytes(EVEN, key));

const validKey = (key: Uint8Array | undefined): Uint8Array | undefined =>
  key?.length === KEY_SIZE && isValidPublicKey(key) ? key : undefined;

/** Searches from the end, since the scriptSig around the key is malleable. Hashes first, which costs less than a curve. */
function keyInScriptSig(scriptSig: Uint8Array, hash: Uint8Array): Uint8Array | undefined {
  for (let end = scriptSig.length; end >= KEY_SIZE; end -= 1) {
    const bytes = scriptSig.slice(end - KEY_SIZE, end);
    const key = equalBytes(hash160(bytes), hash) ? validKey(bytes) : undefined;
    if (key) return key;
  }
  return undefined;
}
