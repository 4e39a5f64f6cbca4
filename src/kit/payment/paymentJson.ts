import type { OtherParameter, PaymentUri } from './paymentUri.ts';

/** A payment URI as JSON: satoshi as a decimal string, and no empty lists. Members that `PaymentUri` has mean the same. */
export interface PaymentJson {
  readonly network: string;
  readonly addresses?: readonly string[];
  readonly silentPayments?: readonly string[];
  readonly amount?: string;
  readonly label?: string;
  readonly message?: string;
  readonly pop?: string;
  readonly others?: readonly OtherParameter[];
}

export function paymentToJson({
  network,
  amount,
  addresses,
  silentPayments,
  others,
  ...texts
}: PaymentUri): PaymentJson {
  return {
    network: network.name,
    ...(addresses.length > 0 && { addresses }),
    ...(silentPayments.length > 0 && { silentPayments }),
    ...(amount !== undefined && { amount: amount.toString() }),
    ...texts,
    ...(others.length > 0 && { others }),
  };
}
