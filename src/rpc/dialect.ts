import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import type { Ecc } from '../crypto/ecc.ts';
import { quoted, withoutSecrets } from '../encoding/redaction.ts';
import { BtcError } from '../errors.ts';
import { type GenerationName, signingRules } from '../generations.ts';
import type { Network, NetworkAlias, NetworkName } from '../network/networks.ts';
import { networks, resolveNetwork } from '../network/networks.ts';
import type { TemplateRules } from '../script/template.ts';
import type { SigningRules } from '../signing/signingRules.ts';
import type { ChainOutputs } from './blockchain/chainOutputs.ts';
import { type Json, type JsonForm, jsonValues } from './json/jsonForm.ts';
import type { ScriptPubKeyJson } from './views/jsonTypes.ts';

/** The dialect of the answers, and how it shows PSBTs and transactions: one row per dialect. */
export interface Dialect {
  readonly name: DialectName;
  /** Chooses the rows in `generations.ts`. */
  readonly generation: GenerationName;
  readonly templates: TemplateRules;
  /** `addresses`: `reqSigs` and a list, no descriptor. `address`: one address, with a descriptor. */
  readonly scriptPubKeyShape: 'addresses' | 'address';
  /** The mark of hardened steps in a path. */
  readonly hardenedMark: "'" | 'h';
  readonly finalScriptSigMember: 'final_scriptSig' | 'final_scriptsig';
  /** `documented` shows `tx` for version 2 PSBTs as well, Core only for version 0. */
  readonly alwaysShowsTx: boolean;
  /** `documented` shows `unknown` and `final_scriptwitness` even if they are empty, Core only if not. */
  readonly showsEmptyRecords: boolean;
  /** `documented` omits lists newer than 0.21 if they are empty; Core shows them. */
  readonly showsEmptyNewLists: boolean;
  /** True if inputs and outputs have `ismweb`: whether they belong to Litecoin's extension block. */
  readonly showsMweb: boolean;
  /** The name of the coin in error texts. */
  readonly coinName: 'Bitcoin' | 'Litecoin';
}

/** The name of a dialect: whose answers the RPC layer gives. */
export type DialectName = 'documented' | 'core-0.21' | 'litecoin-0.21' | 'core-31';

/** A row per dialect. Decoding reads {@link dialects} alone; rows without spreads let bundlers drop the other tables. */
type Rows<T> = Readonly<Record<DialectName, T>>;

const core31: Dialect = {
  name: 'core-31',
  generation: 'core-31',
  templates: { maxMultisigKeys: 20, anchor: true, mweb: false },
  scriptPubKeyShape: 'address',
  hardenedMark: 'h',
  finalScriptSigMember: 'final_scriptSig',
  alwaysShowsTx: false,
  showsEmptyRecords: false,
  showsEmptyNewLists: true,
  showsMweb: false,
  coinName: 'Bitcoin',
};
const core021: Dialect = {
  ...core31,
  name: 'core-0.21',
  generation: 'core-0.21',
  templates: { maxMultisigKeys: 16, anchor: false, mweb: false },
  scriptPubKeyShape: 'addresses',
  hardenedMark: "'",
};

/** The dialects by name. */
export const dialects: Rows<Dialect> = {
  documented: {
    ...core31,
    name: 'documented',
    finalScriptSigMember: 'final_scriptsig',
    alwaysShowsTx: true,
    showsEmptyRecords: true,
    showsEmptyNewLists: false,
  },
  'core-0.21': core021,
  'litecoin-0.21': {
    ...core021,
    name: 'litecoin-0.21',
    templates: { ...core021.templates, mweb: true },
    showsMweb: true,
    coinName: 'Litecoin',
  },
  'core-31': core31,
};

