import { isSolvable } from '../../../core/descriptors/derive.ts';
import { classifyScript } from '../../../core/script/template.ts';
import { produceSignature } from '../../../core/signing/produceSignature.ts';
import { dummySignatures } from '../../../core/signing/signatureCreator.ts';
import { createSignatureData } from '../../../core/signing/signatureData.ts';
import type { SigningProvider } from '../../../core/signing/signingProvider.ts';
import { ECDSA_SIZE, LOW_R_ECDSA_SIZE, type SpendSize, spendSize } from '../../../core/tx/spendSize.ts';
import type { OwnedDescriptor } from '../../wallet/keys/ownedDescriptor.ts';
import { factsKey, findOwnership, providerFor } from '../../wallet/queries/ownership.ts';
import type { WalletContext } from '../context.ts';
import { maxInputSize } from './maxInputSize.ts';
import { spendingRules } from './spendingRules.ts';

/**
 * Returns the size of a signed input; `undefined` if it is unknown how to spend the output. 0.21 signs with dummies, later
 * releases take the most that the descriptor says.
 * @see Bitcoin Core `CalculateMaximumSignedInputSize`
 */
export function signedInputSize(
  scriptPubKey: Uint8Array,
  { provider, ecdsaSize }: { readonly provider: SigningProvider; readonly ecdsaSize: number },
  { wallet, dialect }: WalletContext,
): SpendSize | undefined {
  if (spendingRules[dialect.generation].sizesByDescriptor) return maxInputSize(scriptPubKey, provider, ecdsaSize);
  const creator = { ...dummySignatures, ecdsa: () => new Uint8Array(ecdsaSize).fill(1) };
  const solving = { provider, creator, data: createSignatureData(), rules: wallet.rules.signing };
  const produced = produceSignature(solving, scriptPubKey);
  return produced.isSolved ? spendSize(produced.scriptSig, produced.witness) : undefined;
}

/** A P2WPKH input. */
const KEY_HASH_SPEND: SpendSize = /* @__PURE__ */ spendSize(/* @__PURE__ */ new Uint8Array(0), [
  /* @__PURE__ */ new Uint8Array(LOW_R_ECDSA_SIZE),
  /* @__PURE__ */ new Uint8Array(33),
]);

/** Computes sizes once per descriptor, whose inputs are alike. */
export function ownSpendSizes(context: WalletContext): (scriptPubKey: Uint8Array) => SpendSize | undefined {
  const { wallet } = context;
  // A signer outside the wallet may not grind. @see Bitcoin Core `CWallet::CanGrindR`
  const ecdsaSize = wallet.row.disablesPrivateKeys ? ECDSA_SIZE : LOW_R_ECDSA_SIZE;
  const byDescriptor = new Map<OwnedDescriptor, Map<string, SpendSize | undefined>>();
  const solved = (script: Uint8Array): SpendSize | undefined => {
    const provider = providerFor(wallet, script);
    return provider && signedInputSize(script, { provider, ecdsaSize }, context);
  };
  return (script) => {
    const { type } = classifyScript(script, wallet.rules.signing.templates);
    const owned = wallet.descriptors?.findPlaces(script)[0]?.owned;
    if (!owned) {
      const isKeyHash = type === 'witness_v0_keyhash' && findOwnership(wallet, script) === 'own';
      return isKeyHash ? KEY_HASH_SPEND : remembered(factsKey(wallet, script), () => solved(script));
    }
    if (!isSolvable(owned.source.descriptor)) return undefined;
    const sizes = byDescriptor.get(owned) ?? new Map<string, SpendSize | undefined>();
    byDescriptor.set(owned, sizes);
    if (!sizes.has(type)) sizes.set(type, solved(script));
    return sizes.get(type);
  };
}

const REMEMBERED = new WeakMap<object, SpendSize | 'unknown'>();

/** Computes a value once per object of {@link factsKey}. */
function remembered(knowledge: object | undefined, compute: () => SpendSize | undefined): SpendSize | undefined {
  const cachedSize = knowledge && REMEMBERED.get(knowledge);
  if (cachedSize) return cachedSize === 'unknown' ? undefined : cachedSize;
  const size = compute();
  if (knowledge) REMEMBERED.set(knowledge, size ?? 'unknown');
  return size;
}
