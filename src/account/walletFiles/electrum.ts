import type { Ecc } from '../../crypto/ecc.ts';
import { unlessRefused } from '../../errors.ts';
import { formatXpub } from '../../keys/bip32.ts';
import { parseAnyExtendedKey } from '../../keys/slip132.ts';
import { networks } from '../../network/networks.ts';
import {
  type KeyOfFile,
  type MultisigScript,
  multisigDescriptor,
  networksOfKeys,
  readKey,
  singleKeyDescriptor,
} from './keyText.ts';
import { isRecord, type JsonRecord, refuseFile, textIn, type WalletDraft } from './walletFile.ts';

const FORMAT = 'electrum';

/** The purpose of a single signer’s key, by the script in its prefix. */
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

/** Tells whether a JSON object has the members of an Electrum wallet. */
export function isElectrum(record: JsonRecord): boolean {
  return ['wallet_type', 'keystore', 'x1/', 'seed_version', 'master_public_keys'].some((name) => name in record);
}

/** Tells whether a text is an Electrum wallet that is encrypted as a whole: base64 that begins with `BIE1` or `BIE2`. */
export function isEncryptedElectrum(text: string): boolean {
  return /^QklF[MT][A-Za-z0-9+/]/.test(text);
}

/** @throws `walletfile/invalid` always */
export function refuseEncryptedElectrum(): never {
  return refuseFile(
    FORMAT,
    'it is encrypted: save a copy of the wallet without a password in Electrum, or export its master public key',
  );
}

/**
 * Reads an Electrum wallet: its keystores, whose prefixes say which scripts they have. A private key is taken over if the
 * file holds it unencrypted. Electrum's own seed words are not read.
 * @throws `walletfile/invalid`
 * @see Electrum `wallet_db.py`, `keystore.py`
 */
export function parseElectrum(record: JsonRecord, ecc: Ecc): WalletDraft {
  const type = textIn(record, 'wallet_type') ?? 'standard';
  const quorum = /^(\d{1,2})of(\d{1,2})$/.exec(type);
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
    refuseFile(FORMAT, `${place} is of an old seed (before Electrum 2.0), whose keys are not derived by BIP32`);
  }
  if (type === 'imported') refuseFile(FORMAT, `${place} holds imported keys or addresses, which have no descriptor`);
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

/** Formats the public key of an extended private key, if that is valid. */
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

/** Finds the first of the addresses that Electrum has listed. */
function firstAddressIn(record: JsonRecord): string | undefined {
  const addresses = record['addresses'];
  const receiving = isRecord(addresses) ? addresses['receiving'] : undefined;
  const first: unknown = Array.isArray(receiving) ? receiving[0] : undefined;
  return typeof first === 'string' ? first : undefined;
}
