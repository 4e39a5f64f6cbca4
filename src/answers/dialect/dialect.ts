import { assertKnownOptions, type OptionNames } from '../../core/bytes/knownOptions.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { quoted, withoutSecrets } from '../../core/encoding/redaction.ts';
import { BtcError } from '../../core/errors.ts';
import type { GenerationName } from '../../core/generations.ts';
import type { Network, NetworkAlias, NetworkName } from '../../core/network/networks.ts';
import { networks, resolveNetwork } from '../../core/network/networks.ts';
import type { TemplateRules } from '../../core/script/template.ts';
import type { ChainOutputs } from '../chainOutputs.ts';
import { type Json, type JsonForm, jsonValues } from '../json/jsonForm.ts';
import type { ScriptPubKeyJson } from '../views/jsonTypes.ts';
import { BASES, type DialectName } from './dialectNames.ts';

/** The dialect of the answers, and how it shows PSBTs and transactions: one row per dialect. */
export interface Dialect {
  readonly name: DialectName;
  /** The Core release whose rules it follows. */
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
  /** `documented` has `isscript` for unknown witness programs; Core has not. */
  readonly classifiesUnknownPrograms: boolean;
  /** The name of the coin in error texts. */
  readonly coinName: 'Bitcoin' | 'Litecoin';
}

/** The rules of one subject, by dialect. */
export type ByDialect<T> = Readonly<Record<DialectName, T>>;

/** Completes rules that say what each dialect changes of its base. */
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
  'core-31': {
    name: 'core-31',
    generation: 'core-31',
    templates: { maxMultisigKeys: 20, anchor: true, mweb: false },
    scriptPubKeyShape: 'address',
    hardenedMark: 'h',
  },
  documented: {
    name: 'documented',
    finalScriptSigMember: 'final_scriptsig',
    alwaysShowsTx: true,
    showsEmptyRecords: true,
    showsEmptyNewLists: false,
    classifiesUnknownPrograms: true,
  },
});

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
