import { isBytes } from '../bytes/assertBytes.ts';
import { formatHex } from '../bytes/hex.ts';
import { assertList, assertShape, isObject } from '../bytes/knownOptions.ts';
import { type Intent, isNamed as isNamedWallet } from '../holder/role.ts';
import type { OutputReview } from './outputs.ts';
import { plainName } from './paymentName.ts';

/**
 * Whom the signer wants to pay: a script, an address of silent payments as text, a wallet that is registered or listed, or a payment
 * name, which must be proven.
 */
export type Payee =
  | { readonly scriptPubKey: Uint8Array }
  | { readonly silentAddress: string }
  | { readonly wallet: string }
  | { readonly name: string };

export interface ReviewIntent extends Intent {
  readonly silentAddresses: ReadonlySet<string>;
  /** Without ₿, in lower case. */
  readonly names: ReadonlySet<string>;
}

/** @throws `argument/invalid` for a payee that names nothing, or several things */
export function intentOf(payees: readonly Payee[]): ReviewIntent {
  assertList('pays', payees);
  for (const [i, payee] of payees.entries()) {
    assertShape(
      `pays[${i}]`,
      isPayee(payee),
      'an object with one of scriptPubKey (bytes), silentAddress, wallet and name (texts)',
    );
  }
  return {
    scripts: new Set(payees.flatMap((payee) => ('scriptPubKey' in payee ? [formatHex(payee.scriptPubKey)] : []))),
    silentAddresses: new Set(
      payees.flatMap((payee) => ('silentAddress' in payee ? [payee.silentAddress.toLowerCase()] : [])),
    ),
    wallets: new Set(payees.flatMap((payee) => ('wallet' in payee ? [payee.wallet] : []))),
    names: new Set(payees.flatMap((payee) => ('name' in payee ? [plainName(payee.name)] : []))),
  };
}

function isPayee(payee: unknown): boolean {
  if (!isObject(payee)) return false;
  const { scriptPubKey, ...texts } = payee as Record<string, unknown>;
  const { silentAddress, wallet, name, ...others } = texts;
  const named = [scriptPubKey, silentAddress, wallet, name].filter((value) => value !== undefined);
  const isRight = isBytes(scriptPubKey) || [silentAddress, wallet, name].some((value) => typeof value === 'string');
  return named.length === 1 && isRight && Object.keys(others).length === 0;
}

/** Tells whether an output pays what was named; a silent payment also before its script is computed. */
export function isIntended(
  { scriptPubKey, owner, silentPayment, name }: Pick<OutputReview, 'scriptPubKey' | 'owner' | 'silentPayment' | 'name'>,
  intent: ReviewIntent,
): boolean {
  const { scripts, silentAddresses, names } = intent;
  const { address, status } = silentPayment ?? {};
  const isNamed = name !== undefined && names.has(name.name);
  if (address !== undefined) {
    return (status === 'proven' || status === 'open') && (isNamed || silentAddresses.has(address));
  }
  return (
    isNamed || scripts.has(formatHex(scriptPubKey)) || (owner.kind === 'wallet' && isNamedWallet(owner.wallet, intent))
  );
}
