import { BtcError, shortened } from '../errors.ts';
import type { Network } from '../network/networks.ts';

/** The action for a finding: `refuse` prevents signing, `warn` shows the finding, `allow` drops it. */
export type PolicyAction = 'refuse' | 'warn' | 'allow';

/** The name of a check. */
export type PolicyCheck =
  /** A segwit v0 signature commits to the amount of its own input only: two signing sessions, each with another false amount, can add up to a fee that was never shown. */
  | 'amount-unproven'
  /** The claimed coin differs from the one in the previous transaction. */
  | 'amount-mismatch'
  /** The given previous transaction is not the one being spent, or lacks the output. */
  | 'previous-transaction-mismatch'
  /** The PSBT does not show the coin. */
  | 'coin-unknown'
  /** A legacy signature does not commit to the amount, and no previous transaction proves it. */
  | 'legacy-unproven'
  /** The PSBT asks for a hash type that the caller has not named. */
  | 'sighash-unnamed'
  /** A hash type that leaves inputs or outputs open, named by the caller. */
  | 'sighash-unusual'
  /** An undefined hash type. */
  | 'sighash-undefined'
  /** SINGLE without an output at the index of the input. */
  | 'single-without-output'
  /** An existing signature has a hash type other than the one to sign with. */
  | 'signature-sighash'
  /** A redeemScript or witnessScript that the coin, or the output, does not commit to. */
  | 'script-mismatch'
  /** An invalid signature or final field. */
  | 'signature-invalid'
  /** A fee above the share of the spent amount that deserves attention. */
  | 'fee-high'
  /** A fee above any that is plausibly intended. */
  | 'fee-absurd'
  /** Outputs exceed inputs. */
  | 'fee-negative'
  /** An amount that cannot exist. */
  | 'amount-impossible'
  /** An output that claims key origins but that no given descriptor derives. */
  | 'change-unverified'
  /** An output that names a key of yours, but pays to another script than your wallet has there. */
  | 'change-refuted'
  /** Change to a quorum that no input has. */
  | 'quorum-mixed'
  /** Change at a path that wallets do not search, or to a kind of script that no input has. */
  | 'path-unusual'
  /** An internal key, Merkle root or leaf that the output key does not commit to. */
  | 'taproot-mismatch'
  /** A leaf that is not plain tapscript: another version, OP_SUCCESS, OP_CODESEPARATOR. */
  | 'leaf-unusual'
  /** A script or leaf that is neither a standard template nor a miniscript. */
  | 'script-unread'
  /** A coin spent twice. */
  | 'coin-repeated'
  /** An uncompressed or invalid key in segwit, which can never sign. */
  | 'key-uncompressed'
  /** A locktime that no input enables, or one that no wallet sets to the current height; an input that must wait for its coin to age. */
  | 'locktime-unusual'
  /** A transaction version other than 1 to 3. */
  | 'version-unusual'
  /** Two signatures with the same nonce, which reveal the private key. */
  | 'nonce-repeated'
  /** An output for a silent payment, which cannot be verified here. */
  | 'silent-payment'
  /** An output that would cost more to spend than it is worth. */
  | 'dust'
  /** An output that can never be spent. */
  | 'burn'
  /** An output that anyone can spend without a key. */
  | 'anyone-can-spend'
  /** More claimed indexes than the review searches for own coins and change. */
  | 'indexes-many'
  /** An output to a given descriptor that does not derive all own coins being spent. */
  | 'wallet-other'
  /**
   * The same, while keys are at hand, and another key spends that descriptor's coins as soon as they or sooner, or none of
   * them is in it.
   */
  | 'wallet-foreign'
  /** A descriptor of which another key can spend the coins as soon as those at hand or sooner, or that has none of them. */
  | 'wallet-shared'
  /** A descriptor of which another key can spend the coins alone, but later than those at hand. */
  | 'wallet-later'
  /** A coin that no given descriptor derives, but for which an available key can sign. */
  | 'owner-unknown';

/** The default action of every check. */
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
  'fee-high': 'warn',
  'fee-absurd': 'refuse',
  'fee-negative': 'refuse',
  'amount-impossible': 'refuse',
  'change-unverified': 'warn',
  'change-refuted': 'refuse',
  'quorum-mixed': 'warn',
  'path-unusual': 'warn',
  'taproot-mismatch': 'refuse',
  'leaf-unusual': 'refuse',
  'script-unread': 'warn',
  'coin-repeated': 'refuse',
  'key-uncompressed': 'refuse',
  'locktime-unusual': 'warn',
  'version-unusual': 'warn',
  'nonce-repeated': 'warn',
  'silent-payment': 'refuse',
  dust: 'warn',
  burn: 'refuse',
  'anyone-can-spend': 'refuse',
  'indexes-many': 'warn',
  'wallet-other': 'warn',
  'wallet-foreign': 'refuse',
  'wallet-shared': 'warn',
  'wallet-later': 'warn',
  'owner-unknown': 'warn',
};

