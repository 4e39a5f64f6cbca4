import type { Ecc } from '../crypto/ecc.ts';
import { BtcError } from '../errors.ts';
import type { Network, NetworkName } from '../network/networks.ts';
import { networks, resolveNetwork } from '../network/networks.ts';
import type { TemplateRules } from '../script/template.ts';
import { withoutSecrets } from '../text/secrets.ts';
import type { ScriptPubKeyJson } from './answers.ts';
import type { ChainOutputs } from './chainOutputs.ts';

/** Everything in which one node's answers differ from another's: one row per dialect, read by the RPC methods. */
export interface Dialect {
  readonly name: DialectName;
  /** Which error texts, parameter checks and PSBT records are known. */
  readonly generation: 'core-0.21' | 'core-31';
  readonly templates: TemplateRules;
  /** `addresses`: `reqSigs` and a list, no descriptor. `address`: one address, with a descriptor. */
  readonly scriptPubKeyShape: 'addresses' | 'address';
  /** What marks a hardened step of a path. */
  readonly hardenedMark: "'" | 'h';
  readonly finalScriptSigMember: 'final_scriptSig' | 'final_scriptsig';
  /** Whether members that the contract marks "always" are there when empty, and newer ones only when not. */
  readonly followsContract: boolean;
  /** Whether inputs and outputs tell if they belong to Litecoin's extension block (`ismweb`). */
  readonly showsMweb: boolean;
  /** What the coin is called in errors. */
  readonly coinName: 'Bitcoin' | 'Litecoin';
}

export type DialectName = 'documented' | 'core-0.21' | 'litecoin-0.21' | 'core-31';

const core021: Dialect = {
  name: 'core-0.21',
  generation: 'core-0.21',
  templates: { maxMultisigKeys: 16, anchor: false, mweb: false },
  scriptPubKeyShape: 'addresses',
  hardenedMark: "'",
  finalScriptSigMember: 'final_scriptSig',
  followsContract: false,
  showsMweb: false,
  coinName: 'Bitcoin',
};
const core31: Dialect = {
  name: 'core-31',
  generation: 'core-31',
  templates: { maxMultisigKeys: 20, anchor: true, mweb: false },
  scriptPubKeyShape: 'address',
  hardenedMark: 'h',
  finalScriptSigMember: 'final_scriptSig',
  followsContract: false,
  showsMweb: false,
  coinName: 'Bitcoin',
};

/** The dialects by name. */
export const dialects: Readonly<Record<DialectName, Dialect>> = {
  documented: { ...core31, name: 'documented', finalScriptSigMember: 'final_scriptsig', followsContract: true },
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

/** Who is to answer: which chain, and like which node. */
export interface RpcOptions {
  /** A built-in network's name, or a network of one's own. Default `main`. */
  readonly network?: NetworkName | Network;
  /** Default `documented`. */
  readonly dialect?: DialectName;
  /** Who does the arithmetic of signatures. Default @noble/secp256k1. */
  readonly ecc?: Ecc;
  /** Called after each input that a signing method is done with. */
  readonly onProgress?: (done: number, inputs: number) => void;
}

/** The options, looked up. */
export interface RpcContext {
  readonly network: Network;
  readonly dialect: Dialect;
  readonly ecc?: Ecc;
  readonly onProgress?: (done: number, inputs: number) => void;
  /** Looks up outputs in the chain and mempool of a node; absent without a node. */
  readonly chain?: ChainOutputs;
  /** Within one answer, the scriptPubKeys shown so far by their hex: a PSBT shows most coins twice. */
  readonly shown?: Map<string, ScriptPubKeyJson>;
}

/** Looks up network and dialect. @throws `network/unknown`, `network/invalid`, `dialect/unknown` */
export function resolveContext({ network = networks.main, dialect = 'documented', ...rest }: RpcOptions): RpcContext {
  if (!Object.hasOwn(dialects, dialect)) {
    throw new BtcError('dialect/unknown', { name: withoutSecrets(dialect), known: Object.keys(dialects).join(', ') });
  }
  return { network: resolveNetwork(network), dialect: dialects[dialect], ...rest };
}
