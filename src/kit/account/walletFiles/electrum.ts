import type { Ecc } from '../../../core/crypto/ecc.ts';
import { unlessRefused } from '../../../core/errors.ts';
import { formatXpub } from '../../../core/keys/bip32.ts';
import { parseAnyExtendedKey } from '../../../core/keys/slip132.ts';
import { networks } from '../../../core/network/networks.ts';
import { type KeyOfFile, multisigDescriptor, networksOfKeys, readKey, singleKeyDescriptor } from './keyText.ts';
import { isRecord, type JsonRecord, type MultisigScript, refuseFile, textIn, type WalletDraft } from './walletFile.ts';

const FORMAT = 'electrum';

const SINGLE: Readonly<Partial<Record<KeyOfFile['script'], number>>> = {
  any: 44,
  p2pkh: 44,
  'p2sh-p2wpkh': 49,
  p2wpkh: 84,
};

const MULTISIG: Readonly<Partial<Record<KeyOfFile['script'], MultisigScript>>> = {
  any: 'p2sh',
  'p2sh-p2wsh': 'p2sh-p2wsh',
  p2wsh: 'p2wsh',
};

export function isElectrum(record: JsonRecord): boolean {
  return ['wallet_type', 'keystore', 'x1/', 'seed_version', 'master_public_keys'].some((name) => name in record);
}

/** Recognizes base64 of `BIE1` or `BIE2`. */
export function isEncryptedElectrum(text: string): boolean {
  return /^QklF[MT][A-Za-z0-9+/]/.test(text);
}

export function refuseEncryptedElectrum(): never {
  return refuseFile(
    FORMAT,
    'it is encrypted: save a copy of the wallet without a password in Electrum, or export its master public key',
  );
}

/** Recognizes the Python dictionary that Electrum 1 wrote. */
export function isOldElectrum(text: string): boolean {
  return /^\{\s*'/.test(text);
}

export function refuseOldElectrum(): never {
  return refuseFile(
    FORMAT,
    'it is from Electrum 2.6 or older: open the wallet once in a newer Electrum, which rewrites the file, and use that one',
  );
}

/** A wallet, and the changes that Electrum appended to its file. */
export type ElectrumJournal = readonly [wallet: JsonRecord, ...changes: readonly unknown[]];

export function isElectrumJournal(value: unknown): value is ElectrumJournal {
  if (!Array.isArray(value) || value.length < 2) return false;
  const [wallet, ...changes]: readonly unknown[] = value;
  return isRecord(wallet) && isElectrum(wallet) && changes.every((change) => isRecord(change) && 'op' in change);
}

/** @see Electrum `json_db.py`; RFC 6902 */
export function parseElectrumJournal([wallet, ...changes]: ElectrumJournal, ecc: Ecc): WalletDraft {
  for (const [index, change] of changes.entries()) {
    if (!isRecord(change) || !applyChange(wallet, change)) {
      refuseFile(
        FORMAT,
        `its change ${index + 1} does not fit the wallet: open it once in Electrum, which rewrites the file, and use that one`,
      );
    }
  }
  return parseElectrum(wallet, ecc);
}

/** Returns false for a change that does not fit. */
function applyChange(wallet: JsonRecord, { op, path, value }: JsonRecord): boolean {
  const isWritten = op === 'add' || op === 'replace' ? value !== undefined : op === 'remove';
  if (!isWritten || typeof path !== 'string' || !path.startsWith('/')) return false;
  const steps = path.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = steps.at(-1) ?? '';
  const target = steps.slice(1, -1).reduce<unknown>(ownMember, wallet);
  if (op !== 'add' && ownMember(target, last) === undefined) return false;
  const items = op === 'remove' ? [] : [value];
  if (Array.isArray(target)) return setItems(target, last, { removed: op === 'add' ? 0 : 1, items });
  return isRecord(target) && setMember(target, last, items);
}

function setItems(
  target: unknown[],
  place: string,
  { removed, items }: { readonly removed: number; readonly items: readonly unknown[] },
): boolean {
  const index = /^\d{1,10}$/.test(place) ? Number(place) : Number.POSITIVE_INFINITY;
  if (index > target.length) return false;
  target.splice(index, removed, ...items);
  return true;
}

/** Defines the member, since an assignment to `__proto__` would change the object's prototype. */
function setMember(target: JsonRecord, name: string, [value]: readonly unknown[]): boolean {
  if (value === undefined) return Reflect.deleteProperty(target, name);
  return Reflect.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}

const ownMember = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as JsonRecord)[name] : undefined;

