import type { AddressRules } from '../../core/address/addressRules.ts';
import type { DescriptorRules } from '../../core/descriptors/descriptorRules.ts';
import type { SigningRules } from '../../core/signing/signingRules.ts';
import type { WalletRules } from './walletRules.ts';

/** The rules of a node and its wallets: those of its generation, and what its dialect adds. */
export interface NodeRules extends WalletRules, AddressRules {
  /** The name of these rules. A journal begun under other rules is refused. */
  readonly name: string;
  /** True if conflicts and abandonment propagate only to the first recorded spender of an output, as in Litecoin. */
  readonly followsFirstSpender: boolean;
  readonly signing: SigningRules;
  readonly descriptors: DescriptorRules;
}
