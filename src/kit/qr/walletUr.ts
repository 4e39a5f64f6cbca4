import { formatAddress } from '../../core/address/address.ts';
import { assertBytes } from '../../core/bytes/assertBytes.ts';
import { formatHex } from '../../core/bytes/hex.ts';
import { ACCOUNT_DEPTH, HARDENED } from '../../core/keys/path.ts';
import { type NetworkName, networks } from '../../core/network/networks.ts';
import { payToPubkeyHash, payToScriptHash, payToWitness } from '../../core/script/build.ts';
import { type Cbor, decodeCbor } from './cbor.ts';
import { bytesIn, readFields, refuseShape, textIn, uintIn, untagged } from './cborFields.ts';
import {
  type Coin,
  decodeCoin,
  decodeHdKey,
  decodeKey,
  networkOfCoin,
  networksOfCoin,
  TAGS,
  type UrKey,
} from './keyUr.ts';
import { refuse } from './qrOptions.ts';

/** A wallet as a UR describes it. */
export interface UrWallet {
  /** Without checksums. Account keys without a path get `/<0;1>/*`, which all wallets mean by that. */
  readonly descriptors: readonly string[];
  /** Key expressions without addresses: one signer's multisig keys, and single keys that are not an account's. */
  readonly keys: readonly string[];
  /** The networks that the keys fit, such as Bitcoin's and Litecoin's. */
  readonly networks: readonly NetworkName[];
  /** True if the texts hold private keys. */
  readonly isPrivate: boolean;
  readonly name?: string;
}

const MOST_BYTES = 200_000;
const LONGEST_DESCRIPTOR = 200_000;

/**
 * Decodes the content of a UR of type `crypto-output`, `output-descriptor`, `crypto-account`, `account-descriptor`,
 * `crypto-hdkey` or `hdkey`, including private keys. Parse the descriptors to check their keys and scripts.
 * @returns `undefined` for another type
 * @throws `qr/invalid` if the content is damaged, for another coin, or cannot be a descriptor; the error holds no key
 * @see BCR-2020-007, BCR-2020-010, BCR-2020-015, BCR-2023-010, BCR-2023-019
 *
 * @example
 * ```ts
 * import { createFrameReader, decodeWalletUr } from 'countersign/qr';
 *
 * const code =
 *   'ur:crypto-output/taadmutaadeyoyaxhdclaoswaalbmwfpwekijndyfefzjtmdrtketphhktmngrlkwsfnospypsasrhhhjonnvwtsqzwljy';
 * const state = createFrameReader().add(code);
 * const { type, content } = state.status === 'complete' ? state.scanned : { type: '', content: new Uint8Array() };
 * decodeWalletUr(type, content)?.descriptors.join(); // pkh(02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5)
 * ```
 */
export function decodeWalletUr(type: string, content: Uint8Array): UrWallet | undefined {
  assertBytes('content', content);
  const read = READERS.get(type);
  if (!read) return undefined;
  const value = content.length <= MOST_BYTES ? decodeCbor(content) : undefined;
  if (!value) return refuseShape();
  const outputs = read(value);
  const [coin, ...others] = new Set(outputs.flatMap(({ coins }) => coins));
  if (others.length > 0) refuse('content', 'mixes keys of several networks');
  const name = outputs.length === 1 ? outputs[0]?.name : undefined;
  return {
    descriptors: outputs.flatMap(({ text, isKey }) => (isKey ? [] : [text])),
    keys: outputs.flatMap(({ text, isKey }) => (isKey ? [text] : [])),
    networks: coin ? networksOfCoin(coin) : (Object.keys(networks) as readonly NetworkName[]),
    isPrivate: outputs.some(({ isPrivate }) => isPrivate),
    ...(name !== undefined && { name }),
  };
}

interface Output {
  readonly text: string;
  readonly isKey: boolean;
  readonly coins: readonly Coin[];
  readonly isPrivate: boolean;
  readonly name?: string | undefined;
}

