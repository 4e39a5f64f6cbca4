import { isSolvable } from '../../core/descriptors/derive.ts';
import { descriptorRules } from '../../core/descriptors/descriptorRules.ts';
import { formatDescriptor } from '../../core/descriptors/formatDescriptor.ts';
import { inferDescriptor } from '../../core/descriptors/infer.ts';
import { withKeys } from '../../core/descriptors/keyExpressions.ts';
import type { Descriptor } from '../../core/descriptors/types.ts';
import type { SignatureChecker } from '../../core/interpreter/checker.ts';
import { verifyScript } from '../../core/interpreter/verifyScript.ts';
import { produceSignature } from '../../core/signing/produceSignature.ts';
import { dummySignatures } from '../../core/signing/signatureCreator.ts';
import { createSignatureData } from '../../core/signing/signatureData.ts';
import type { SigningProvider } from '../../core/signing/signingProvider.ts';
import type { SigningRules } from '../../core/signing/signingRules.ts';
import { providerFor } from '../wallet/queries/ownership.ts';
import type { WalletContext } from './context.ts';
import { walletMethodRules } from './walletMethodRules.ts';

export interface Solution {
  readonly provider: SigningProvider | undefined;
  readonly isSolvable: boolean;
  readonly desc?: string;
}

/** @see Bitcoin Core `IsSolvable`, `InferDescriptor` */
export function inferSolution(scriptPubKey: Uint8Array, context: WalletContext): Solution {
  const { wallet, dialect } = context;
  const provider = providerFor(wallet, scriptPubKey);
  if (!provider) return { provider, isSolvable: false };
  if (!walletMethodRules[dialect.generation].solvesByDescriptor) {
    if (!canBeSpent(scriptPubKey, provider, wallet.rules.signing)) return { provider, isSolvable: false };
    return { provider, isSolvable: true, desc: inferredText(scriptPubKey, provider, context) };
  }
  const descriptor = inferred(scriptPubKey, provider, context);
  if (!isSolvable(descriptor)) return { provider, isSolvable: false };
  return { provider, isSolvable: true, desc: formatInferred(descriptor, context) };
}

/** Verifies dummy signatures, which fail for an uncompressed key in a witness, for example. */
function canBeSpent(scriptPubKey: Uint8Array, provider: SigningProvider, rules: SigningRules): boolean {
  const produced = produceSignature(
    { provider, data: createSignatureData(), creator: dummySignatures, rules },
    scriptPubKey,
  );
  const { isSolved, scriptSig, witness } = produced;
  if (!isSolved) return false;
  const { kind } = verifyScript({
    scriptSig,
    witness,
    scriptPubKey,
    checker: TAKES_ALL,
    knowsAnchors: rules.templates.anchor,
  });
  return kind === 'valid';
}

/** @see Bitcoin Core `DUMMY_CHECKER` */
const TAKES_ALL: SignatureChecker = {
  checkEcdsa: () => true,
  checkSchnorr: () => undefined,
  checkLockTime: () => false,
  checkSequence: () => false,
};

const inferred = (scriptPubKey: Uint8Array, provider: SigningProvider, { dialect }: WalletContext): Descriptor =>
  inferDescriptor(scriptPubKey, {
    ...provider,
    templates: dialect.templates,
    takesAnyKey: descriptorRules[dialect.generation].infersAnyKey,
  });

export const inferredText = (scriptPubKey: Uint8Array, provider: SigningProvider, context: WalletContext): string =>
  formatInferred(inferred(scriptPubKey, provider, context), context);

function formatInferred(descriptor: Descriptor, { network, dialect }: WalletContext): string {
  const marked = withKeys(descriptor, (key) => (key.kind === 'musig' ? key : { ...key, mark: dialect.hardenedMark }));
  return formatDescriptor(marked, network);
}

/** Lists the descriptors that an output belongs to, without private keys. */
export const parentDescriptors = (scriptPubKey: Uint8Array, { wallet }: WalletContext): readonly string[] =>
  (wallet.descriptors?.findOwners(scriptPubKey) ?? []).map(({ text }) => text);
