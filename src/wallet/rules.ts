import type { DescriptorRules } from '../descriptors/rules.ts';
import type { SigningRules } from '../signing/rules.ts';

/** In what generations of nodes differ as wallets. */
export interface WalletRules {
  /** What they are called: a journal that was begun under others is not opened. */
  readonly name: string;
  /** Wallets of descriptors that follow Core 31; otherwise of keys and scripts that follow 0.21. */
  readonly isModern: boolean;
  /** Of several that spend one output, what happens to its transaction happens to the first recorded one only. */
  readonly followsFirstSpender: boolean;
  readonly signing: SigningRules;
  readonly descriptors: DescriptorRules;
}
