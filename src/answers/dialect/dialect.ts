import { assertText } from '../../core/bytes/assertText.ts';
import { assertKnownOptions, type OptionNames } from '../../core/bytes/knownOptions.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { quoted, withoutSecrets } from '../../core/encoding/redaction.ts';
import { BtcError } from '../../core/errors.ts';
import { type GenerationName, isWithin } from '../../core/generations.ts';
import { type Network, type NetworkOption, networks, resolveNetwork } from '../../core/network/networks.ts';
import type { ScriptKey } from '../../core/script/scriptKey.ts';
import type { TemplateRules } from '../../core/script/template.ts';
import type { ChainOutputs } from '../chainOutputs.ts';
import type { Draft } from '../method/results.ts';
import type { scriptPubKeyResult } from '../views/transactionResults.ts';
import { BASES, canonicalDialect, type DialectAlias, type DialectName, type DialectTraits } from './dialectNames.ts';

/** The dialect of the answers, and how it shows PSBTs and transactions. */
export interface Dialect {
  readonly name: DialectName;
  readonly generation: GenerationName;
  /** How it reads PSBTs, and speaks of broken ones. `documented` reads version 2, as newer wallets write. */
  readonly psbts: GenerationName;
  readonly templates: TemplateRules;
  /** `addresses`: `reqSigs` and a list, no descriptor. `address`: one address, with a descriptor. */
  readonly scriptPubKeyShape: 'addresses' | 'address';
  readonly hardenedMark: "'" | 'h';
  readonly finalScriptSigMember: 'final_scriptSig' | 'final_scriptsig';
  /** Core shows `tx` only for version 0 PSBTs. */
  readonly alwaysShowsTx: boolean;
  /** `unknown` and `final_scriptwitness`. */
  readonly showsEmptyRecords: boolean;
  /** `documented` omits lists newer than 0.21 if they are empty. */
  readonly showsEmptyNewLists: boolean;
  /** Inputs and outputs have `ismweb`: whether they belong to Litecoin's extension block. */
  readonly showsMweb: boolean;
  /** Unknown witness programs have `isscript`. */
  readonly classifiesUnknownPrograms: boolean;
  readonly coinName: 'Bitcoin' | 'Litecoin';
}

export type ByDialect<T> = Readonly<Record<DialectName, T>>;

/** Completes the rules: a dialect keeps what it does not change of its base. */
export function byDialect<T extends object>(
  changes: { readonly 'core-0.21': T } & { readonly [N in DialectName]?: Partial<T> },
): ByDialect<T> {
  const names = Object.keys(BASES) as DialectName[];
  const complete = (name: DialectName): T => {
    const base = BASES[name];
    return { ...(base === undefined ? changes['core-0.21'] : complete(base)), ...changes[name] };
  };
  return Object.fromEntries(names.map((name) => [name, complete(name)])) as ByDialect<T>;
}

/** The dialects by name. */
export const dialects: ByDialect<Dialect> = byDialect<Dialect>({
  'core-0.21': {
    name: 'core-0.21',
    generation: 'core-0.21',
    psbts: 'core-0.21',
    templates: { maxMultisigKeys: 16, anchor: false, mweb: false },
    scriptPubKeyShape: 'addresses',
    hardenedMark: "'",
    finalScriptSigMember: 'final_scriptSig',
    alwaysShowsTx: false,
    showsEmptyRecords: false,
    showsEmptyNewLists: true,
    showsMweb: false,
    classifiesUnknownPrograms: false,
    coinName: 'Bitcoin',
  },
  'litecoin-0.21': {
    name: 'litecoin-0.21',
    templates: { maxMultisigKeys: 16, anchor: false, mweb: true },
    showsMweb: true,
    coinName: 'Litecoin',
  },
  'core-29': {
    name: 'core-29',
    generation: 'core-29',
    psbts: 'core-29',
    templates: { maxMultisigKeys: 20, anchor: true, mweb: false },
    scriptPubKeyShape: 'address',
    hardenedMark: 'h',
  },
  'core-30': { name: 'core-30', generation: 'core-30', psbts: 'core-30' },
  'core-31': { name: 'core-31', generation: 'core-31', psbts: 'core-31' },
  'core-32': { name: 'core-32', generation: 'core-32', psbts: 'core-32' },
  documented: {
    name: 'documented',
    psbts: 'core-32',
    finalScriptSigMember: 'final_scriptsig',
    alwaysShowsTx: true,
    showsEmptyRecords: true,
    showsEmptyNewLists: false,
    classifiesUnknownPrograms: true,
  },
});

export const isInDialect = (
  { name, generation }: Dialect,
  { onlyInDialect = name, alsoInDialect, ...lifetime }: DialectTraits,
): boolean => name === alsoInDialect || (name === onlyInDialect && isWithin(generation, lifetime));

/** The network and the dialect of the answers, and the curve backend. */
export interface RpcOptions {
  /** Default: `main`. */
  readonly network?: NetworkOption;
  /** Default: `documented`. */
  readonly dialect?: DialectName | DialectAlias;
  /** Default: @noble/secp256k1. */
  readonly ecc?: Ecc;
  /** After each input of a signing method. */
  readonly onProgress?: (done: number, inputs: number) => void;
}

export const RPC_OPTIONS: OptionNames<RpcOptions> = { network: true, dialect: true, ecc: true, onProgress: true };

/** Values for callers of the library; the text at once for those who only print it; values of which each prints exactly. */
export type AnswerForm = 'values' | 'text' | 'printable';

export interface RpcContext {
  readonly network: Network;
  readonly dialect: Dialect;
  readonly ecc?: Ecc;
  readonly onProgress?: (done: number, inputs: number) => void;
  /** Absent without a node. */
  readonly chain?: ChainOutputs;
  readonly form: AnswerForm;
  /** Deprecated members of answers that the node shows all the same. @see Bitcoin Core `-deprecatedrpc` */
  readonly keeps?: readonly string[] | undefined;
  /** Of the node. Default 20. @see Bitcoin Core `-bytespersigop` */
  readonly bytesPerSigOp?: number | undefined;
  /** Within one answer, caches the last scriptPubKeys shown by their hex: a PSBT shows most coins twice. */
  readonly shown?: Map<ScriptKey, Draft<typeof scriptPubKeyResult>>;
}

const isDialectName = (name: string): name is DialectName => Object.hasOwn(dialects, name);

export function resolveContext(options: RpcOptions): RpcContext {
  assertKnownOptions(options, RPC_OPTIONS);
  const { network = networks.main, dialect: given = 'documented', ...rest } = options;
  assertText('dialect', given);
  const dialect = canonicalDialect(given);
  if (!isDialectName(dialect)) {
    const names = Object.keys(dialects).join(', ');
    throw new BtcError(
      'dialect/unknown',
      { name: withoutSecrets(dialect), known: names },
      `There is no dialect ${quoted(dialect)}: choose ${names}`,
    );
  }
  return { network: resolveNetwork(network), dialect: dialects[dialect], form: 'values', ...rest };
}