/** How a dialect signs, finalizes, combines and joins, and how it words what fails. */
export interface SigningDialect {
  /** `documented` adds a code and a hint to input errors, and advice to the texts on keys and descriptors. */
  readonly explainsErrors: boolean;
  /** Core signs for MAX_MONEY if it does not know an amount; `documented` does not, as such a signature is wrong. */
  readonly signsUnknownAmounts: boolean;
  /** `documented` signs for the taproot output whose internal key is the key; Core needs its descriptor. @see BIP86 */
  readonly tweaksKeys: boolean;
  /** Core signs PSBT inputs with SIGHASH_SINGLE and no output of their number; `documented` refuses to. */
  readonly signsLoneSingle: boolean;
  /** Core trusts final fields that it cannot verify; `documented` does not. */
  readonly trustsFinalFields: boolean;
  /** `combinepsbt` of Core keeps the sighash types of the first PSBT only; `documented` keeps all. */
  readonly keepsFirstSighashTypes: boolean;
  /**
   * `combinerawtransaction` of Core verifies no Schnorr signature, as it looks at one coin at a time, and drops them;
   * `documented` keeps valid ones.
   */
  readonly combinesSchnorr: boolean;
  /** `joinpsbts` of Core keeps taproot signatures, which are void in the new transaction; `documented` drops them. */
  readonly joinsTaprootSignatures: boolean;
}

const CORE_SIGNING: SigningDialect = {
  explainsErrors: false,
  signsUnknownAmounts: true,
  tweaksKeys: false,
  signsLoneSingle: true,
  trustsFinalFields: true,
  keepsFirstSighashTypes: true,
  combinesSchnorr: false,
  joinsTaprootSignatures: true,
};

/** The rows of {@link SigningDialect}. */
export const signingDialects: Rows<SigningDialect> = {
  documented: {
    explainsErrors: true,
    signsUnknownAmounts: false,
    tweaksKeys: true,
    signsLoneSingle: false,
    trustsFinalFields: false,
    keepsFirstSighashTypes: false,
    combinesSchnorr: true,
    joinsTaprootSignatures: false,
  },
  'core-0.21': CORE_SIGNING,
  'litecoin-0.21': CORE_SIGNING,
  'core-31': CORE_SIGNING,
};

/** The sighash type to sign with unless told: Core 31 has DEFAULT, 0.21 and `documented` ALL. */
export const defaultSighashes: Rows<'ALL' | 'DEFAULT'> = {
  documented: 'ALL',
  'core-0.21': 'ALL',
  'litecoin-0.21': 'ALL',
  'core-31': 'DEFAULT',
};

/** The version of the PSBTs to create unless told: Core 31 has 2, 0.21 knows 0 alone, and all software reads 0. */
export const defaultPsbtVersions: Rows<0 | 2> = {
  documented: 0,
  'core-0.21': 0,
  'litecoin-0.21': 0,
  'core-31': 2,
};

/** How a dialect's node and its wallets follow the chain and show what they know. */
export interface WalletDialect {
  /** Where a node looks for the whole transactions to put into PSBTs: `documented` in the chain as well. */
  readonly previousTransactions: 'nowhere' | 'mempool' | 'mempool-and-chain';
  /** Entries of Core 31 tell whether a received transaction is abandoned; those of 0.21 and the contract do not. */
  readonly showsAbandoned: boolean;
  /** Entries of 0.21 and the contract have `bip125-replaceable`; Core 31 has dropped it. */
  readonly showsReplaceability: boolean;
  /** Entries of Core have `trusted` always, those of the contract only if it is true. */
  readonly showsDistrust: boolean;
  /** `documented` has `isscript` for witness programs that it does not know; Core has not. */
  readonly classifiesUnknownPrograms: boolean;
  /** Which transactions of the mempool others can replace: in 0.21 those that signal it, in Core 31 any. */
  readonly replaceable: 'signalling' | 'any';
  /** Litecoin's node replaces none unless told so. */
  readonly replacedByDefault: boolean;
  /** Litecoin's wallets pass conflicts and abandonment on to the first recorded spender of an output, Core's to all. */
  readonly followsFirstSpender: boolean;
  /** `documented` says why a backup could not be written; Core only writes it into its log. */
  readonly explainsBackups: boolean;
}

