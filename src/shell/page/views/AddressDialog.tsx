import type { JSX } from 'preact';
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
    <p>{texts.review.compareHelp}</p>
    <p>
      <Grouped text={address} size="large" />
    </p>
    <CopyButton text={address} name={address} />
    <Codes form={{ kind: 'address', address }} />
  </Dialog>
);
