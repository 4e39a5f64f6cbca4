import { withoutSecrets } from '../encoding/redaction.ts';
import { BtcError } from '../errors.ts';
import type { Network } from '../network/networks.ts';

/** What is done about a finding: `refuse` keeps a signer from signing, `warn` is shown, `allow` is not even that. */
export type PolicyAction = 'refuse' | 'warn' | 'allow';

/** A named check. */
export type PolicyCheck =
  /** Segwit v0 signs for one amount at a time: two sessions with two lies make a fee that nobody has seen. */
  | 'amount-unproven'
  /** The coin as it is claimed is not the one in the previous transaction. */
  | 'amount-mismatch'
  /** The previous transaction is not the one that is spent, or has no such output. */
  | 'previous-transaction-mismatch'
  /** Nothing tells what is spent. */
  | 'coin-unknown'
  /** Legacy signatures do not commit to the amount, and no previous transaction proves it. */
  | 'legacy-unproven'
  /** The PSBT asks for a hash type that the caller has not named. */
  | 'sighash-unnamed'
  /** A hash type that leaves inputs or outputs open, named by the caller. */
  | 'sighash-unusual'
  /** A hash type that has no meaning. */
  | 'sighash-undefined'
  /** SINGLE without an output of the input's number. */
  | 'single-without-output'
  /** A signature that is there has another hash type than the one asked for. */
  | 'signature-sighash'
  /** A redeemScript or witnessScript that the coin, or the output, does not commit to. */
  | 'script-mismatch'
  /** A signature, or a final field, that is there but not valid. */
  | 'signature-invalid'
  /** A fee above a share of what is spent that is worth a look. */
  | 'fee-high'
  /** A fee above what anyone means to pay. */
  | 'fee-absurd'
  /** More is paid than spent. */
  | 'fee-negative'
  /** An amount that cannot exist. */
  | 'amount-impossible'
  /** An output that says where its key comes from, but that the descriptors do not make. */
  | 'change-unverified'
  /** Change to another quorum than any that is spent. */
  | 'quorum-mixed'
  /** Change at a place where nobody looks for it, or to another kind of script than any that is spent. */
  | 'path-unusual'
  /** An internal key, a root or a leaf that the output key does not commit to. */
  | 'taproot-mismatch'
  /** A leaf that is not plain tapscript: another version, OP_SUCCESS, OP_CODESEPARATOR. */
  | 'leaf-unusual'
  /** One coin that is spent twice. */
  | 'coin-repeated'
  /** A key in segwit that is not compressed: nobody could ever spend with it. */
  | 'key-uncompressed'
  /** A locktime that no input lets count, or a relative lock: an input that must wait for its coin to age. */
  | 'locktime-unusual'
  /** A transaction version other than 1 to 3. */
  | 'version-unusual'
  /** Two signatures with one nonce: their key is lost. */
  | 'nonce-repeated'
  /** An output for a silent payment, which cannot be verified here. */
  | 'silent-payment'
  /** An output that costs more to spend than it holds. */
  | 'dust'
  /** Coins that can never be spent. */
  | 'burn'
  /** Coins that anyone can spend: no key is needed. */
  | 'anyone-can-spend'
  /** More claimed indexes than are searched for own coins and change. */
  | 'indexes-many'
  /** A coin that no given descriptor makes, but that a key at hand can sign for. */
  | 'owner-unknown';

/** The checks with what is done unless a caller says otherwise. */
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
  'quorum-mixed': 'warn',
  'path-unusual': 'warn',
  'taproot-mismatch': 'refuse',
  'leaf-unusual': 'refuse',
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
  'owner-unknown': 'warn',
};

/** Other actions than the usual ones, by the names of checks. */
export type Policy = Readonly<Partial<Record<PolicyCheck, PolicyAction>>>;

/** Where limits lie. Amounts are in the smallest unit. */
export interface PolicyLimits {
  /** Per virtual byte. */
  readonly maxFeeRate: number;
  /** Of what is spent. */
  readonly maxFeePercent: number;
  readonly warnFeePercent: number;
  /** Per virtual byte of what an output will cost to spend. @see Bitcoin Core `DUST_RELAY_TX_FEE` */
  readonly dustFeeRate: number;
  /** The last index at which change is looked for. */
  readonly maxIndex: number;
}

const LIMITS: PolicyLimits = {
  maxFeeRate: 1000,
  maxFeePercent: 10,
  warnFeePercent: 5,
  dustFeeRate: 3,
  maxIndex: 100_000,
};

/**
 * The limits of a network, with those that a caller sets; `Infinity` for none.
 * @throws `policy/invalid` for what is no limit or has no known name: a check that is misspelt must not be a check less
 */
export function limitsOf({ maxFeeRate, dustFeeRate }: Network, given: Partial<PolicyLimits> = {}): PolicyLimits {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  for (const [name, value] of set) {
    if (!Object.hasOwn(LIMITS, name) || !(typeof value === 'number' && value >= 0)) invalid(name, value);
  }
  return {
    ...LIMITS,
    ...(maxFeeRate && { maxFeeRate }),
    ...(dustFeeRate && { dustFeeRate }),
    ...Object.fromEntries(set),
  };
}

function invalid(name: string, value: unknown): never {
  throw new BtcError('policy/invalid', { name: withoutSecrets(name), value: withoutSecrets(String(value)) });
}

/** Something about a PSBT that its signer should know. */
export interface Finding {
  readonly check: PolicyCheck;
  readonly action: Exclude<PolicyAction, 'allow'>;
  readonly inputIndex?: number;
  readonly outputIndex?: number;
  /** For people. */
  readonly text: string;
}

/** Where, and in words, what a check has found. */
export type Observation = Omit<Finding, 'action'>;

const ACTIONS: ReadonlySet<unknown> = /* @__PURE__ */ new Set<PolicyAction | undefined>([
  'refuse',
  'warn',
  'allow',
  undefined,
]);

/** Observations that are not allowed, with what is to be done about them. @throws `policy/invalid` */
export function judge(observations: readonly Observation[], policy: Policy = {}): readonly Finding[] {
  for (const [name, action] of Object.entries(policy)) {
    if (!Object.hasOwn(POLICY_DEFAULTS, name) || !ACTIONS.has(action)) invalid(name, action);
  }
  return observations.flatMap((observation) => {
    const action = policy[observation.check] ?? POLICY_DEFAULTS[observation.check];
    return action === 'allow' ? [] : [{ ...observation, action }];
  });
}

/** @throws `policy/refused` with the names of the checks, if any finding is to be refused */
export function assertAccepted(findings: readonly Finding[]): void {
  const refused = findings.filter(({ action }) => action === 'refuse');
  if (refused.length === 0) return;
  const checks = [...new Set(refused.map(({ check }) => check))].join(', ');
  throw new BtcError('policy/refused', { checks, findings: refused.map(({ text }) => text).join('; ') });
}

/** What a check says, if it has anything to say. */
export function when(
  condition: boolean,
  check: PolicyCheck,
  text: () => string,
): readonly Pick<Observation, 'check' | 'text'>[] {
  return condition ? [{ check, text: text() }] : [];
}
