import { bytesKey } from '../bytes/compare.ts';
import { hash160 } from '../crypto/hash.ts';
import { listPushes } from '../script/instructions.ts';
import { parseControlBlock, splitTaprootWitness } from '../script/tapTree.ts';
import { produceSignature } from '../signing/produceSignature.ts';
import { type SignatureCreator, withoutKey } from '../signing/signatureCreator.ts';
import { forgetSignatures } from '../signing/signatureData.ts';
import { NO_PROVIDER, type SigningProvider } from '../signing/signingProvider.ts';
import { CURRENT_RULES } from '../signing/signingRules.ts';
import { commitsToLeaf } from '../signing/taprootCommitment.ts';
import { isFinal } from './format/nodeOrder.ts';
import type { PsbtInput } from './format/types.ts';
import { inputSignatureData } from './inputSignatureData.ts';
import { pushedKeys } from './namedKeys.ts';
import { schnorrPlace, taprootOutputKey } from './requests.ts';
import type { SessionInput } from './session.ts';
import { findSilentSpend } from './silentPayments/spends.ts';

/**
 * Lists the keys that can sign for an input's coin, whatever signatures it holds and type it asks for; those in final
 * fields count, too. Returns 33 or 65 bytes, or x-only; for the key path both internal and output key.
 */
export function possibleSigners(
  sessionInput: SessionInput,
  publicKey: SigningProvider['publicKey'] = NO_PROVIDER.publicKey,
): readonly Uint8Array[] {
  const { input } = sessionInput;
  const recorded = keysAsked(sessionInput, publicKey);
  if (!isFinal(input)) return recorded;
  const revealed = keysShown(input);
  return [
    ...recorded,
    ...keysAsked({ ...sessionInput, input: scriptsShown(input) }, (hash) => revealed(hash) ?? publicKey(hash)),
  ];
}

/**
 * Solves an input without signatures, and notes each key that the script asks for one. Stand-ins replace keys known
 * only by their hash.
 */
function keysAsked(
  { session: { coins, ecc }, input, index }: SessionInput,
  publicKey: SigningProvider['publicKey'],
): readonly Uint8Array[] {
  const scriptPubKey = coins[index]?.coin.scriptPubKey;
  if (!scriptPubKey) return [];
  const data = inputSignatureData(input);
  forgetSignatures(data, () => false);
  const keys = new Map<string, Uint8Array>();
  const standIns = new Set<string>();
  const keyOrStandIn = (hash: Uint8Array): Uint8Array => {
    const key = publicKey(hash);
    if (key) return key;
    const standIn = Uint8Array.of(0x02, ...new Uint8Array(32 - hash.length), ...hash);
    standIns.add(bytesKey(xOnly(standIn)));
    return standIn;
  };
  const note = (key: Uint8Array): void => {
    if (!standIns.has(bytesKey(xOnly(key)))) keys.set(bytesKey(key), key);
  };
  const outputKey = taprootOutputKey(scriptPubKey);
  const silent = outputKey && findSilentSpend(input, outputKey, ecc);
  if (silent) note(silent.internalKey);
  const isCommitted = outputKey && commitsToLeaf(data.taproot, outputKey, ecc);
  const creator: SignatureCreator = {
    ecdsa: (key) => {
      note(key);
      return { kind: 'private-key', publicKey: key };
    },
    schnorr: (key) => {
      if (isCommitted && schnorrPlace(key, ecc, isCommitted)) note(key.publicKey);
      return withoutKey(key);
    },
    aggregate: () => undefined,
    isMet: () => true,
  };
  const provider = { ...NO_PROVIDER, publicKey: keyOrStandIn };
  produceSignature({ provider, data, creator, rules: CURRENT_RULES }, scriptPubKey);
  for (const place of pushedKeys(scriptPubKey, input)) {
    if ('script' in place || isCommitted?.(place.leafHash)) for (const key of place.publicKeys) note(key);
  }
  return [...keys.values()];
}

const xOnly = (publicKey: Uint8Array): Uint8Array => publicKey.slice(-32);

const NOTHING = new Uint8Array(0);

/** The coin may not commit to these scripts. */
function scriptsShown({ finalScriptSig = NOTHING, finalScriptWitness = [] }: PsbtInput): PsbtInput {
  const redeemScript = listPushes(finalScriptSig).at(-1);
  const witnessScript = finalScriptWitness.at(-1);
  const { leaf } = splitTaprootWitness(finalScriptWitness);
  const block = leaf && parseControlBlock(leaf.controlBlock);
  return {
    ...(redeemScript && { redeemScript }),
    ...(witnessScript && { witnessScript }),
    ...(block && { tapLeafScripts: [{ ...leaf, leafVersion: block.leafVersion }] }),
  };
}

function keysShown({ finalScriptSig = NOTHING, finalScriptWitness = [] }: PsbtInput): SigningProvider['publicKey'] {
  let byHash: Map<string, Uint8Array> | undefined;
  return (hash) => {
    byHash ??= new Map(
      [...listPushes(finalScriptSig), ...finalScriptWitness]
        .filter(({ length }) => length === 32 || length === 33 || length === 65)
        .map((item) => [bytesKey(hash160(item)), item.length === 32 ? Uint8Array.of(0x02, ...item) : item]),
    );
    return byHash.get(bytesKey(hash));
  };
}
