import { bytesKey } from '../../../core/bytes/compare.ts';
import { quoted } from '../../../core/encoding/redaction.ts';
import { unlessRefused } from '../../../core/errors.ts';
import { MOST_REGISTRATIONS, type Registration } from '../../../core/holder/registration.ts';
import { extendedPayload } from '../../../core/keys/bip32.ts';
import { keyParts, keysInText } from '../../../core/keys/writtenKeys.ts';
import { type Network, networkNames } from '../../../core/network/networks.ts';
import { isRecord, type JsonRecord, networksNamed, refuseFile, textIn, type WalletDraft } from './walletFile.ts';

const FORMAT = 'policy';

const TEMPLATE_NAMES = ['description_template', 'descriptor_template', 'desc_template', 'template'] as const;

const MAX_EXPANDED = 1_000_000;

export function isWalletPolicy(record: JsonRecord): boolean {
  return (
    isJadeRegistration(record) ||
    'keys_info' in record ||
    TEMPLATE_NAMES.some((name) => name in record && name !== 'template')
  );
}

export function parseWalletPolicy(record: JsonRecord): WalletDraft {
  if (isJadeRegistration(record)) return parseJadeRegistration(record);
  const name = textIn(record, 'name');
  const templates = new Set(TEMPLATE_NAMES.flatMap((member) => textIn(record, member) ?? []));
  if (templates.size > 1) refuseFile(FORMAT, 'it has several descriptor templates that differ');
  const [template] = templates;
  if (template === undefined) return refuseFile(FORMAT, 'it has no descriptor template ("description_template")');
  const registered = readRegistered(record);
  return {
    ...(name && { name }),
    ...policyDraft(template, record['keys_info']),
    ...networksNamed(FORMAT, textIn(record, 'network')),
    ...(registered && { registered }),
  };
}

const ID = /^[0-9a-f]{64}$/;
const FINGERPRINT = /^[0-9a-f]{8}$/;

/** Reads what `countersign register` writes. Whether a registration is valid, only the key that made it can tell. */
function readRegistered(record: JsonRecord): WalletDraft['registered'] {
  const { registrations, retires = [] } = record;
  if (registrations === undefined) return undefined;
  if (!Array.isArray(registrations) || registrations.length > MOST_REGISTRATIONS) {
    return refuseFile(FORMAT, `its registrations are not a list of at most ${MOST_REGISTRATIONS}`);
  }
  const isIdList = Array.isArray(retires) && retires.every((id) => typeof id === 'string' && ID.test(id));
  if (!isIdList) refuseFile(FORMAT, 'the wallets that it retires are not a list of ids in hex');
  return {
    name: textIn(record, 'name') ?? refuseFile(FORMAT, 'it is registered without a name'),
    retires: retires as readonly string[],
    registrations: registrations.map((item, i) => readRegistration(item, i)),
  };
}

function readRegistration(item: unknown, index: number): Registration {
  const { version, fingerprint, token } = isRecord(item) ? item : {};
  const isRead =
    Number.isSafeInteger(version) &&
    typeof fingerprint === 'string' &&
    FINGERPRINT.test(fingerprint) &&
    typeof token === 'string' &&
    ID.test(token);
  if (!isRead) return refuseFile(FORMAT, `registration ${index + 1} cannot be read: register the wallet again`);
  return { version: version as number, fingerprint, token };
}

/** Names a network as Jade does, which knows those of Bitcoin. */
export function jadeNetwork({ name, isMain, ticker }: Network): string | undefined {
  if (ticker !== 'BTC') return undefined;
  return isMain ? 'mainnet' : name === 'regtest' ? 'localtest' : 'testnet';
}

/** Recognizes the parameters of Jade's `register_descriptor`. */
function isJadeRegistration(record: JsonRecord): boolean {
  return isRecord(record['datavalues']) && textIn(record, 'descriptor') !== undefined;
}

/** Reads the keys that stand beside the template by the names of its placeholders. */
function parseJadeRegistration(record: JsonRecord): WalletDraft {
  const { datavalues } = record;
  const values = isRecord(datavalues) ? datavalues : {};
  const keys = Object.keys(values).map((_, index) => textIn(values, `@${index}`));
  if (keys.includes(undefined)) refuseFile(FORMAT, 'its "datavalues" are not keys with the names @0, @1 and so on');
  const [name, stated] = [textIn(record, 'descriptor_name'), textIn(record, 'network')];
  const networks = networkNames((network) => jadeNetwork(network) === stated);
  if (stated !== undefined && networks.length === 0) {
    refuseFile(FORMAT, `its network ${quoted(stated)} is not mainnet, testnet or localtest`);
  }
  return {
    ...(name && { name }),
    ...policyDraft(textIn(record, 'descriptor') ?? '', keys),
    ...(stated !== undefined && { networks }),
  };
}