/**
 * Reads keystores, whose key prefixes state the scripts, with unencrypted private keys, but without Electrum seed
 * words.
 * @see Electrum `wallet_db.py`, `keystore.py`
 */
export function parseElectrum(record: JsonRecord, ecc: Ecc): WalletDraft {
  const type = textIn(record, 'wallet_type') ?? 'standard';
  const quorum = /^(\d{1,2})of(\d{1,2})$/.exec(type);
  if ('accounts' in record) refuseOldElectrum();
  if (type.startsWith('imported')) refuseImported('it');
  if (type !== 'standard' && !quorum) {
    refuseFile(
      FORMAT,
      `wallets of type ${/^[a-z0-9_]{1,12}$/.test(type) ? type : 'unknown'} cannot be read; standard and multisig wallets can`,
    );
  }
  const names = quorum ? Array.from({ length: Number(quorum[2]) }, (_, i) => `x${i + 1}/`) : ['keystore'];
  const isEncrypted = record['use_encryption'] === true;
  const keys = names.map((name) => keyIn(record, name, { isEncrypted, ecc }));
  const text = quorum ? describeMultisig(Number(quorum[1]), keys) : describeSingle(keys);
  const first = firstAddressIn(record);
  return {
    networks: networksOfKeys(FORMAT, keys),
    descriptors: [
      {
        text,
        place: quorum ? 'its keystores' : 'its keystore',
        ...(first && { firstAddress: { address: first, place: 'its first receiving address' } }),
      },
    ],
  };
}

function keyIn(
  record: JsonRecord,
  name: string,
  { isEncrypted, ecc }: { readonly isEncrypted: boolean; readonly ecc: Ecc },
): KeyOfFile {
  const store = record[name];
  if (!isRecord(store)) return refuseFile(FORMAT, `it has no keystore "${name}"`);
  const place = `keystore "${name}"`;
  const type = textIn(store, 'type') ?? 'bip32';
  if (type === 'old') {
    refuseFile(FORMAT, `${place} is from an old seed (before Electrum 2.0), whose keys are not derived by BIP32`);
  }
  if (type === 'imported') refuseImported(place);
  const xpub = textIn(store, 'xpub') ?? refuseFile(FORMAT, `${place} has no extended public key ("xpub")`);
  const fingerprint = textIn(store, 'root_fingerprint');
  const path = textIn(store, 'derivation');
  const origin = fingerprint !== undefined && path !== undefined ? { origin: { fingerprint, path } } : {};
  const key = readKey({ format: FORMAT, place, text: xpub, ...origin });
  const xprv = isEncrypted ? undefined : textIn(store, 'xprv');
  if (xprv === undefined) return key;
  if (publicText(xprv, key.isTest, ecc) !== key.text)
    refuseFile(FORMAT, `${place} has a private key that is not that of its public key`);
  return readKey({ format: FORMAT, place, text: xprv, ...origin });
}

function refuseImported(place: string): never {
  return refuseFile(FORMAT, `${place} holds imported keys or addresses, which have no descriptor`);
}

function publicText(xprv: string, isTest: boolean, ecc: Ecc): string | undefined {
  const network = isTest ? networks.testnet3 : networks.main;
  const parsed = unlessRefused(() => parseAnyExtendedKey(xprv, network, ecc));
  return parsed && formatXpub(parsed.key, network);
}

function describeSingle([key]: readonly KeyOfFile[]): string {
  const purpose = key && SINGLE[key.script];
  const text = key && purpose !== undefined ? singleKeyDescriptor(purpose, key.expression) : undefined;
  return text ?? refuseFile(FORMAT, 'its keystore has a key of a multisig, but the wallet is of type standard');
}

function describeMultisig(required: number, keys: readonly KeyOfFile[]): string {
  const scripts = new Set(keys.map((key) => MULTISIG[key.script]));
  const [script] = scripts;
  if (!script || scripts.size > 1)
    return refuseFile(FORMAT, 'the prefixes of its keys do not agree on one multisig script');
  return multisigDescriptor(FORMAT, { required, script, keys });
}

function firstAddressIn(record: JsonRecord): string | undefined {
  const addresses = record['addresses'];
  const receiving = isRecord(addresses) ? addresses['receiving'] : undefined;
  const first: unknown = Array.isArray(receiving) ? receiving[0] : undefined;
  return typeof first === 'string' ? first : undefined;
}
