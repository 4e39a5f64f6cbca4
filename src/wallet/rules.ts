import type { DescriptorRules } from '../generations.ts';
import type { SigningRules } from '../signing/signingRules.ts';

/** How wallets differ between Core 0.21 and 31. */
export interface WalletRules {
  /** The name of these rules. A journal begun under other rules is refused. */
  readonly name: string;
  /** True for descriptor wallets as in Core 31, false for legacy wallets as in 0.21. */
  readonly isModern: boolean;
  /** True if conflicts and abandonment propagate only to the first recorded spender of an output. */
  readonly followsFirstSpender: boolean;
  readonly signing: SigningRules;
  readonly descriptors: DescriptorRules;
}