/** @see BIP388 "Formal definition", "Descriptor derivation" */
export function policyDraft(template: string, keysInfo: unknown): WalletDraft {
  const keys = readKeys(keysInfo);
  const uses = usesIn(template, keys.length);
  assertUses(uses, keys.length);
  const expanded = template.length + uses.reduce((sum, { index }) => sum + (keys[index]?.length ?? 0), 0);
  if (expanded > MAX_EXPANDED) refuseFile(FORMAT, 'its template repeats its keys too often');
  const text = template
    .replaceAll('/**', '/<0;1>/*')
    .replace(/@(\d+)/g, (_, index: string) => keys[Number(index)] ?? '');
  return { descriptors: [{ text, place: 'its descriptor template' }] };
}

function readKeys(listed: unknown): readonly string[] {
  if (!Array.isArray(listed) || listed.length === 0) return refuseFile(FORMAT, 'it has no list of keys ("keys_info")');
  const seen = new Set<string>();
  return listed.map((item: unknown, index) => {
    const { extended: key, path } = (typeof item === 'string' && keyParts(item)) || {};
    if (typeof item !== 'string' || key === undefined || path !== '') {
      return refuseFile(FORMAT, `key @${index} is not an extended key with its origin`);
    }
    // Another prefix (SLIP132) or depth makes no other key.
    const identity = keyIdentity(key, index);
    if (seen.has(identity)) refuseFile(FORMAT, `key @${index} is listed twice`);
    seen.add(identity);
    return item;
  });
}

/** The chain code and the public key. */
function keyIdentity(key: string, index: number): string {
  const payload = unlessRefused(() => extendedPayload(key));
  return payload
    ? bytesKey(payload.slice(13))
    : refuseFile(FORMAT, `key @${index} is not an extended key with its origin`);
}

/** A placeholder; inside `musig()`, with the path of the aggregate. */
interface Use {
  readonly index: number;
  /** A number for the key, or for the set of keys in a `musig()`. */
  readonly root: number;
  readonly steps: readonly string[];
}

const PATH = /^(?:\/\*\*|\/<(\d{1,10});(\d{1,10})>\/\*)(?=[,)}]|$)/;
const PLACEHOLDERS = /musig\(((?:@\d{1,5},?)+)\)|@(\d{1,5})/g;

function usesIn(template: string, keys: number): readonly Use[] {
  if (template.includes('#')) refuseFile(FORMAT, 'its template has a checksum: leave it out');
  if (keysInText(template).length > 0) {
    refuseFile(FORMAT, 'its template has a key in place of a placeholder such as @0');
  }
  if (/musig\((?!(?:@\d{1,5},?)+\))/.test(template)) {
    refuseFile(FORMAT, 'its musig() has more than placeholders such as @0; the path must follow it');
  }
  let placeholders = 0;
  const roots = new Map<string, number>();
  const uses = [...template.matchAll(PLACEHOLDERS)].flatMap(({ 0: placeholder, 1: list, 2: single, index: at }) => {
    const path = PATH.exec(template.slice(at + placeholder.length, at + placeholder.length + 40));
    if (!path)
      return refuseFile(FORMAT, `its placeholder ${placeholder.slice(0, 40)} has no path such as /** or /<0;1>/*`);
    const steps = [path[1] ?? '0', path[2] ?? '1'];
    const indexes = (list ?? `@${single}`).split(',').map((item) => item.slice(1));
    placeholders += indexes.length;
    const root = numbered(roots, [...indexes].sort().join());
    return indexes.map((index) => ({ index: parseKeyIndex(index, keys), root, steps }));
  });
  if (placeholders !== template.split('@').length - 1) refuseFile(FORMAT, 'its template has an @ without a key number');
  return uses;
}

function numbered(numbers: Map<string, number>, text: string): number {
  const number = numbers.get(text) ?? numbers.size;
  numbers.set(text, number);
  return number;
}

function parseKeyIndex(text: string, keys: number): number {
  if (text.length > 1 && text.startsWith('0')) refuseFile(FORMAT, `@${text} begins with a zero`);
  return Number(text) < keys
    ? Number(text)
    : refuseFile(FORMAT, `its template uses @${text}, but it lists ${keys} keys`);
}

/** Refuses keys out of order, unused, or used twice with the same step. */
function assertUses(uses: readonly Use[], keys: number): void {
  let next = 0;
  const steps = new Set<string>();
  for (const {
    index,
    root,
    steps: [first = '', second = ''],
  } of uses) {
    if (index > next) refuseFile(FORMAT, `its template uses @${index} before @${next}`);
    if (index === next) next += 1;
    for (const step of [`${index} of ${root}/${first}`, `${index} of ${root}/${second}`]) {
      if (steps.has(step)) refuseFile(FORMAT, `its template uses @${index} twice with the same path`);
      steps.add(step);
    }
  }
  if (next < keys) refuseFile(FORMAT, `its template does not use @${next}`);
}
