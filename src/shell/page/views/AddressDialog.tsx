import type { JSX } from 'preact';
import { isSilentPaymentText } from '../../../core/silentPayments/address.ts';
import { texts } from '../texts.ts';
import { Codes } from './Codes.tsx';
import { CopyButton, Dialog, Grouped } from './parts.tsx';

export const AddressDialog = ({
  address,
  onClose,
}: {
  readonly address: string;
  readonly onClose: () => void;
}): JSX.Element => (
  <Dialog title={texts.review.compareTitle} onClose={onClose}>
    <p>{isSilentPaymentText(address) ? texts.review.compareAllHelp : texts.review.compareHelp}</p>
    <p>
      <Grouped text={address} size="large" />
    </p>
    <CopyButton text={address} name={address} />
    <Codes form={{ kind: 'address', address }} />
  </Dialog>
);
