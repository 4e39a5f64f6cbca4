import { bytesKey, equalBytes } from '../bytes/compare.ts';
import { formatOrigin } from '../keys/path.ts';
import type { PsbtOutput } from '../psbt/format/types.ts';
import type { SilentPayment } from '../psbt/silentPayments/verify.ts';
import type { SilentPaymentAddress } from '../silentPayments/address.ts';
import { claimedKeys } from './claims.ts';
import { type Holder, hasKeys } from './holder.ts';
import type { HeldPsbt, Owner } from './owner.ts';
import type { Refutations } from './refutation.ts';
import type { FalseClaim, Intent, RoleVerdict, Spent } from './role.ts';
import type { SilentWallet } from './silentWallets.ts';

/** A silent payment, and whose its address is. */
export interface JudgedPayment extends SilentPayment {
  /** The wallet of the address, if it and all others with its scan key are the holder's, and none is refuted. */
  readonly ownWallet?: SilentWallet;
  /** True if the holder's wallets find payments to the address, whoever else has its scan key in the PSBT. */
  readonly isOwnAddress: boolean;
  /** True if the holder has the scan key, and another spend key than that of the address, with any label in use. */
  readonly isForeignSpendKey: boolean;
}

/** Judges the addresses of all silent payments of a PSBT. */
export function judgePayments(
  { silent }: Pick<Holder, 'silent'>,
  payments: readonly SilentPayment[],
): ReadonlyMap<number, JudgedPayment> {
  if (payments.length === 0) return new Map();
  const judged = payments.map((payment) => {
    const { address } = payment;
    const wallet = silent().find(({ receiver }) => equalBytes(receiver.address().scanKey, address.scanKey));
    return { payment, wallet, isOwn: wallet?.receiver.isOwn(address) === true };
  });
  const foreign = new Set(
    judged.flatMap(({ payment: { address, status }, isOwn }) =>
      isOwn && status !== 'refuted' ? [] : [bytesKey(address.scanKey)],
    ),
  );
  return new Map(
    judged.map(({ payment, wallet, isOwn }) => {
      const ownWallet = foreign.has(bytesKey(payment.address.scanKey)) ? undefined : wallet;
      return [
        payment.outputIndex,
        {
          ...payment,
          ...(ownWallet && { ownWallet }),
          isOwnAddress: isOwn,
          isForeignSpendKey: wallet !== undefined && !isOwn,
        },
      ];
    }),
  );
}

/** Tells whether an address is one of the holder's, by which its wallets find payments. */
export const ownsAddress =
  ({ silent }: Pick<Holder, 'silent'>) =>
  (address: SilentPaymentAddress): boolean =>
    silent().some(({ receiver }) => receiver.isOwn(address));

interface SilentContext {
  readonly held: HeldPsbt;
  readonly spent: Spent;
  readonly refutations: Refutations;
  /** True if nothing but the holder's own signing can still change whom the payment reaches. */
  readonly isSure: boolean;
  readonly intent?: Intent | undefined;
}

/** Judges an output that names an address of silent payments: the address says whose it is, the script nothing. */
export function judgeSilentRole(
  payment: JudgedPayment,
  output: PsbtOutput,
  { held, spent, refutations, isSure }: SilentContext,
): RoleVerdict {
  const { ownWallet: wallet } = payment;
  if (wallet) {
    const owner: Owner = { kind: 'silent', root: hasKeys(held.holder) ? 'key' : 'listed', wallet };
    if (spent.kind !== 'accounts' || !isSure) return { owner, role: 'own', stays: false };
    const isSpent = spent.numbers.has(`${wallet.seed} ${wallet.number}`);
    return { owner, role: isSpent ? 'change' : 'own', stays: true };
  }
  const stranger = { owner: { kind: 'none', root: 'none' }, role: 'payment', stays: false } as const;
  const refutation = payment.isOwnAddress ? undefined : falseClaim(payment, output, { refutations, held });
  if (payment.isForeignSpendKey) return { ...stranger, finding: { check: 'silent-foreign', data: {} } };
  return refutation ? { ...stranger, finding: { check: 'change-refuted', data: refutation } } : stranger;
}

/** Coordinators name the scan key and the spend key of change, and this address is none of the holder's. @see BIP375 "Change Detection" */
function falseClaim(
  { address }: JudgedPayment,
  output: PsbtOutput,
  { refutations, held }: Pick<SilentContext, 'refutations' | 'held'>,
): FalseClaim | undefined {
  const claims = claimedKeys(output);
  if (claims.length === 0) return undefined;
  const refutation = refutations.refuteOrigins({ scriptPubKey: output.script ?? NO_SCRIPT, claimedKeys: claims });
  if (refutation) return refutation;
  const own = claims.find((claim) => held.proofs.prove(claim));
  if (own) return { reason: 'other-address', origin: formatOrigin(own.origin) };
  // Of two keys, one is the scan key; the spend key alone may have a label.
  const isNamed = claims.length < 2 || claims.some(({ publicKey }) => equalBytes(publicKey, address.scanKey));
  return isNamed ? undefined : { reason: 'scan-key' };
}

const NO_SCRIPT = /* @__PURE__ */ new Uint8Array(0);
