import { isRecord, type JsonRecord, networksNamed, refuseFile, textIn, type WalletDraft } from './walletFile.ts';

const FORMAT = 'liana';

export function isLianaBackup(record: JsonRecord): boolean {
  const accounts = record['accounts'];
  return Array.isArray(accounts) && accounts.some((account) => isRecord(account) && 'descriptor' in account);
}

/** @see Liana `liana-gui/src/backup.rs` */
export function parseLianaBackup(record: JsonRecord): WalletDraft {
  const accounts = record['accounts'];
  const name = textIn(record, 'alias') ?? textIn(record, 'name');
  return {
    ...(name && { name }),
    ...networksNamed(FORMAT, textIn(record, 'network')),
    descriptors: (Array.isArray(accounts) ? accounts : []).map((account: unknown, index) => {
      const text = isRecord(account) ? textIn(account, 'descriptor') : undefined;
      return {
        text: text ?? refuseFile(FORMAT, `account ${index + 1} has no descriptor`),
        place: `account ${index + 1}`,
      };
    }),
  };
}
