import type { Ecc } from '../crypto/ecc.ts';
import { withoutSecrets } from '../encoding/redaction.ts';
import { BtcError } from '../errors.ts';
import type { GenerationName } from '../generations.ts';
import type { Network, NetworkName } from '../network/networks.ts';
import { networks, resolveNetwork } from '../network/networks.ts';
import type { TemplateRules } from '../script/template.ts';
import type { ChainOutputs } from './blockchain/chainOutputs.ts';
import type { ScriptPubKeyJson } from './views/jsonTypes.ts';

/** The differences between the answers of nodes: one row per dialect, read by the RPC methods. */
export interface Dialect {
  readonly name: DialectName;
  /** Decides error texts, parameter checks and the PSBT records that are known. */
  readonly generation: GenerationName;
  readonly templates: TemplateRules;
  /** `addresses`: `reqSigs` and a list, no descriptor. `address`: one address, with a descriptor. */
  readonly scriptPubKeyShape: 'addresses' | 'address';
  /** The mark of hardened steps in a path. */
  readonly hardenedMark: "'" | 'h';
  readonly finalScriptSigMember: 'final_scriptSig' | 'final_scriptsig';
  /** True if members that the contract marks "always" are shown even when empty, and newer ones only when not. */
  readonly followsContract: boolean;
  /** True if inputs and outputs have `ismweb`: whether they belong to Litecoin's extension block. */
  readonly showsMweb: boolean;
  /** Litecoin's wallets pass conflicts and abandonment on to the first recorded spender of an output, Core's to all. */
  readonly followsFirstSpender: boolean;
  /** The name of the coin in error texts. */
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
  followsFirstSpender: false,
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
  followsFirstSpender: false,
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
    followsFirstSpender: true,
    coinName: 'Litecoin',
  },
  'core-31': core31,
};

/** The network and the dialect of the answers, and the curve backend. */
export interface RpcOptions {
  /** The name of a built-in network, or a custom network. Default `main`. */
  readonly network?: NetworkName | Network;
  /** Default `documented`. */
  readonly dialect?: DialectName;
  /** The curve backend. Default @noble/secp256k1. */
  readonly ecc?: Ecc;
  /** Called whenever a signing method has finished an input. */
  readonly onProgress?: (done: number, inputs: number) => void;
}

/** The options, resolved. */
export interface RpcContext {
  readonly network: Network;
  readonly dialect: Dialect;
  readonly ecc?: Ecc;
  readonly onProgress?: (done: number, inputs: number) => void;
  /** Looks up outputs in the node's chain and mempool; absent without a node. */
  readonly chain?: ChainOutputs;
  /** Within one answer, caches the scriptPubKeys shown so far by their hex: a PSBT shows most coins twice. */
  readonly shown?: Map<string, ScriptPubKeyJson>;
}

/** Resolves network and dialect. @throws `network/unknown`, `network/invalid`, `dialect/unknown` */
export function resolveContext({ network = networks.main, dialect = 'documented', ...rest }: RpcOptions): RpcContext {
  if (!Object.hasOwn(dialects, dialect)) {
    throw new BtcError('dialect/unknown', { name: withoutSecrets(dialect), known: Object.keys(dialects).join(', ') });
  }
  return { network: resolveNetwork(network), dialect: dialects[dialect], ...rest };
}
