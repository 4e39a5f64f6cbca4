import type { AddressRules } from '../../core/address/addressRules.ts';
import type { DescriptorRules } from '../../core/descriptors/descriptorRules.ts';
import type { SigningRules } from '../../core/signing/signingRules.ts';
import type { ForkWarningRules } from '../chain/forkWarningRules.ts';
import type { WalletRules } from './walletRules.ts';

export interface NodeRules extends WalletRules, AddressRules, ForkWarningRules {
  /** A store that was begun under rules of another name is refused. */
  readonly name: string;
  /** In Litecoin, conflicts and abandonment propagate only to the first recorded spender of an output. */
  readonly followsFirstSpender: boolean;
  readonly signing: SigningRules;
  readonly descriptors: DescriptorRules;
  /** Keys ahead of the last used one. @see Bitcoin Core `-keypool` */
  readonly keypool: number;
}
