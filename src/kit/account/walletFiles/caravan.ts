import { assertPrefix, type KeyOfFile, multisigDescriptor, networksOfKeys, readKey } from './keyText.ts';
import {
  isRecord,
  type JsonRecord,
  type MultisigScript,
  networksNamed,
  refuseFile,
  textIn,
  type WalletDraft,
} from './walletFile.ts';

const FORMAT = 'caravan';

const SCRIPTS: ReadonlyMap<string, MultisigScript> = /* @__PURE__ */ new Map<string, MultisigScript>([
  ['P2SH', 'p2sh'],
  ['P2SH-P2WSH', 'p2sh-p2wsh'],
  ['P2SH_P2WSH', 'p2sh-p2wsh'],
  ['P2WSH', 'p2wsh'],
]);

export function isCaravan(record: JsonRecord): boolean {
  return 'quorum' in record && 'extendedPublicKeys' in record;
}

/** Reads the wallet details of Caravan and Unchained. @see https://github.com/caravan-bitcoin/caravan */
export function parseCaravan(record: JsonRecord): WalletDraft {
  const name = textIn(record, 'name');
  const { networks: stated } = networksNamed(FORMAT, textIn(record, 'network'));
  const script = SCRIPTS.get(textIn(record, 'addressType')?.toUpperCase() ?? '');
  if (!script) return refuseFile(FORMAT, 'its "addressType" is not P2SH, P2SH-P2WSH or P2WSH');
  const { required, total } = quorumIn(record);
  const listed = record['extendedPublicKeys'];
  const keys = (Array.isArray(listed) ? listed : []).map((key: unknown, index) => readCosigner(key, index, script));
  if (total !== keys.length) refuseFile(FORMAT, `its quorum is of ${total} keys, but the file has ${keys.length}`);
  const text = multisigDescriptor(FORMAT, { required, script, keys });
  return {
    ...(name && { name }),
    networks: stated ?? networksOfKeys(FORMAT, keys),
    descriptors: [{ text, place: 'its keys' }],
  };
}

function quorumIn({ quorum }: JsonRecord): { readonly required: number; readonly total: number } {
  const [required, total] = isRecord(quorum) ? [quorum['requiredSigners'], quorum['totalSigners']] : [];
  if (!isCount(required) || !isCount(total)) {
    return refuseFile(FORMAT, 'its "quorum" does not say how many of how many keys sign');
  }
  return { required, total };
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value);

const isUnknown = (text: string): boolean => /^unknown/i.test(text);

function readCosigner(entry: unknown, index: number, script: MultisigScript): KeyOfFile {
  const place = `key ${index + 1}`;
  const text = isRecord(entry) ? textIn(entry, 'xpub') : undefined;
  if (!isRecord(entry) || text === undefined) return refuseFile(FORMAT, `${place} has no "xpub"`);
  const path = textIn(entry, 'bip32Path');
  const fingerprint = textIn(entry, 'xfp');
  // Caravan writes "Unknown" for a missing fingerprint or path.
  const isKnown = path !== undefined && fingerprint !== undefined && ![path, fingerprint].some(isUnknown);
  const key = readKey({ format: FORMAT, place, text, ...(isKnown && { origin: { fingerprint, path } }) });
  if (key.isPrivate) refuseFile(FORMAT, `${place} is private; such a file holds extended public keys only`);
  assertPrefix(key, script, { format: FORMAT, place });
  return key;
}
