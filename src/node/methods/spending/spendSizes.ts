import { isSolvable } from '../../../core/descriptors/derive.ts';
import { classifyScript } from '../../../core/script/template.ts';
import { produceSignature } from '../../../core/signing/produceSignature.ts';
import { dummySignatures, type SignatureCreator } from '../../../core/signing/signatureCreator.ts';
import { createSignatureData } from '../../../core/signing/signatureData.ts';
import type { SolvingContext } from '../../../core/signing/solvingContext.ts';
import { type SpendSize, spendSize } from '../../../core/tx/spendSize.ts';
import type { OwnedDescriptor } from '../../wallet/keys/ownedDescriptor.ts';
import { factsKey, findOwnership, providerFor } from '../../wallet/queries/ownership.ts';
import type { WalletContext } from '../context.ts';

/** Signatures of a signer that does not grind for a low R. */
export const LARGE_SIGNATURES: SignatureCreator = { ...dummySignatures, ecdsa: () => new Uint8Array(72).fill(1) };

/**
 * Returns the size of a signed input; `undefined` if it is unknown how to spend the output.
 * @see Bitcoin Core `CalculateMaximumSignedInputSize`
 */
export function signedInputSize(
  scriptPubKey: Uint8Array,
  signer: Pick<SolvingContext, 'provider' | 'creator'>,
  { wallet }: WalletContext,
): SpendSize | undefined {
  const solving = { ...signer, data: createSignatureData(), rules: wallet.rules.signing };
  const produced = produceSignature(solving, scriptPubKey);
  return produced.isSolved ? spendSize(produced.scriptSig, produced.witness) : undefined;
}

/** A P2WPKH input with a low-R signature. */
const KEY_HASH_SPEND: SpendSize = /* @__PURE__ */ spendSize(/* @__PURE__ */ new Uint8Array(0), [
  /* @__PURE__ */ new Uint8Array(71),
  /* @__PURE__ */ new Uint8Array(33),
]);

/** Computes sizes once per descriptor, whose inputs are alike. */
export function ownSpendSizes(context: WalletContext): (scriptPubKey: Uint8Array) => SpendSize | undefined {
  const { wallet } = context;
  // A signer outside the wallet may not grind. @see Bitcoin Core `CWallet::CanGrindR`
  const creator = wallet.row.disablesPrivateKeys ? LARGE_SIGNATURES : dummySignatures;
  const byDescriptor = new Map<OwnedDescriptor, Map<string, SpendSize | undefined>>();
  const solved = (script: Uint8Array): SpendSize | undefined => {
    const provider = providerFor(wallet, script);
    return provider && signedInputSize(script, { provider, creator }, context);
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