/** Actions that replace the defaults, by check. */
export type Policy = Readonly<Partial<Record<PolicyCheck, PolicyAction>>>;

/** The limits of the checks. Amounts are in satoshi. */
export interface PolicyLimits {
  /** Satoshi per virtual byte. */
  readonly maxFeeRate: number;
  /** Percent of the spent amount. */
  readonly maxFeePercent: number;
  readonly warnFeePercent: number;
  /** Satoshi per virtual byte of the input that will spend an output. @see Bitcoin Core `DUST_RELAY_TX_FEE` */
  readonly dustFeeRate: number;
  /** The highest index at which wallets look for change. */
  readonly maxIndex: number;
  /** The highest block height to which a transaction may be locked without a warning: the tip of the chain, if it is known. */
  readonly maxLockHeight: number;
}

const LIMITS: PolicyLimits = {
  maxFeeRate: 1000,
  maxFeePercent: 10,
  warnFeePercent: 5,
  dustFeeRate: 3,
  maxIndex: 100_000,
  maxLockHeight: 1_500_000,
};

/**
 * Returns the limits of a network, replaced by those that the caller sets; `Infinity` for no limit.
 * @throws `policy/invalid` for an unknown name or a value that is not a limit: a misspelt name must not disable a check
 */
export function limitsOf(
  { maxFeeRate, dustFeeRate, maxLockHeight }: Network,
  given: Partial<PolicyLimits> = {},
): PolicyLimits {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
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

/** One or two short words or a number: too little for a key or a seed phrase. */
const SHOWN = /^-?[a-zA-Z0-9.]{1,16}(?:-[a-zA-Z]{1,16})?$/;

const shown = (text: string): string => (SHOWN.test(text) ? text : '...');

/** @throws `policy/invalid`, whose data shows nothing that might be a secret */
function invalid(name: string, value: unknown): never {
  const data = { name: shown(name), value: shown(String(value)) };
  const message = `The policy has no check or limit ${data.name}, or does not take ${data.value} for it`;
  throw new BtcError('policy/invalid', data, message);
}

/** A fact about a PSBT that its signer should know. */
export interface Finding {
  readonly check: PolicyCheck;
  readonly action: Exclude<PolicyAction, 'allow'>;
  readonly inputIndex?: number;
  readonly outputIndex?: number;
  /** For the user. */
  readonly text: string;
}

/** A finding of a check before the policy decides on its action. */
export type Observation = Omit<Finding, 'action'>;

const ACTIONS: ReadonlySet<unknown> = /* @__PURE__ */ new Set<PolicyAction | undefined>([
  'refuse',
  'warn',
  'allow',
  undefined,
]);

/** Adds the policy's actions to observations; drops those that it allows. @throws `policy/invalid` */
export function judge(observations: readonly Observation[], policy: Policy = {}): readonly Finding[] {
  for (const [name, action] of Object.entries(policy)) {
    if (!Object.hasOwn(POLICY_DEFAULTS, name) || !ACTIONS.has(action)) invalid(name, action);
  }
  return observations.flatMap((observation) => {
    const action = policy[observation.check] ?? POLICY_DEFAULTS[observation.check];
    return action === 'allow' ? [] : [{ ...observation, action }];
  });
}

/** Returns the findings that the policy refuses. */
export const refusalsIn = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ action }) => action === 'refuse');

/**
 * Throws if the policy refuses any finding.
 * @throws `policy/refused` with the names of the checks and the findings
 */
export function assertAccepted(findings: readonly Finding[]): void {
  const refused = refusalsIn(findings);
  if (refused.length === 0) return;
  const checks = [...new Set(refused.map(({ check }) => check))].join(', ');
  const [first = '', ...more] = refused.map(({ text }) => text);
  const others = more.length > 0 ? `, and ${more.length} more` : '';
  const message = `The review refuses the PSBT (${checks}): ${first.replace(/\.$/, '')}${others}`;
  throw new BtcError('policy/refused', { checks, findings: [first, ...more].join('; ') }, shortened(message));
}

/** Returns one observation if `condition` holds, or else none. */
export function when(
  condition: boolean,
  check: PolicyCheck,
  text: () => string,
): readonly Pick<Observation, 'check' | 'text'>[] {
  return condition ? [{ check, text: text() }] : [];
}
