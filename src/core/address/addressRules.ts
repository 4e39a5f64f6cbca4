import { type ByGeneration, byGeneration } from '../generations.ts';

/** Rules for scripts that have an address, texts and refusals of addresses, and ranges of addresses. */
export interface AddressRules {
  /**
   * In 0.21, a P2PK output has the address of its key's hash; in Core 31, it has none.
   * @see Bitcoin Core `ExtractDestination`
   */
  readonly bareKeysHaveAddresses: boolean;
  /** `deriveaddresses` of 0.21 takes null for the range of index 0, Core 31 for no range. */
  readonly takesNullForRange: boolean;
  /** Core 31 says what is wrong with an address; 0.21 only that it is invalid. */
  readonly explainsAddresses: boolean;
  /** Core 31 calls a taproot output a script (`isscript`); 0.21 does not know taproot. */
  readonly callsTaprootScript: boolean;
}

/** The rows of {@link AddressRules}. */
export const addressRules: ByGeneration<AddressRules> = byGeneration<AddressRules>({
  'core-0.21': {
    bareKeysHaveAddresses: true,
    takesNullForRange: true,
    explainsAddresses: false,
    callsTaprootScript: false,
  },
  'core-31': {
    bareKeysHaveAddresses: false,
    takesNullForRange: false,
    explainsAddresses: true,
    callsTaprootScript: true,
  },
});
