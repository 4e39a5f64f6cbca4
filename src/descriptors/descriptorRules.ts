import type { Network } from '../network/networks.ts';

/** How descriptor parsing differs between Core 0.21 and 31. */
export interface DescriptorRules {
  readonly generation: 'core-0.21' | 'core-31';
  readonly maxMultisigKeys: 16 | 20;
  /** Accepts hybrid keys (header 6 or 7) wherever uncompressed keys are allowed. */
  readonly allowsHybridKeys: boolean;
  /** Accepts a plus sign before numbers. */
  readonly allowsPlus: boolean;
  /** Refuses a key of depth 0 with a parent, a byte other than 0 before a private key, and derivation beyond depth 255. */
  readonly checksExtendedKeys: boolean;
  /** Prefixes errors with the name of the function around them. */
  readonly namesFunctions: boolean;
  /** Knows tapscript, miniscript, multipath and musig() expressions. */
  readonly isModern: boolean;
  /** The hardened marker to print, whatever the input used; absent if the input's marker is kept. */
  readonly hardenedMark?: "'";
}

/** Bitcoin Core 31. */
export const CURRENT_DESCRIPTORS: DescriptorRules = {
  generation: 'core-31',
  maxMultisigKeys: 20,
  allowsHybridKeys: false,
  allowsPlus: false,
  checksExtendedKeys: true,
  namesFunctions: true,
  isModern: true,
};

/** Bitcoin Core 0.21. */
export const CORE_021_DESCRIPTORS: DescriptorRules = {
  generation: 'core-0.21',
  maxMultisigKeys: 16,
  allowsHybridKeys: true,
  allowsPlus: true,
  checksExtendedKeys: false,
  namesFunctions: false,
  isModern: false,
  hardenedMark: "'",
};

/** The settings of a parse. */
export interface Reading {
  readonly network: Network;
  readonly rules: DescriptorRules;
  /** True if a wallet already holds the descriptor: see `parseDescriptor`. */
  readonly wasAccepted?: boolean;
}
