import { type ByGeneration, byGeneration } from '../../../core/generations.ts';

export interface NetworkRules {
  /** `addnode` knows two texts of one address, rather than only the same text again. */
  readonly comparesNodes: boolean;
  readonly refusesBlankNodes: boolean;
  /** `disconnectnode` reads the number of a connection even if it has an address, too. */
  readonly readsNodeIdFirst: boolean;
  /** `tor` is a name of the network `onion`. */
  readonly aliasesTor: boolean;
  /** Onion addresses of version 2, also within IPv6. */
  readonly knowsShortOnions: boolean;
  readonly knowsI2p: boolean;
  /** IPv6 addresses of 32 bits are written like IPv4. @see RFC 4291 §2.5.5.1 */
  readonly writesCompatible: boolean;
  /** Ports and numbers of bits may begin with a plus sign. */
  readonly takesPlusSigns: boolean;
  readonly refusesPastBans: boolean;
}

export const networkRules: ByGeneration<NetworkRules> = byGeneration<NetworkRules>({
  'core-0.21': {
    comparesNodes: false,
    refusesBlankNodes: false,
    readsNodeIdFirst: false,
    aliasesTor: true,
    knowsShortOnions: true,
    knowsI2p: false,
    writesCompatible: true,
    takesPlusSigns: true,
    refusesPastBans: false,
  },
  'core-29': {
    comparesNodes: true,
    knowsShortOnions: false,
    knowsI2p: true,
    writesCompatible: false,
    refusesPastBans: true,
  },
  'core-30': { takesPlusSigns: false },
  'core-31': { readsNodeIdFirst: true, aliasesTor: false },
  'core-32': { refusesBlankNodes: true },
});
