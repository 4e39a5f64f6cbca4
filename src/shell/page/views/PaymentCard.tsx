import type { JSX } from 'preact';
import { printable } from '../../../core/encoding/printable.ts';
import type { NetworkName } from '../../../core/network/networks.ts';
import { amountText } from '../format.ts';
import type { PaymentView } from '../protocol.ts';
import { texts } from '../texts.ts';
import { Card, Grouped } from './parts.tsx';

/** Shows what a payment URI asks for, and what the open document makes of it. */
export function PaymentCard({ payment }: { readonly payment: PaymentView }): JSX.Element {
  const { amount, label, message, addresses = [], silentPayments = [], others = [], found } = payment;
  const inCoins = (sats: string | bigint): string => amountText(BigInt(sats), payment.network as NetworkName);
  const keys = others.map(({ key }) => printable(key).slice(0, 30));
  return (
    <Card title={texts.payment.title}>
      <p>{amount === undefined ? texts.payment.noAmount : inCoins(amount)}</p>
      {label !== undefined && <p>{texts.payment.label(printable(label))}</p>}
      {message !== undefined && <p>{texts.payment.message(printable(message))}</p>}
      {[...addresses, ...silentPayments].map((address) => (
        <p key={address}>
          <Grouped text={address} />
        </p>
      ))}
      {keys.length > 0 && <p>{texts.payment.others(keys.join(', '))}</p>}
      {payment.owner && <p>{texts.payment.own}</p>}
      <div class={`notice ${foundTone(found)}`} role="status">
        <p>{found ? foundText(found, inCoins) : texts.payment.nothingOpen}</p>
      </div>
    </Card>
  );
}

/** Money that returns to the payer pays nobody else. */
function foundTone(found: PaymentView['found']): 'good' | 'bad' | 'info' {
  if (found && found.kind !== 'paid') return 'bad';
  return found && !found.isOwn ? 'good' : 'info';
}

function foundText(found: NonNullable<PaymentView['found']>, inCoins: (sats: bigint) => string): string {
  switch (found.kind) {
    case 'paid':
      return found.isOwn ? texts.payment.paidOwn(found.outputIndex) : texts.payment.paid(found.outputIndex);
    case 'conditional':
      return texts.payment.conditional(found.outputIndex);
    case 'other-amount':
      return texts.payment.otherAmount(found.outputIndex, inCoins(found.value));
    case 'repeated':
      return texts.payment.repeated(found.outputIndexes.join(', '));
    default:
      return texts.payment.missing;
  }
}