/** The rows of {@link WalletDialect}. */
export const walletDialects: Rows<WalletDialect> = {
  documented: {
    previousTransactions: 'mempool-and-chain',
    showsAbandoned: false,
    showsReplaceability: true,
    showsDistrust: false,
    classifiesUnknownPrograms: true,
    replaceable: 'any',
    replacedByDefault: true,
    followsFirstSpender: false,
    explainsBackups: true,
  },
  'core-0.21': {
    previousTransactions: 'nowhere',
    showsAbandoned: false,
    showsReplaceability: true,
    showsDistrust: true,
    classifiesUnknownPrograms: false,
    replaceable: 'signalling',
    replacedByDefault: true,
    followsFirstSpender: false,
    explainsBackups: false,
  },
  'litecoin-0.21': {
    previousTransactions: 'nowhere',
    showsAbandoned: false,
    showsReplaceability: true,
    showsDistrust: true,
    classifiesUnknownPrograms: false,
    replaceable: 'signalling',
    replacedByDefault: false,
    followsFirstSpender: true,
    explainsBackups: false,
  },
  'core-31': {
    previousTransactions: 'mempool',
    showsAbandoned: true,
    showsReplaceability: false,
    showsDistrust: true,
    classifiesUnknownPrograms: false,
    replaceable: 'any',
    replacedByDefault: true,
    followsFirstSpender: false,
    explainsBackups: false,
  },
};

/** Returns the signing rules of a dialect. */
export function signingRulesOf({ name, generation, templates }: Dialect): SigningRules {
  const { tweaksKeys, signsLoneSingle } = signingDialects[name];
  return { ...signingRules[generation], templates, tweaksKeys, signsLoneSingle };
}

/** Returns the options of PSBT roles that sign or verify. */
export function roleOptions({ dialect, ecc }: RpcContext): { rules: SigningRules; trustsFinal: boolean; ecc?: Ecc } {
  const { trustsFinalFields: trustsFinal } = signingDialects[dialect.name];
  return { rules: signingRulesOf(dialect), trustsFinal, ...(ecc && { ecc }) };
}

/** The network and the dialect of the answers, and the curve backend. */
export interface RpcOptions {
  /** The name of a built-in network, or a custom network. Default `main`. */
  readonly network?: NetworkName | NetworkAlias | Network;
  /** Default `documented`. */
  readonly dialect?: DialectName;
  /** The curve backend. Default @noble/secp256k1. */
  readonly ecc?: Ecc;
  /** Called whenever a signing method has finished an input. */
  readonly onProgress?: (done: number, inputs: number) => void;
}

export const RPC_OPTIONS: OptionNames<RpcOptions> = { network: true, dialect: true, ecc: true, onProgress: true };

/** The options, resolved. */
export interface RpcContext {
  readonly network: Network;
  readonly dialect: Dialect;
  readonly ecc?: Ecc;
  readonly onProgress?: (done: number, inputs: number) => void;
  /** Looks up outputs in the node's chain and mempool; absent without a node. */
  readonly chain?: ChainOutputs;
  /** The form of answers that are large: values, or text if the caller only prints them. */
  readonly json: JsonForm;
  /** Within one answer, caches the last scriptPubKeys shown by their hex: a PSBT shows most coins twice. */
  readonly shown?: Map<string, Json<ScriptPubKeyJson>>;
}

/** Resolves network and dialect. @throws `argument/invalid`, `network/unknown`, `network/invalid`, `dialect/unknown` */
export function resolveContext(options: RpcOptions): RpcContext {
  assertKnownOptions(options, RPC_OPTIONS);
  const { network = networks.main, dialect = 'documented', ...rest } = options;
  if (!Object.hasOwn(dialects, dialect)) {
    const known = Object.keys(dialects).join(', ');
    throw new BtcError(
      'dialect/unknown',
      { name: withoutSecrets(dialect), known },
      `There is no dialect ${quoted(dialect)}: choose ${known}`,
    );
  }
  return { network: resolveNetwork(network), dialect: dialects[dialect], json: jsonValues, ...rest };
}
