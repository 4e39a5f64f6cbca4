import { assertShape, isObject } from '../bytes/knownOptions.ts';
import { BtcError } from '../errors.ts';
import type { Network } from '../network/networks.ts';
import { DUST_FEE_RATE } from '../tx/dust.ts';
import type { Finding, Observation } from './finding.ts';

/** The action for a finding: `refuse` prevents signing, `warn` shows it, `allow` drops it. */
export const POLICY_ACTIONS = ['refuse', 'warn', 'allow'] as const;

/** What a policy does about a check that fails. */
export type PolicyAction = (typeof POLICY_ACTIONS)[number];

/** The name of a check. */
export type PolicyCheck =
  /**
   * Segwit v0 signatures commit to their own amount only: two signing sessions with different false amounts can add up
   * to a fee that was never shown.
   */
  | 'amount-unproven'
  /** The previous transaction shows another coin than the PSBT claims. */
  | 'amount-mismatch'
  /** The previous transaction is not the one spent, or lacks the output. */
  | 'previous-transaction-mismatch'
  | 'coin-unknown'
  /** A legacy signature does not commit to the amount, and no previous transaction proves it. */
  | 'legacy-unproven'
  /** The PSBT asks for a hash type that the caller has not named. */
  | 'sighash-unnamed'
  /** A named type that leaves inputs or outputs open. */
  | 'sighash-unusual'
  | 'sighash-undefined'
  /** SINGLE without an output at the input's index. */
  | 'single-without-output'
  /** A signature has another hash type than the one to sign with. */
  | 'signature-sighash'
  /** A redeemScript or witnessScript that the coin or output does not commit to. */
  | 'script-mismatch'
  | 'signature-invalid'
  /** A signature by a key that the coin does not take. */
  | 'signature-foreign'
  /** A fee above `warnFeePercent` and 10 000 satoshi, `warnFeeRate` or `warnFee`. */
  | 'fee-high'
  /** A fee above `maxFeePercent` and 100 000 satoshi, or `maxFeeRate`. */
  | 'fee-absurd'
  | 'fee-negative'
  | 'amount-impossible'
  /** Below what any node relays. */
  | 'fee-low'
  /** An output names a key of yours, but another script than your keys or wallets have there. */
  | 'change-refuted'
  /** An output claims to be yours, and no key or wallet at hand proves or refutes it. */
  | 'change-unverified'
  /** Change that others can spend sooner than the way by which its coins are spent. */
  | 'change-later'
  /** Two statements about a key that cannot both be true, or one that a key at hand refutes. */
  | 'key-contradicted'
  /** Keys or paths of another network. */
  | 'network-mixed'
  /** Yours, at an index or in an account that a restored wallet does not search. */
  | 'path-far'
  /** Your key alone, at a path or with a script that no wallet of yours has. */
  | 'path-unusual'
  /** An output that was not named as what is to be paid. */
  | 'pays-other'
  /** An internal key, Merkle root or leaf that the output key does not commit to. */
  | 'taproot-mismatch'
  /** A leaf of another version, or with OP_SUCCESS or OP_CODESEPARATOR. */
  | 'leaf-unusual'
  /** A script that is neither a standard template nor a miniscript. */
  | 'script-unread'
  | 'coin-repeated'
  /** An uncompressed or invalid key in segwit, which can never sign. */
  | 'key-uncompressed'
  /** A locktime that no input enables or that is not a recent height, or a coin that must age. */
  | 'locktime-unusual'
  /** A coin whose every way to spend waits for a lock that the transaction does not meet: no signature completes it. */
  | 'lock-unmet'
  /** A version other than 1 to 3. */
  | 'version-unusual'
  /** Two signatures with one nonce reveal the private key. */
  | 'nonce-repeated'
  /** What the PSBT says of it is false or forbidden. */
  | 'silent-payment-refuted'
  /** Its script is not computed yet: shares lack. */
  | 'silent-payment-open'
  /** It claims to pay an address, without the shares or proofs that show it. */
  | 'silent-payment-unproven'
  /** Its receiver finds it if the coins are what the PSBT claims, other outputs go to the same receiver, or nothing changes. */
  | 'silent-payment-conditional'
  /** It would be found only if other outputs go to the same receiver, and its script is not computed yet. */
  | 'silent-payment-receivers'
  /** It would cost more to spend than it is worth. */
  | 'dust'
  | 'burn'
  | 'anyone-can-spend'
  /** More claims than the review searches. Refused with keys at hand. */
  | 'search-cut'
  /** An address with your scan key, and a spend key that is not yours. */
  | 'silent-foreign'
  /** An output to your account of another number, of which no coin is spent. */
  | 'account-other'
  /** An output to a wallet of yours that is not spent. */
  | 'wallet-other'
  /** An output to a wallet that no key of yours has registered, and that is not spent, or has other chains than 0 and 1. */
  | 'wallet-foreign'
  /** Change to a wallet that no key of yours has registered. Allowed on test networks. */
  | 'wallet-unregistered'
  /** A wallet that is not as you registered it. */
  | 'wallet-changed'
  /** A wallet that another one has replaced. */
  | 'wallet-retired'
  /** Change to a wallet of which not all of your coins come: others may control it. */
  | 'wallets-mixed'
  /** A coin that no wallet at hand derives, but a key at hand can sign for. */
  | 'owner-unknown'
  /** Coins beside yours that are not: a PSBT that hides one of yours in each of two sessions shows them so. */
  | 'coin-foreign'
  /** The PSBT shows a text that its transaction does not sign. @see BIP322, BIP127 */
  | 'message-mismatch'
  /** It signs a text that it does not show, which may be consent to anything. */
  | 'message-hidden';