const READERS: ReadonlyMap<string, (value: Cbor) => readonly Output[]> = /* @__PURE__ */ new Map([
  ['crypto-output', (value: Cbor) => [decodeOutput(value)]],
  ['output-descriptor', (value: Cbor) => [decodeOutput(value)]],
  ['crypto-account', decodeAccount],
  ['account-descriptor', decodeAccount],
  ['crypto-hdkey', (value: Cbor) => [decodeSoleKey(value)]],
  ['hdkey', (value: Cbor) => [decodeSoleKey(value)]],
]);

/** Keys may leave out the master key's fingerprint. */
function decodeAccount(value: Cbor): readonly Output[] {
  const fields = readFields(untagged(value, [311, 40311]) ?? value);
  const master = uintIn(fields, 1, 0xffff_ffff) ?? refuseShape();
  const outputs = fields.get(2);
  if (outputs?.type !== 'array' || outputs.items.length === 0) return refuseShape();
  return outputs.items.map((item) => decodeOutput(item, master));
}

function decodeOutput(cbor: Cbor, master?: number): Output {
  const value = untagged(cbor, TAGS.output) ?? cbor;
  return value.type === 'map' ? decodeTextOutput(value, master) : decodeTaggedOutput(value, master);
}

const CHAINS = '/<0;1>/*';

/** If no key states a path, all get that of both chains. */
function keyTexts(keys: readonly UrKey[], hasPaths = false): readonly string[] {
  const isAccount = !hasPaths && keys.every(({ children }) => children === '');
  return keys.map(({ text, children, isExtended }) => text + (isAccount && isExtended ? CHAINS : children));
}

const outputWith = (keys: readonly UrKey[], text: string, isKey: boolean): Output => {
  if (text.length > LONGEST_DESCRIPTOR) refuse('content', 'gives too long a descriptor');
  return { text, isKey, coins: keys.map(({ coin }) => coin), isPrivate: keys.some((key) => key.isPrivate) };
};

const SINGLE_KEY: ReadonlyMap<number, string> = /* @__PURE__ */ new Map([
  [402, 'pk'],
  [403, 'pkh'],
  [404, 'wpkh'],
  [405, 'combo'],
  [409, 'tr'],
]);
const MULTIPLE_KEYS: ReadonlyMap<number, string> = /* @__PURE__ */ new Map([
  [406, 'multi'],
  [407, 'sortedmulti'],
]);
const AROUND: ReadonlyMap<number, string> = /* @__PURE__ */ new Map([
  [400, 'sh'],
  [401, 'wsh'],
]);
const [RAW, COSIGNER] = [408, 410] as const;

/** @see BCR-2020-010 */
function decodeTaggedOutput(value: Cbor, master: number | undefined): Output {
  if (value.type !== 'tag') return refuseShape();
  const { tag, content } = value;
  const outer = AROUND.get(tag);
  if (outer) {
    const inner = decodeTaggedOutput(content, master);
    return inner.isKey ? inner : { ...inner, text: `${outer}(${inner.text})` };
  }
  const [single, multiple] = [SINGLE_KEY.get(tag), MULTIPLE_KEYS.get(tag)];
  if (single) {
    const key = decodeKey(content, master);
    return outputWith([key], `${single}(${keyTexts([key]).join()})`, false);
  }
  if (multiple) {
    const fields = readFields(content);
    const keys = keysIn(fields.get(2), master);
    const texts = [uintIn(fields, 1, 999) ?? refuseShape(), ...keyTexts(keys)];
    return outputWith(keys, `${multiple}(${texts.join()})`, false);
  }
  if (tag === RAW) {
    const script = content.type === 'bytes' ? content.value : refuseShape();
    return outputWith([], `raw(${formatHex(script)})`, false);
  }
  if ((TAGS.address as readonly number[]).includes(tag)) return decodeAddress(value);
  // The first version of `crypto-account` had a multisig key directly inside its script.
  const key = decodeKey(tag === COSIGNER ? content : value, master);
  return outputWith([key], key.text, true);
}

