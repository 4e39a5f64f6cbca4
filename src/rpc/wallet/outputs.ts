import { formatHex } from '../../bytes/hex.ts';
import { scriptIdOf } from '../../descriptors/scriptId.ts';
import { classifyScript } from '../../script/template.ts';
import type { Provider } from '../../signing/provider.ts';
import type { Ownership } from '../../wallet/keyStore.ts';
import { destinationOf, knowledgeOf, ownershipOf } from '../../wallet/ownership.ts';
import { addressText } from './addresses.ts';
import type { WalletContext } from './context.ts';
import { parentsOf, solutionOf } from './solving.ts';

/** What all lists tell of an output: it follows from its script and from what the wallet knows of that. */
export interface OutputFacts {
  /** The script of its address, where it has one. */
  readonly destination?: Uint8Array;
  readonly address?: string;
  /** Whose the address is. */
  readonly addressOwnership: Ownership;
  readonly parents: readonly string[];
}

/** How an output can be spent, which takes longer to find out. */
export interface SpendFacts {
  readonly isSolvable: boolean;
  readonly desc?: string;
  /** In hex, where they are known. */
  readonly scripts: { readonly redeemScript?: string; readonly witnessScript?: string };
}

type WorkOut<F> = (scriptPubKey: Uint8Array, context: WalletContext) => F;

/** What is not worked out twice for the same that {@link knowledgeOf} answers. */
function remembering<F>(workOut: WorkOut<F>): WorkOut<F> {
  const remembered = new WeakMap<object, F>();
  return (scriptPubKey, context) => {
    const knowledge = knowledgeOf(context.wallet, scriptPubKey);
    const known = knowledge && remembered.get(knowledge);
    if (known !== undefined) return known;
    const facts = workOut(scriptPubKey, context);
    if (knowledge) remembered.set(knowledge, facts);
    return facts;
  };
}

export const outputFacts: WorkOut<OutputFacts> = remembering((scriptPubKey, context) => {
  const { wallet } = context;
  const destination = destinationOf(wallet, scriptPubKey);
  const address = destination && addressText(destination, context);
  return {
    ...(destination && address !== undefined && { destination, address }),
    addressOwnership: destination ? ownershipOf(wallet, destination) : 'no',
    parents: parentsOf(scriptPubKey, context),
  };
});

export const spendFacts: WorkOut<SpendFacts> = remembering((scriptPubKey, context) => {
  const { provider, isSolvable, desc } = solutionOf(scriptPubKey, context);
  return {
    isSolvable,
    ...(desc !== undefined && { desc }),
    scripts: scriptsOf(scriptPubKey, provider, context),
  };
});

function scriptsOf(
  scriptPubKey: Uint8Array,
  provider: Provider | undefined,
  { dialect }: WalletContext,
): SpendFacts['scripts'] {
  const template = classifyScript(scriptPubKey, dialect.templates);
  const witnessScript = (program: Uint8Array): SpendFacts['scripts'] => {
    const script = provider?.script(scriptIdOf(program));
    return script ? { witnessScript: formatHex(script) } : {};
  };
  if (template.type === 'witness_v0_scripthash') return witnessScript(template.program);
  const redeemScript = template.type === 'scripthash' ? provider?.script(template.hash) : undefined;
  if (!redeemScript) return {};
  const inner = classifyScript(redeemScript, dialect.templates);
  return {
    redeemScript: formatHex(redeemScript),
    ...(inner.type === 'witness_v0_scripthash' && witnessScript(inner.program)),
  };
}
