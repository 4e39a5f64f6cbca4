import { compactSizeLength } from '../../../core/bytes/writer.ts';
import { createDeriver } from '../../../core/descriptors/derive.ts';
import { inferDescriptor } from '../../../core/descriptors/infer.ts';
import { maxSatisfactionSize } from '../../../core/descriptors/miniscript/index.ts';
import type { Descriptor, KeyExpression } from '../../../core/descriptors/types.ts';
import type { SigningProvider } from '../../../core/signing/signingProvider.ts';
import { baseWeight, SCHNORR_SIZE, type SpendSize } from '../../../core/tx/spendSize.ts';

/** What satisfies a script, in bytes with their lengths; `items` is their number. */
interface MaxSatisfaction {
  readonly bytes: number;
  readonly items: number;
  /** It is a witness, rather than a scriptSig. */
  readonly isWitness?: true;
}

/**
 * Computes the most that a signed input takes; `undefined` if it is unknown how to spend the output. Of taproot, a node takes the
 * key path for granted, and of scripts with locks, that all are met.
 * @see Bitcoin Core `MaxInputWeight`, `Descriptor::MaxSatisfactionWeight`
 */
export function maxInputSize(
  scriptPubKey: Uint8Array,
  provider: SigningProvider,
  ecdsaSize: number,
): SpendSize | undefined {
  const descriptor = inferDescriptor(scriptPubKey, provider);
  const { scripts } = createDeriver(descriptor)(0);
  const isNested = descriptor.kind === 'sh';
  const inner = isNested ? descriptor.inner : descriptor;
  const satisfied = satisfaction(inner, ecdsaSize, scripts);
  if (!satisfied) return undefined;
  const { bytes, items, isWitness } = satisfied;
  const redeemScript = isNested ? scripts.at(-1) : undefined;
  const pushed = redeemScript ? 1 + redeemScript.length : 0;
  if (!isWitness) return { base: baseWeight(pushed + bytes), witness: 0 };
  return { base: baseWeight(pushed), witness: compactSizeLength(items + Number(isNested)) + bytes };
}

const keySize = (key: KeyExpression): number => (key.kind === 'fixed' ? key.publicKey.length : 33);

function satisfaction(
  descriptor: Descriptor,
  ecdsaSize: number,
  scripts: readonly Uint8Array[],
): MaxSatisfaction | undefined {
  switch (descriptor.kind) {
    case 'pk':
      return { bytes: 1 + ecdsaSize, items: 1 };
    case 'pkh':
      return { bytes: 1 + ecdsaSize + 1 + keySize(descriptor.key), items: 2 };
    case 'wpkh':
      return { bytes: 1 + ecdsaSize + 1 + keySize(descriptor.key), items: 2, isWitness: true };
    case 'multi':
    case 'sortedmulti':
      return { bytes: 1 + (1 + ecdsaSize) * descriptor.required, items: 1 + descriptor.required };
    case 'miniscript':
      return maxSatisfactionSize(descriptor.root);
    case 'wsh': {
      const inner = satisfaction(descriptor.inner, ecdsaSize, scripts);
      const length = scripts[0]?.length ?? 0;
      return (
        inner && { bytes: compactSizeLength(length) + length + inner.bytes, items: 1 + inner.items, isWitness: true }
      );
    }
    case 'tr':
    case 'rawtr':
      return { bytes: 1 + SCHNORR_SIZE + 1, items: 1, isWitness: true };
    default:
      return undefined;
  }
}