/** The default action of every check, where its finding does not bring another. */
export const POLICY_DEFAULTS: Readonly<Record<PolicyCheck, PolicyAction>> = {
  'amount-unproven': 'warn',
  'amount-mismatch': 'refuse',
  'previous-transaction-mismatch': 'refuse',
  'coin-unknown': 'warn',
  'legacy-unproven': 'refuse',
  'sighash-unnamed': 'refuse',
  'sighash-unusual': 'warn',
  'sighash-undefined': 'refuse',
  'single-without-output': 'refuse',
  'signature-sighash': 'refuse',
  'script-mismatch': 'refuse',
  'signature-invalid': 'refuse',
  'signature-foreign': 'warn',
  'fee-high': 'warn',
  'fee-absurd': 'refuse',
  'fee-negative': 'refuse',
  'fee-low': 'warn',
  'amount-impossible': 'refuse',
  'change-refuted': 'refuse',
  'change-unverified': 'warn',
  'change-later': 'refuse',
  'key-contradicted': 'refuse',
  'network-mixed': 'refuse',
  'path-far': 'warn',
  'path-unusual': 'refuse',
  'pays-other': 'refuse',
  'taproot-mismatch': 'refuse',
  'leaf-unusual': 'refuse',
  'script-unread': 'warn',
  'coin-repeated': 'refuse',
  'key-uncompressed': 'refuse',
  'locktime-unusual': 'warn',
  'lock-unmet': 'warn',
  'version-unusual': 'warn',
  'nonce-repeated': 'warn',
  'silent-payment-refuted': 'refuse',
  'silent-payment-open': 'warn',
  'silent-payment-unproven': 'refuse',
  'silent-payment-conditional': 'warn',
  'silent-payment-receivers': 'refuse',
  dust: 'warn',
  burn: 'refuse',
  'anyone-can-spend': 'refuse',
  'search-cut': 'warn',
  'silent-foreign': 'refuse',
  'account-other': 'warn',
  'wallet-other': 'warn',
  'wallet-foreign': 'refuse',
  'wallet-unregistered': 'warn',
  'wallet-changed': 'refuse',
  'wallet-retired': 'refuse',
  'wallets-mixed': 'refuse',
  'owner-unknown': 'warn',
  'coin-foreign': 'warn',
  'message-mismatch': 'refuse',
  'message-hidden': 'refuse',
};

/** Actions that replace the defaults, by check. */
export type Policy = Readonly<Partial<Record<PolicyCheck, PolicyAction>>>;

/** The limits of the checks. */
export interface PolicyLimits {
  /** Satoshi per virtual byte. */
  readonly maxFeeRate: number;
  readonly warnFeeRate: number;
  /** Percent of the payments, or without any, of the coins. */
  readonly maxFeePercent: number;
  readonly warnFeePercent: number;
  /** Satoshi. */
  readonly warnFee: number;
  /** Satoshi per virtual byte of the input that will spend the output. @see Bitcoin Core `DUST_RELAY_TX_FEE` */
  readonly dustFeeRate: number;
  /** The highest lock without a warning: the tip of the chain, if known. */
  readonly maxLockHeight: number;
}

const LIMITS: PolicyLimits = {
  maxFeeRate: 1000,
  warnFeeRate: 300,
  maxFeePercent: 25,
  warnFeePercent: 5,
  warnFee: 500_000,
  dustFeeRate: DUST_FEE_RATE,
  maxLockHeight: 1_500_000,
};

/**
 * Returns the limits of a network, replaced by the caller's; `Infinity` for none.
 * @throws `policy/invalid`: a misspelt name must not disable a check
 */
export function resolveLimits(
  { maxFeeRate, dustFeeRate, maxLockHeight }: Network,
  overrides: Partial<PolicyLimits> = {},
): PolicyLimits {
  assertShape('limits', isObject(overrides), 'an object with limits');
  const set = Object.entries(overrides).filter(([, value]) => value !== undefined);
  for (const [name, value] of set) {
    if (!Object.hasOwn(LIMITS, name) || !(typeof value === 'number' && value >= 0)) invalid(name, value);
  }
  return {
    ...LIMITS,
    ...(maxFeeRate && { maxFeeRate }),
    ...(dustFeeRate && { dustFeeRate }),
    ...(maxLockHeight && { maxLockHeight }),
    ...Object.fromEntries(set),
  };
}

/** Too short for a key or a seed phrase. */
const SHOWN = /^-?[a-zA-Z0-9.]{1,16}(?:-[a-zA-Z]{1,16})?$/;

const redact = (text: string): string => (SHOWN.test(text) ? text : '...');

/** Shows nothing that might be a secret. */
function invalid(name: string, value: unknown): never {
  const data = { name: redact(name), value: redact(String(value)) };
  const message = `The policy has no check or limit ${data.name}, or does not take ${data.value} for it`;
  throw new BtcError('policy/invalid', data, message);
}

const ACTIONS: ReadonlySet<unknown> = /* @__PURE__ */ new Set<PolicyAction | undefined>([...POLICY_ACTIONS, undefined]);

export function judge(observations: readonly Observation[], policy: Policy = {}): readonly Finding[] {
  assertShape('policy', isObject(policy), 'an object with actions by check');
  for (const [name, action] of Object.entries(policy)) {
    if (!Object.hasOwn(POLICY_DEFAULTS, name) || !ACTIONS.has(action)) invalid(name, action);
  }
  return observations.flatMap((observation): readonly Finding[] => {
    const { check } = observation;
    const action = policy[check] ?? observation.action ?? POLICY_DEFAULTS[check];
    return action === 'allow' ? [] : [{ ...observation, action }];
  });
}

export const refusalsIn = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ action }) => action === 'refuse');
