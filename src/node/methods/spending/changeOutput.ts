import { classifyScript } from '../../../core/script/template.ts';
import { inputWeight, type SpendSize } from '../../../core/tx/spendSize.ts';
import { sizeOfWeight } from '../../../core/tx/weight.ts';
import type { ChangeTerms, Recipient } from '../../../kit/coins/fundPayment.ts';
import type { OutputKind } from '../../wallet/keys/activeDescriptors.ts';
import type { WalletEvent } from '../../wallet/records/events.ts';
import { hasAddresses, nextAddress } from '../../wallet/records/newAddresses.ts';
import type { WalletContext } from '../context.ts';
import { RANGE_ENDED } from '../walletMethodRules.ts';
import { spendingRules } from './spendingRules.ts';

export interface ChangeChoice {
  /** Default: a new address of the wallet. */
  readonly changeScript?: Uint8Array | undefined;
  readonly changeKind?: OutputKind | undefined;
  /** Default: at random. */
  readonly changePosition?: number | undefined;
}

export type ChangeOutput =
  | { readonly kind: 'script'; readonly terms: ChangeTerms; readonly events: readonly WalletEvent[] }
  | { readonly kind: 'missing'; readonly reason: string };

/** @see Bitcoin Core `DUMMY_NESTED_P2WPKH_INPUT_SIZE` */
const NESTED_VSIZE = 91;

/** Does not hand out the address yet. @see Bitcoin Core `ReserveDestination` */
export function changeFor(
  { changeScript, changeKind, changePosition: position }: ChangeChoice,
  payment: {
    readonly estimateSize: (script: Uint8Array) => SpendSize | undefined;
    readonly recipients: readonly Recipient[];
  },
  context: WalletContext,
): ChangeOutput {
  const changeTerms = (scriptPubKey: Uint8Array): ChangeTerms => {
    const size = payment.estimateSize(scriptPubKey);
    return { scriptPubKey, position, spendVsize: size ? sizeOfWeight(inputWeight(size)) : NESTED_VSIZE };
  };
  if (changeScript) return { kind: 'script', terms: changeTerms(changeScript), events: [] };
  const { wallet, dialect } = context;
  const { keypoolAdvice } = spendingRules[dialect.generation];
  const kind = changeKind ?? usualKind(payment.recipients, context);
  const terms = { side: 'internal', kind } as const;
  const script = wallet.legacy && !hasAddresses(wallet, 'internal') ? 'used up' : nextAddress(wallet, terms);
  if (script === 'lacking') return { kind: 'missing', reason: `Error: No ${kind} addresses available.` };
  if (script === 'at its end') return { kind: 'missing', reason: RANGE_ENDED };
  if (script === 'used up') return { kind: 'missing', reason: keypoolAdvice };
  return { kind: 'script', terms: changeTerms(script), events: [{ type: 'address', ...terms }] };
}

/** Chooses a kind that does not stand out beside the recipients. @see Bitcoin Core `TransactionChangeType` */
function usualKind(recipients: readonly Recipient[], { wallet, settings }: WalletContext): OutputKind {
  if (settings.changeKind) return settings.changeKind;
  const has = (kind: OutputKind): boolean => nextAddress(wallet, { side: 'internal', kind }) !== 'lacking';
  if (wallet.legacy) return settings.addressKind;
  const types = new Set(recipients.map(({ scriptPubKey }) => classifyScript(scriptPubKey).type));
  const matching: readonly (readonly [OutputKind, boolean])[] = [
    ['bech32m', types.has('witness_v1_taproot')],
    ['bech32', types.has('witness_v0_keyhash')],
    ['p2sh-segwit', types.has('scripthash')],
    ['legacy', types.has('pubkeyhash')],
    ['bech32m', true],
  ];
  return matching.find(([kind, isUsual]) => isUsual && has(kind))?.[0] ?? 'bech32';
}
