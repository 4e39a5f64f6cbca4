import { accountDraft } from './accountKey.ts';
import { readKey } from './keyText.ts';
import { isRecord, type JsonRecord, networksNamed, refuseFile, textIn, type WalletDraft } from './walletFile.ts';

const FORMAT = 'wasabi';

/** `purpose`: for keys without a path. */
const ACCOUNTS = [
  { key: 'ExtPubKey', path: 'AccountKeyPath', purpose: 84 },
  { key: 'TaprootExtPubKey', path: 'TaprootAccountKeyPath', purpose: 86 },
] as const;

export function isWasabi(record: JsonRecord): boolean {
  return 'ExtPubKey' in record;
}

/** Also reads what Coldcard, Cobo Vault and Keystone write. */
export function parseWasabi(record: JsonRecord): WalletDraft {
  const state = record['BlockchainState'];
  const drafts = ACCOUNTS.flatMap((account) => accountIn(record, account));
  if (drafts.length === 0) refuseFile(FORMAT, 'its "ExtPubKey" is not text');
  return {
    ...networksNamed(FORMAT, isRecord(state) ? textIn(state, 'Network') : undefined),
    descriptors: drafts.flatMap(({ descriptors }) => descriptors),
    signers: drafts.flatMap(({ signers }) => signers),
  };
}

function accountIn(record: JsonRecord, account: (typeof ACCOUNTS)[number]): readonly ReturnType<typeof accountDraft>[] {
  const text = textIn(record, account.key);
  if (text === undefined) return [];
  const place = `"${account.key}"`;
  const fingerprint = textIn(record, 'MasterFingerprint');
  const path = textIn(record, account.path);
  const origin = path === undefined ? {} : { origin: { ...(fingerprint && { fingerprint }), path } };
  const key = readKey({ format: FORMAT, place, text, ...origin });
  // Wasabi writes xpub for test networks, too.
  if (!key.isTest && /^(?:m\/)?\d+['hH]\/1['hH]/.test(path ?? '')) {
    refuseFile(FORMAT, `${place} is a key for the main network, but its path is one of test networks`);
  }
  return [accountDraft(FORMAT, key, { place, usual: account.purpose })];
}
