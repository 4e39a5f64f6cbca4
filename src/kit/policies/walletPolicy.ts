import { assertText } from '../../core/bytes/assertText.ts';
import { assertKnownOptions, type OptionNames } from '../../core/bytes/knownOptions.ts';
import type { Ecc } from '../../core/crypto/ecc.ts';
import { nobleEcc } from '../../core/crypto/nobleEcc.ts';
import { parseAnnotatedDescriptor } from '../../core/descriptors/annotations.ts';
import { hasPrivateKeys } from '../../core/descriptors/derive.ts';
import { formatDescriptor } from '../../core/descriptors/formatDescriptor.ts';
import { joinPaths } from '../../core/descriptors/joinPaths.ts';
import { type PolicyTemplate, policyTemplate } from '../../core/descriptors/policyTemplate.ts';
import type { Descriptor } from '../../core/descriptors/types.ts';
import { BtcError, type ErrorData } from '../../core/errors.ts';
import { type Network, type NetworkOption, resolveNetwork } from '../../core/network/networks.ts';
import { type Account, createAccount } from '../account/account.ts';
import { accountPartsFromWalletFile } from '../account/accountWalletFile.ts';
import { finishDraft } from '../account/walletFiles/finishDraft.ts';
import type { WalletFile } from '../account/walletFiles/walletFile.ts';
import { policyDraft } from '../account/walletFiles/walletPolicy.ts';

/**
 * A wallet as hardware signers register it: the person who approves it sees the name and the template.
 *
 * @see BIP388 "Wallet policies"
 */
export interface WalletPolicy extends PolicyTemplate {
  readonly name: string;
}

/** Options of everything that reads a policy. */
export interface PolicyOptions {
  /** Default: that of the keys, and `main` if several fit. */
  readonly network?: NetworkOption;
  readonly ecc?: Ecc;
}

const POLICY: OptionNames<WalletPolicy> = { name: 'needed', template: 'needed', keys: 'needed' };
const OPTIONS: OptionNames<PolicyOptions> = { network: true, ecc: true };

export interface ReadPolicy {
  readonly file: WalletFile;
  readonly descriptor: Descriptor;
  readonly network: Network;
}

/** @throws `walletfile/*` */
export function readPolicy(policy: WalletPolicy, options: PolicyOptions = {}): ReadPolicy {
  assertKnownOptions(policy, POLICY);
  for (const member of ['name', 'template'] as const) assertText(member, policy[member]);
  assertKnownOptions(options, OPTIONS);
  const { network: asked, ecc = nobleEcc } = options;
  const draft = policyDraft(policy.template, policy.keys);
  const file = finishDraft('policy', { ...draft, name: policy.name }, { network: asked, ecc });
  const { descriptors, network, networks } = file;
  const [descriptor] = descriptors;
  if (descriptors.some(hasPrivateKeys)) refuse('private-key', 'it holds a private key: pass public keys only');
  if (!descriptor || !network) {
    const found = networks.join(' or ');
    const message = `The BIP388 wallet policy may be for ${found}: name the network`;
    throw new BtcError('walletfile/network', { format: 'BIP388 wallet policy', found }, message);
  }
  return { file, descriptor, network };
}

/**
 * Creates an account of a policy, whose reviews name its wallet. It holds no private keys.
 *
 * @throws as `policyDescriptor`
 *
 * @example
 * ```ts
 * import { accountFromPolicy } from 'countersign/policies';
 *
 * const key = "[73c5da0a/84'/0'/0']xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V";
 * const account = accountFromPolicy({ name: 'Savings', template: 'wpkh(@0/**)', keys: [key] });
 * account.receive(0).address; // bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu
 * ```
 */
export function accountFromPolicy(policy: WalletPolicy, options: PolicyOptions = {}): Account {
  return createAccount(
    accountPartsFromWalletFile(readPolicy(policy, options).file, options.ecc ? { ecc: options.ecc } : {}),
  );
}

/**
 * Writes a policy as the descriptor of its wallet, for both chains, with a checksum.
 *
 * @throws `walletfile/invalid` for a template or keys against the rules of the BIP, or keys that do not fit the template;
 * `walletfile/network`
 * @see BIP388 "Descriptor derivation"
 *
 * @example
 * ```ts
 * import { policyDescriptor } from 'countersign/policies';
 *
 * const key = "[73c5da0a/84'/0'/0']xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V";
 * policyDescriptor({ name: 'Savings', template: 'wpkh(@0/**)', keys: [key] }).slice(0, 24); // wpkh([73c5da0a/84'/0'/0'
 * ```
 */
export function policyDescriptor(policy: WalletPolicy, options: PolicyOptions = {}): string {
  const { descriptor, network } = readPolicy(policy, options);
  return formatDescriptor(descriptor, network);
}

/**
 * Makes the policy of a descriptor, or of one for each chain (receive, then change).
 *
 * @throws `policies/unsupported` for a descriptor that no policy expresses, such as one of keys without two chains;
 * `descriptor/invalid`
 * @see BIP388 "Wallet descriptor template"
 *
 * @example
 * ```ts
 * import { policyOf } from 'countersign/policies';
 *
 * const key = "[73c5da0a/84'/0'/0']xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V";
 * policyOf(`wpkh(${key}/<0;1>/*)`, { name: 'Savings' }).template; // wpkh(@0/**)
 * ```
 */
export function policyOf(
  descriptors: string | readonly [receive: string, change: string],
  options: PolicyOptions & { readonly name: string },
): WalletPolicy {
  assertKnownOptions(options, { ...OPTIONS, name: 'needed' });
  const { name, network: asked = 'main', ecc = nobleEcc } = options;
  assertText('name', name);
  const network = resolveNetwork(asked);
  const [receive, change] = [descriptors]
    .flat()
    .map((text) => parseAnnotatedDescriptor(text, network, { ecc }).descriptor);
  const descriptor = receive && change ? joinPaths(receive, change) : receive;
  if (!descriptor) return refuse('chains', 'the descriptors differ in more than the step of their chains');
  if (hasPrivateKeys(descriptor)) refuse('private-key', 'it holds a private key: pass public keys only');
  const policy = canonicalPolicy(name, { descriptor, network });
  readPolicy(policy, { network, ecc });
  return policy;
}

type Reason = ErrorData['policies/unsupported']['reason'];

function refuse(reason: Reason, text: string): never {
  throw new BtcError('policies/unsupported', { reason }, `There is no such wallet policy: ${text}`);
}

/** Writes a descriptor as a policy. */
export function canonicalPolicy(
  name: string,
  { descriptor, network }: Pick<ReadPolicy, 'descriptor' | 'network'>,
): WalletPolicy {
  const policy = policyTemplate(descriptor, network);
  if (policy.keys.length === 0) refuse('keys', 'it has no extended keys');
  return { name, ...policy };
}