function keysIn(value: Cbor | undefined, master: number | undefined): readonly UrKey[] {
  if (value?.type !== 'array' || value.items.length === 0) return refuseShape();
  return value.items.map((item) => decodeKey(item, master));
}

const ADDRESS_SCRIPTS: readonly ((hash: Uint8Array) => Uint8Array)[] = [
  payToPubkeyHash,
  payToScriptHash,
  (program) => payToWitness(0, program),
];
const P2WPKH = 2;

/** @see BCR-2020-009 */
function decodeAddress(value: Cbor): Output {
  const fields = readFields(untagged(value, TAGS.address));
  const [coin, data] = [decodeCoin(fields.get(1)), bytesIn(fields, 3) ?? refuseShape()];
  const type = uintIn(fields, 2, P2WPKH) ?? 0;
  if (data.length !== 20 && !(type === P2WPKH && data.length === 32)) return refuseShape();
  const script = ADDRESS_SCRIPTS[type]?.(data);
  const address = script && formatAddress(script, networkOfCoin(coin));
  return { text: `addr(${address ?? refuseShape()})`, isKey: false, coins: [coin], isPrivate: false };
}

const PLACE = /@(\d{1,4})/g;
const MOST_PLACES = 1000;
const COSIGNER_TEXT = /^(?:sh|wsh|sh\(wsh)\(cosigner\((?<key>[^()]*)\)\){1,2}$/;

/** @see BCR-2023-010 */
function decodeTextOutput(value: Cbor, master: number | undefined): Output {
  const fields = readFields(value);
  const source = textIn(fields, 1) ?? refuseShape();
  const list = fields.get(2);
  const items = list === undefined ? [] : list.type === 'array' ? list.items : refuseShape();
  const places = source.match(PLACE) ?? [];
  if (places.length > MOST_PLACES || source.length > LONGEST_DESCRIPTOR) refuseShape();
  const isAddress = (item: Cbor): boolean => untagged(item, TAGS.address) !== undefined;
  const addresses = new Map(items.flatMap((item, i) => (isAddress(item) ? [[i, decodeAddress(item)] as const] : [])));
  const keys = items.flatMap((item) => (isAddress(item) ? [] : [decodeKey(item, master)]));
  const cosigner = COSIGNER_TEXT.exec(source)?.groups?.['key'];
  // An aggregate key has its path behind `musig()`.
  const texts = keyTexts(keys, cosigner !== undefined || /\/|musig\(/.test(source));
  const filled = (text: string): string =>
    text.replace(PLACE, (_, index) => replacements[Number(index)] ?? refuseShape());
  const rest = [...texts];
  const replacements = items.map((_, i) => addresses.get(i)?.text.slice('addr('.length, -1) ?? rest.shift());
  const output = outputWith(keys, filled(cosigner ?? source).replaceAll('/**', CHAINS), cosigner !== undefined);
  const coins = [...output.coins, ...[...addresses.values()].flatMap((address) => address.coins)];
  return { ...output, coins, name: textIn(fields, 3) };
}

/** By the first step of an account's path. @see BIP44, BIP49, BIP84, BIP86 */
const PURPOSES: ReadonlyMap<number, (key: string) => string> = /* @__PURE__ */ new Map([
  [44, (key: string) => `pkh(${key})`],
  [49, (key: string) => `sh(wpkh(${key}))`],
  [84, (key: string) => `wpkh(${key})`],
  [86, (key: string) => `tr(${key})`],
]);
/** The path to an account's key states the addresses, as a `zpub` does. */
function decodeSoleKey(value: Cbor): Output {
  const key = decodeHdKey(untagged(value, TAGS.hdKey) ?? value);
  const { text, children, origin, isExtended, name } = key;
  const describe = PURPOSES.get((origin[0] ?? 0) - HARDENED);
  // Devices state no path behind it, that of receive addresses, or both.
  const isAccount = isExtended && origin.length === ACCOUNT_DEPTH && ['', '/0/*', CHAINS].includes(children);
  if (!describe || !isAccount) return { ...outputWith([key], text + children, true), name };
  return { ...outputWith([key], describe(text + CHAINS), false), name };
}
