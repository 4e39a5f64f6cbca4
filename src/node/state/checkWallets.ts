import { quoted } from '../../core/encoding/redaction.ts';
import { BtcError } from '../../core/errors.ts';
import { assertSecrets, recordFaults } from '../wallet/records/recordFaults.ts';
import type { Wallet } from '../wallet/records/walletState.ts';
import type { Node } from './node.ts';
import { readAll } from './walletBackup.ts';

/**
 * Verifies that the records of each wallet agree with each other: every private key and script is there, and so is every
 * transaction, in each index.
 * @throws BtcError `store/corrupt` at the first fault
 */
export function checkWallets(node: Node): void {
  node.inCall(() => {
    for (const wallet of node.wallets.values()) checkWallet(wallet);
  });
}

function checkWallet(wallet: Wallet): void {
  const { name, legacy, descriptors } = wallet;
  readAll(wallet);
  assertSecrets(wallet);
  for (const faults of [(legacy ?? descriptors)?.faults() ?? [], recordFaults(wallet)]) {
    for (const fault of faults) {
      const message = `The wallet ${quoted(name)} ${fault}: restore the store from a backup`;
      throw new BtcError('store/corrupt', { path: '', reason: 'missing' }, message);
    }
  }
}
