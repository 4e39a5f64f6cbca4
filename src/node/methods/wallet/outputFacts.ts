import { addressText } from '../../../answers/arguments/addressArgument.ts';
import { formatHex } from '../../../core/bytes/hex.ts';
import { formatDescriptor } from '../../../core/descriptors/formatDescriptor.ts';
import { scriptsById, unwrap } from '../../../core/script/unwrap.ts';
import type { SigningProvider } from '../../../core/signing/signingProvider.ts';
import type { Ownership } from '../../wallet/keys/keyStore.ts';
import { extractDestination, factsKey, findOwnership } from '../../wallet/queries/ownership.ts';
import type { WalletContext } from '../context.ts';
import { inferSolution, parentDescriptors } from '../solving.ts';
import { walletMethodRules } from '../walletMethodRules.ts';

/** Facts that depend only on a script and the wallet's knowledge of it. */
export interface OutputFacts {
  /** The script of its address. */
  readonly destination?: Uint8Array;
  readonly address?: string;
  readonly addressOwnership: Ownership;
  readonly parents: readonly string[];
}

/** Facts that are expensive to compute. */
export interface SpendFacts {
  readonly isSolvable: boolean;
  readonly desc?: string;
  /** In hex. */
  readonly scripts: { readonly redeemScript?: string; readonly witnessScript?: string };
}

type Compute<F> = (scriptPubKey: Uint8Array, context: WalletContext) => F;

/** Caches as long as {@link factsKey} returns the same object for a script. */
function cached<F>(compute: Compute<F>): Compute<F> {
  const cache = new WeakMap<object, F>();
  return (scriptPubKey, context) => {
    const knowledge = factsKey(context.wallet, scriptPubKey);
    const cachedFacts = knowledge && cache.get(knowledge);
    if (cachedFacts !== undefined) return cachedFacts;
    const facts = compute(scriptPubKey, context);
    if (knowledge) cache.set(knowledge, facts);
    return facts;
  };
}

/** Core 29 shows descriptors as they were imported, later ones with normalized keys. */
function parentTexts(scriptPubKey: Uint8Array, context: WalletContext): readonly string[] {
  const { wallet, network, dialect } = context;
  if (walletMethodRules[dialect.generation].normalizesParents) return parentDescriptors(scriptPubKey, context);
  return (wallet.descriptors?.findOwners(scriptPubKey) ?? []).map(({ source }) =>
    formatDescriptor(source.descriptor, network),
  );
}

export const outputFacts: Compute<OutputFacts> = cached((scriptPubKey, context) => {
  const { wallet } = context;
  const destination = extractDestination(wallet, scriptPubKey);
  const address = destination && addressText(destination, context);
  return {
    ...(destination && address !== undefined && { destination, address }),
    addressOwnership: destination ? findOwnership(wallet, destination) : 'no',
    parents: parentTexts(scriptPubKey, context),
  };
});

export const spendFacts: Compute<SpendFacts> = cached((scriptPubKey, context) => {
  const { provider, isSolvable, desc } = inferSolution(scriptPubKey, context);
  return {
    isSolvable,
    ...(desc !== undefined && { desc }),
    scripts: innerScripts(scriptPubKey, provider, context),
  };
});

function innerScripts(
  scriptPubKey: Uint8Array,
  provider: SigningProvider | undefined,
  { dialect }: WalletContext,
): SpendFacts['scripts'] {
  if (!provider) return {};
  const { redeemScript, witnessScript } = unwrap(scriptPubKey, scriptsById(provider.script), dialect.templates);
  return {
    ...(redeemScript && { redeemScript: formatHex(redeemScript) }),
    ...(witnessScript && { witnessScript: formatHex(witnessScript) }),
  };
}
