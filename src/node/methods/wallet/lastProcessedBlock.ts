import { type Answer, hex, members, numeric } from '../../../answers/method/results.ts';
import { formatReversedHex } from '../../../core/bytes/hex.ts';
import type { Wallet } from '../../wallet/records/walletState.ts';

export const lastProcessedBlockResult = members(
  { hash: hex(), height: numeric() },
  'the block up to which the wallet has followed the chain',
);

/** @see Bitcoin Core `AppendLastProcessedBlock` */
export const lastProcessedBlock = ({ row: { tip } }: Wallet): Answer<typeof lastProcessedBlockResult> => ({
  hash: formatReversedHex(tip.hash),
  height: tip.height,
});
