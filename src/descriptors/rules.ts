import type { Network } from '../network/networks.ts';

/** In what generations of nodes differ when they read descriptors. */
export interface DescriptorRules {
  readonly generation: 'core-0.21' | 'core-31';
  readonly maxMultisigKeys: 16 | 20;
  /** Whether keys with a header of 6 or 7 may stand where uncompressed ones may. */
  readonly allowsHybridKeys: boolean;
  /** Whether a number may begin with a plus sign. */
  readonly allowsPlus: boolean;
  /** Whether errors begin with the name of the function that they are in. */
  readonly namesFunctions: boolean;
  /** Whether there are tapscripts, miniscript, multipath and aggregate keys. */
  readonly isModern: boolean;
  /** How hardened steps are written, whatever they were marked with; left out where the mark stays. */
  readonly hardenedMark?: "'";
}

/** The newest Bitcoin Core. */
export const CURRENT_DESCRIPTORS: DescriptorRules = {
  generation: 'core-31',
  maxMultisigKeys: 20,
  allowsHybridKeys: false,
  allowsPlus: false,
  namesFunctions: true,
  isModern: true,
};

/** Bitcoin Core 0.21. */
export const CORE_021_DESCRIPTORS: DescriptorRules = {
  generation: 'core-0.21',
  maxMultisigKeys: 16,
  allowsHybridKeys: true,
  allowsPlus: true,
  namesFunctions: false,
  isModern: false,
  hardenedMark: "'",
};

/** Whose descriptors are read. */
export interface Reading {
  readonly network: Network;
  readonly rules: DescriptorRules;
  /** Whether a wallet holds the descriptor already: see `parseDescriptor`. */
  readonly wasAccepted?: boolean;
}
