import { type ByGeneration, byGeneration } from '../generations.ts';

/** Rules by which descriptors are parsed and refused. */
export interface DescriptorRules {
  /** Functions that the generation lacks, so that their names are unknown: 0.21 predates taproot and `unused()`. */
  readonly lacks: readonly string[];
  /**
   * The error for a function in a context where it is not allowed. Without a text, the function is tried as miniscript
   * or refused as unknown.
   * @see Bitcoin Core `ParseScript`
   */
  readonly misplaced: Readonly<Partial<Record<string, string>>>;
  /** The most keys of `multi()` and `sortedmulti()`: 16 in 0.21, where OP_16 is the largest number, or 20. */
  readonly maxMultisigKeys: 16 | 20;
  /** 0.21 accepts hybrid keys (header 6 or 7) wherever uncompressed keys are allowed; Core 31 refuses them. */
  readonly allowsHybridKeys: boolean;
  /** 0.21 infers descriptors with hybrid keys, and with uncompressed keys in segwit scripts; Core 31 does not. */
  readonly infersAnyKey: boolean;
  /** 0.21 accepts a plus sign before numbers; Core 31 refuses it. */
  readonly allowsPlus: boolean;
  /**
   * Core 31 refuses an extended key of depth 0 with a parent, a byte other than 0 before a private key, and derivation
   * beyond depth 255; 0.21 has none of these checks.
   */
  readonly checksExtendedKeys: boolean;
  /** Core 31 prefixes the errors of a key with the function around it: `wpkh(): `; 0.21 does not. */
  readonly namesFunctions: boolean;
  /** Core 31 parses a text that is not a function as miniscript; 0.21 refuses it. @see BIP379 */
  readonly knowsMiniscript: boolean;
  /** Core 31 parses `musig()` in key expressions; 0.21 takes it for a bad key. @see BIP390 */
  readonly knowsMusig: boolean;
  /** Core 31 parses `<0;1>` in paths; 0.21 takes it for a bad step. @see BIP389 */
  readonly knowsMultipath: boolean;
  /** Characters that open and close a level of nesting: parentheses, and in Core 31 the braces of script trees. */
  readonly brackets: readonly [opening: string, closing: string];
  /** Core 31 has an error of its own for white space around a key; 0.21 reports an invalid key. */
  readonly findsWhitespace: boolean;
  /** The error for two slashes in a row. */
  readonly emptyStep: string;
  /** Core 31 quotes a bad step as written, 0.21 without its hardened marker. */
  readonly quotesHardenedMark: boolean;
  /** The quotation mark around an unknown function: none in 0.21. */
  readonly functionQuote: "'" | '';
  /** The hardened marker to print, whatever the input used; `undefined` if the input's marker is kept. */
  readonly hardenedMark: "'" | undefined;
}

const CORE_021_DESCRIPTORS: DescriptorRules = {
  lacks: ['multi_a', 'sortedmulti_a', 'tr', 'rawtr', 'unused'],
  misplaced: {
    combo: 'Cannot have combo in non-top level',
    wpkh: 'Cannot have wpkh within wsh',
    sh: 'Cannot have sh in non-top level',
    wsh: 'Cannot have wsh within wsh',
  },
  maxMultisigKeys: 16,
  allowsHybridKeys: true,
  infersAnyKey: true,
  allowsPlus: true,
  checksExtendedKeys: false,
  namesFunctions: false,
  knowsMiniscript: false,
  knowsMusig: false,
  knowsMultipath: false,
  brackets: ['(', ')'],
  findsWhitespace: false,
  emptyStep: "Key path value '' is not a valid uint32",
  quotesHardenedMark: false,
  functionQuote: '',
  hardenedMark: "'",
};

/** The descriptors of Core 31. */
export const CORE_31_DESCRIPTORS: DescriptorRules = {
  lacks: [],
  misplaced: {
    combo: 'Can only have combo() at top level',
    multi: 'Can only have multi/sortedmulti at top level, in sh(), or in wsh()',
    sortedmulti: 'Can only have multi/sortedmulti at top level, in sh(), or in wsh()',
    multi_a: 'Can only have multi_a/sortedmulti_a inside tr()',
    sortedmulti_a: 'Can only have multi_a/sortedmulti_a inside tr()',
    wpkh: 'Can only have wpkh() at top level or inside sh()',
    sh: 'Can only have sh() at top level',
    wsh: 'Can only have wsh() at top level or inside sh()',
    addr: 'Can only have addr() at top level',
    tr: 'Can only have tr at top level',
    rawtr: 'Can only have rawtr at top level',
    unused: 'Can only have unused at top level',
    raw: 'Can only have raw() at top level',
  },
  maxMultisigKeys: 20,
  allowsHybridKeys: false,
  infersAnyKey: false,
  allowsPlus: false,
  checksExtendedKeys: true,
  namesFunctions: true,
  knowsMiniscript: true,
  knowsMusig: true,
  knowsMultipath: true,
  brackets: ['({', ')}'],
  findsWhitespace: true,
  emptyStep: "Key path value '' is not valid",
  quotesHardenedMark: true,
  functionQuote: "'",
  hardenedMark: undefined,
};

/** The rows of {@link DescriptorRules}. */
export const descriptorRules: ByGeneration<DescriptorRules> = byGeneration<DescriptorRules>({
  'core-0.21': CORE_021_DESCRIPTORS,
  'core-31': CORE_31_DESCRIPTORS,
});
