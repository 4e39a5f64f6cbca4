import { assertShape, isObject } from '../bytes/knownOptions.ts';
import { BtcError } from '../errors.ts';
import type { Network } from '../network/networks.ts';
import { DUST_FEE_RATE } from '../tx/dust.ts';
import { type Finding, type Observation, POLICY_ACTIONS, type PolicyAction, type PolicyCheck } from './finding.ts';

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
  'name-unproven': 'warn',
  'name-refuted': 'refuse',
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
