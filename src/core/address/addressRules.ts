import { type ByGeneration, byGeneration } from '../generations.ts';

export interface AddressRules {
  /** A P2PK output has the address of its key's hash. @see Core `ExtractDestination` */
  readonly bareKeysHaveAddresses: boolean;
  /** `deriveaddresses` takes null for the range of index 0, rather than for no range. */
  readonly takesNullForRange: boolean;
  /** 0.21 only says that an address is invalid, Core 29 also why. */
  readonly explainsAddresses: boolean;
  /** `isscript` is true for taproot outputs. */
  readonly callsTaprootScript: boolean;
}

export const addressRules: ByGeneration<AddressRules> = byGeneration<AddressRules>({
  'core-0.21': {
    bareKeysHaveAddresses: true,
    takesNullForRange: true,
    explainsAddresses: false,
    callsTaprootScript: false,
  },
  'core-29': {
    bareKeysHaveAddresses: false,
    explainsAddresses: true,
    callsTaprootScript: true,
  },
  'core-32': { takesNullForRange: false },
});
