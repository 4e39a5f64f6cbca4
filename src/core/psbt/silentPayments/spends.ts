import { equalBytes } from '../../bytes/compare.ts';
import type { KeyOrigin } from '../../keys/path.ts';
import type { TweakEcc } from '../../script/tapTree.ts';
import { asInternalKey } from '../../silentPayments/spending.ts';
import type { PsbtInput } from '../format/types.ts';

/** The key of a silent payment that an input spends. */
export interface SilentSpend {
  /** X-only; its holder adds `tweak`. */
  readonly internalKey: Uint8Array;
  readonly tweak: Uint8Array;
  readonly origin: KeyOrigin;
}

/**
 * Finds the spend key that, with the tweak of the input, gives the output key.
 * @see BIP376 "Signer"
 */
export function findSilentSpend(
  { spTweak, spSpendBip32Derivations = [] }: PsbtInput,
  outputKey: Uint8Array,
  ecc: TweakEcc,
): SilentSpend | undefined {
  if (!spTweak) return undefined;
  for (const { spendKey, fingerprint, path } of spSpendBip32Derivations) {
    const key = asInternalKey({ spendKey, tweak: spTweak });
    const tweaked = ecc.tweakPublicKey(key.internalKey, key.tweak);
    if (tweaked && equalBytes(tweaked.publicKey, outputKey)) return { ...key, origin: { fingerprint, path } };
  }
  return undefined;
}
