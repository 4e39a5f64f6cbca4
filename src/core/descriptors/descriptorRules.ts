import { type ByGeneration, byGeneration } from '../generations.ts';

/** Rules that differ between generations of Core. */
export interface DescriptorRules {
  /** 0.21 predates taproot, and Core 32 `unused()`. */
  readonly lacks: readonly string[];
  /**
   * The error for a function where it is not allowed; without one, the function is tried as miniscript or refused as
   * unknown.
   * @see Bitcoin Core `ParseScript`
   */
  readonly misplaced: Readonly<Partial<Record<string, string>>>;
  /** In 0.21, OP_16 is the largest number. */
  readonly maxMultisigKeys: 16 | 20;
  /** Accepts header 6 or 7 wherever uncompressed keys are allowed. */
  readonly allowsHybridKeys: boolean;
  /** Infers hybrid keys, and uncompressed keys in segwit scripts. */
  readonly infersAnyKey: boolean;
  readonly allowsPlus: boolean;
  /**
   * Refuses a key of depth 0 with a parent, a byte other than 0 before a private key, and derivation beyond depth 255.
   */
  readonly checksExtendedKeys: boolean;
  /** Prefixes a key's errors with the function: `wpkh(): `. */
  readonly namesFunctions: boolean;
  /** @see BIP379 */
  readonly knowsMiniscript: boolean;
  /** @see BIP390 */
  readonly knowsMusig: boolean;
  /** A key in miniscript may hold parentheses, as aggregate keys do. */
  readonly nestsMiniscriptKeys: boolean;
  /** Normalizes the keys in miniscript, too. */
  readonly normalizesMiniscript: boolean;
  /** @see BIP389 */
  readonly knowsMultipath: boolean;
  /** Characters that open and close a level of nesting. */
  readonly brackets: readonly [opening: string, closing: string];
  /** Reports white space around a key by an error of its own. */
  readonly findsWhitespace: boolean;
  readonly emptyStep: string;
  readonly quotesHardenedMark: boolean;
  readonly functionQuote: "'" | '';
  /** Replaces the input's marker. */
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
  nestsMiniscriptKeys: false,
  normalizesMiniscript: false,
  knowsMultipath: false,
  brackets: ['(', ')'],
  findsWhitespace: false,
  emptyStep: "Key path value '' is not a valid uint32",
  quotesHardenedMark: false,
  functionQuote: '',
  hardenedMark: "'",
};

const CORE_29_DESCRIPTORS: DescriptorRules = {
  lacks: ['unused'],
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
  allowsPlus: true,
  checksExtendedKeys: true,
  namesFunctions: true,
  knowsMiniscript: true,
  knowsMusig: false,
  nestsMiniscriptKeys: false,
  normalizesMiniscript: false,
  knowsMultipath: true,
  brackets: ['({', ')}'],
  findsWhitespace: false,
  emptyStep: "Key path value '' is not a valid uint32",
  quotesHardenedMark: false,
  functionQuote: "'",
  hardenedMark: undefined,
};

export const descriptorRules: ByGeneration<DescriptorRules> = byGeneration<DescriptorRules>({
  'core-0.21': CORE_021_DESCRIPTORS,
  'core-29': CORE_29_DESCRIPTORS,
  'core-30': { knowsMusig: true, allowsPlus: false, findsWhitespace: true },
  'core-31': { nestsMiniscriptKeys: true, normalizesMiniscript: true },
  'core-32': { lacks: [], emptyStep: "Key path value '' is not valid", quotesHardenedMark: true },
});
