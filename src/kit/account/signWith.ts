import { assertKnownOptions, assertShape, isObject } from '../../core/bytes/knownOptions.ts';
import { createHolder, type Holder, type HolderParts } from '../../core/holder/holder.ts';
import {
  type OpenOptions,
  openJob,
  PSBT_OPTIONS,
  type PsbtOptions,
  reviewJob,
  SIGNING_OPTIONS,
  type SignedByAccount,
  type SigningOptions,
  signJob,
} from '../../core/job/job.ts';
import type { AnyPsbt } from '../../core/psbt/format/parsePsbt.ts';
import type { Psbt } from '../../core/psbt/format/types.ts';
import type { PsbtReview } from '../../core/review/reviewPsbt.ts';

/** An account of any kind, or whatever else says what is the signer's. */
export interface Holding {
  readonly holds: HolderParts;
}

/**
 * Adds an account's scripts, keys and origins to a PSBT.
 * @throws as `parsePsbt`, `updatePsbt`
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, updateWith } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0).address, weight: 272 };
 * const psbt = buildPsbt({ inputs: [coin], outputs: { [me.receive(1).address]: 60_000n }, change: me.change(0), feeRate: 2 });
 * updateWith(me, psbt).inputs[0]?.bip32Derivations?.length; // 1
 * ```
 */
export const updateWith = (account: Holding, psbt: AnyPsbt): Psbt => openJob(psbt, holderOf(account)).psbt;

/**
 * Reviews a PSBT as an account's owner, who sees what the account knows of it.
 * @throws as `parsePsbt`, `reviewPsbt`
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, reviewWith } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const psbt = buildPsbt({ inputs: [coin], outputs: { [me.receive(1).address]: 60_000n }, change: me.change(0), feeRate: 2 });
 * reviewWith(me, psbt).fee; // 282n
 * ```
 */
export function reviewWith(account: Holding, psbt: AnyPsbt, options: PsbtOptions = {}): PsbtReview {
  assertKnownOptions(options, PSBT_OPTIONS);
  return reviewJob(openJob(psbt, holderOf(account), openOptions(options)), options);
}

/**
 * Updates, reviews and signs a PSBT with an account's keys, and finalizes what is complete, unless `openReason` says what is
 * left open.
 * @throws `policy/refused` if the review refuses it; `account/nothing-signed` if signing changed nothing; as `reviewWith`
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, signWith } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const psbt = buildPsbt({ inputs: [coin], outputs: { [me.receive(1).address]: 60_000n }, change: me.change(0), feeRate: 2 });
 * signWith(me, psbt).isComplete; // true
 * ```
 */
export function signWith(account: Holding, psbt: AnyPsbt, options: SigningOptions = {}): SignedByAccount {
  assertKnownOptions(options, SIGNING_OPTIONS);
  const job = openJob(psbt, holderOf(account), { ...openOptions(options), addsShares: true });
  return signJob(job, reviewJob(job, options), options);
}

const openOptions = ({ sighashType, sameReceiver, preimages }: PsbtOptions): OpenOptions => ({
  ...(sighashType !== undefined && { sighashType }),
  ...(sameReceiver && { sameReceiver }),
  ...(preimages && { preimages }),
});

function holderOf(account: Holding): Holder {
  assertShape('account', isObject(account) && isObject(account.holds), 'an account, such as accountFromWords makes');
  return createHolder(account.holds);
}
