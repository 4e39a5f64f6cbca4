import { quoted } from '../../core/encoding/redaction.ts';
import { BtcError } from '../../core/errors.ts';
import { chainFaults } from '../chain/chainFaults.ts';
import { assertSecrets, recordFaults } from '../wallet/records/recordFaults.ts';
import type { Wallet } from '../wallet/records/walletState.ts';
import type { Node } from './node.ts';
import { readAll } from './walletBackup.ts';

/**
 * Verifies that the records of the chain agree with each other, and those of each wallet: every private key and script
 * is there, and so is every transaction, in each index.
 * @throws BtcError `store/corrupt` at the first fault
 */
export function checkWallets(node: Node): void {
  node.inCall(() => {
    for (const fault of chainFaults(node.chain)) throw corrupt(`The chain ${fault}`);
    for (const wallet of node.wallets.values()) checkWallet(wallet);
  });
}

function checkWallet(wallet: Wallet): void {
  const { row, legacy, descriptors } = wallet;
  readAll(wallet);
  assertSecrets(wallet);
  for (const faults of [(legacy ?? descriptors)?.faults() ?? [], recordFaults(wallet)]) {
    for (const fault of faults) {
      throw corrupt(`The wallet ${quoted(row.name)} ${fault}`);
    }
  }
}

const corrupt = (what: string): BtcError =>
  new BtcError('store/corrupt', { path: '', reason: 'missing' }, `${what}: restore the store from a backup`);
