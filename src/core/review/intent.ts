import { isBytes } from '../bytes/assertBytes.ts';
import { formatHex } from '../bytes/hex.ts';
import { assertList, assertShape, isObject } from '../bytes/knownOptions.ts';
import { type Intent, isNamed } from '../holder/role.ts';
import type { OutputReview } from './outputs.ts';

/** Whom the signer wants to pay: a script, an address of silent payments as text, or a wallet that is registered or listed. */
export type Payee =
  | { readonly scriptPubKey: Uint8Array }
  | { readonly silentAddress: string }
  | { readonly wallet: string };

export interface ReviewIntent extends Intent {
  readonly silentAddresses: ReadonlySet<string>;
}

/** @throws `argument/invalid` for a payee that names nothing, or several things */
export function intentOf(payees: readonly Payee[]): ReviewIntent {
  assertList('pays', payees);
  for (const [i, payee] of payees.entries()) {
    assertShape(
      `pays[${i}]`,
      isPayee(payee),
      'an object with one of scriptPubKey (bytes), silentAddress and wallet (texts)',
    );
  }
  return {
    scripts: new Set(payees.flatMap((payee) => ('scriptPubKey' in payee ? [formatHex(payee.scriptPubKey)] : []))),
    silentAddresses: new Set(
      payees.flatMap((payee) => ('silentAddress' in payee ? [payee.silentAddress.toLowerCase()] : [])),
    ),
    wallets: new Set(payees.flatMap((payee) => ('wallet' in payee ? [payee.wallet] : []))),
  };
}

function isPayee(payee: unknown): boolean {
  if (!isObject(payee)) return false;
  const { scriptPubKey, silentAddress, wallet, ...others } = payee as Record<string, unknown>;
  const named = [scriptPubKey, silentAddress, wallet].filter((value) => value !== undefined);
  const isRight = isBytes(scriptPubKey) || typeof silentAddress === 'string' || typeof wallet === 'string';
  return named.length === 1 && isRight && Object.keys(others).length === 0;
}

/** Tells whether an output pays what was named; a silent payment also before its script is computed. */
export function isIntended(
  { scriptPubKey, owner, silentPayment }: Pick<OutputReview, 'scriptPubKey' | 'owner' | 'silentPayment'>,
  intent: ReviewIntent,
): boolean {
  const { scripts, silentAddresses } = intent;
  const { address, status } = silentPayment ?? {};
  if (address !== undefined) return (status === 'proven' || status === 'open') && silentAddresses.has(address);
  return scripts.has(formatHex(scriptPubKey)) || (owner.kind === 'wallet' && isNamed(owner.wallet, intent));
}
