import { concatBytes } from '../../core/bytes/compare.ts';
import { formatHex } from '../../core/bytes/hex.ts';
import { formatBase58Check } from '../../core/encoding/base58check.ts';
import { formatPath, HARDENED } from '../../core/keys/path.ts';
import { formatWif } from '../../core/keys/wif.ts';
import { type Network, type NetworkName, networkNames, networks } from '../../core/network/networks.ts';
import type { Cbor } from './cbor.ts';
import { bytesIn, type Fields, flagIn, readFields, refuseShape, textIn, uintIn, untagged } from './cborFields.ts';
import { refuse } from './qrOptions.ts';

/** The tags of 2020 and of 2023. @see BCR-2020-006 */
export const TAGS = {
  hdKey: [303, 40303],
  path: [304, 40304],
  coin: [305, 40305],
  ecKey: [306, 40306],
  address: [307, 40307],
  output: [308, 40308],
} as const;

const U32 = 0xffff_ffff;

export type Coin = 'btc-main' | 'btc-test' | 'ltc-main' | 'ltc-test';

/** Most usual first. */
export const networksOfCoin = (coin: Coin): readonly NetworkName[] =>
  networkNames(({ ticker, isMain }) => coin === `${ticker.toLowerCase()}-${isMain ? 'main' : 'test'}`);

/** Any network of a coin writes keys and addresses alike. */
export const networkOfCoin = (coin: Coin): Network => networks[networksOfCoin(coin)[0] ?? 'main'];

/** Type 1 stands for the test networks of all coins. @see SLIP-0044 */
const COIN_TYPES = { btc: 0, test: 1, ltc: 2 } as const;

/** @see BCR-2020-007 "Coin Info" */
export function decodeCoin(value: Cbor | undefined): Coin {
  if (value === undefined) return 'btc-main';
  const fields = readFields(untagged(value, TAGS.coin));
  const type = uintIn(fields, 1, U32) ?? COIN_TYPES.btc;
  const isTest = type === COIN_TYPES.test || uintIn(fields, 2, 1) === 1;
  if (type > COIN_TYPES.ltc) refuse('content', 'is for a coin other than Bitcoin and Litecoin');
  return `${type === COIN_TYPES.ltc ? 'ltc' : 'btc'}-${isTest ? 'test' : 'main'}`;
}

export interface UrKey {
  /** With the origin: `[73c5da0a/84h/0h/0h]xpub…`. */
  readonly text: string;
  /** The path behind the key, such as `/0/*`; may be empty. */
  readonly children: string;
  readonly origin: readonly number[];
  readonly coin: Coin;
  readonly isExtended: boolean;
  readonly isPrivate: boolean;
  readonly name?: string;
}

/** `master`: the fingerprint for keys whose origin does not state it. @see BCR-2020-007, BCR-2020-008 */
export function decodeKey(value: Cbor, master?: number): UrKey {
  const hdKey = untagged(value, TAGS.hdKey);
  if (hdKey) return decodeHdKey(hdKey, master);
  return decodeEcKey(readFields(untagged(value, TAGS.ecKey)));
}

const [PUBLIC_SIZE, UNCOMPRESSED_SIZE, SECRET_SIZE, CHAIN_CODE_SIZE] = [33, 65, 32, 32] as const;

function decodeEcKey(fields: Fields): UrKey {
  const [data, isPrivate] = [bytesIn(fields, 3) ?? refuseShape(), flagIn(fields, 2)];
  if ((uintIn(fields, 1, U32) ?? 0) !== 0) refuse('content', 'has a key of another curve than secp256k1');
  const text = isPrivate ? toWif(data, 'btc-main') : publicText(data);
  return { text, children: '', origin: [], coin: 'btc-main', isExtended: false, isPrivate };
}

function publicText(data: Uint8Array): string {
  if (data.length === UNCOMPRESSED_SIZE - 1) return `04${formatHex(data)}`;
  return data.length === PUBLIC_SIZE || data.length === UNCOMPRESSED_SIZE ? formatHex(data) : refuseShape();
}

function toWif(secretKey: Uint8Array, coin: Coin): string {
  if (secretKey.length !== SECRET_SIZE) return refuseShape();
  return formatWif({ secretKey, isCompressed: true }, networkOfCoin(coin));
}

/** @see BCR-2020-007 "CDDL for HDKey" */
export function decodeHdKey(value: Cbor, master?: number): UrKey {
  const fields = readFields(value);
  const data = bytesIn(fields, 3);
  if (data?.length !== PUBLIC_SIZE) return refuseShape();
  const isPrivate = flagIn(fields, 1) || flagIn(fields, 2);
  if (isPrivate !== (data[0] === 0)) refuseShape();
  const coin = decodeCoin(fields.get(5));
  const origin = decodeOrigin(fields.get(6));
  const chainCode = bytesIn(fields, 4);
  const name = textIn(fields, 9);
  const fingerprint = origin.fingerprint ?? (fields.has(6) ? master : undefined);
  const start = fingerprint === undefined ? '' : `[${fingerprintHex(fingerprint)}${formatPath(origin.steps)}]`;
  const key = chainCode
    ? extendedText({ ...origin, coin, isPrivate, chainCode, data, parent: uintIn(fields, 8, U32) })
    : isPrivate
      ? toWif(data.slice(1), coin)
      : formatHex(data);
  const children = childrenText(fields.get(7));
  if (!chainCode && children !== '') refuseShape();
  return {
    text: `${start}${key}`,
    children,
    origin: origin.steps,
    coin,
    isExtended: chainCode !== undefined,
    isPrivate,
    ...(name && { name }),
  };
}

const fingerprintHex = (fingerprint: number): string => fingerprint.toString(16).padStart(8, '0');

interface Origin {
  readonly steps: readonly number[];
  readonly fingerprint: number | undefined;
  readonly depth: number | undefined;
}

const MOST_STEPS = 255;

/** @see BCR-2020-007 "CDDL for Key Path" */
function decodeOrigin(value: Cbor | undefined): Origin {
  if (value === undefined) return { steps: [], fingerprint: undefined, depth: undefined };
  const fields = readFields(untagged(value, TAGS.path));
  const steps = listComponents(fields).map(({ step, isHardened }) => {
    if (step?.type !== 'uint' || step.value >= HARDENED) return refuseShape();
    return isHardened ? step.value + HARDENED : step.value;
  });
  return { steps, fingerprint: uintIn(fields, 2, U32), depth: uintIn(fields, 3, MOST_STEPS) };
}

/** A step and its hardened mark, or a pair of steps with their own. */
interface Component {
  readonly step: Cbor | undefined;
  readonly isHardened: boolean;
}

function listComponents(fields: Fields): readonly Component[] {
  const list = fields.get(1) ?? { type: 'array', items: [] };
  if (list.type !== 'array') return refuseShape();
  const components: Component[] = [];
  for (let i = 0; i < list.items.length; i += 1) {
    const step = list.items[i];
    const isPair = step?.type === 'array' && step.items.length === 4;
    const mark = isPair ? undefined : list.items[++i];
    if (!isPair && mark?.type !== 'boolean') return refuseShape();
    components.push({ step, isHardened: mark?.type === 'boolean' && mark.value });
  }
  return components.length <= MOST_STEPS ? components : refuseShape();
}

function childrenText(value: Cbor | undefined): string {
  if (value === undefined) return '';
  const components = listComponents(readFields(untagged(value, TAGS.path)));
  const wildcard = components.findIndex(({ step }) => step?.type === 'array' && step.items.length === 0);
  if (wildcard >= 0 && wildcard < components.length - 1) refuseShape();
  return components.map(componentText).join('');
}

function componentText({ step, isHardened }: Component): string {
  const mark = isHardened ? 'h' : '';
  if (step?.type !== 'array') return numberText(step, mark);
  const [first, second, third, fourth] = step.items;
  if (!first) return `/*${mark}`;
  if (step.items.length === 4) return `/<${choice(first, second)};${choice(third, fourth)}>`;
  // Descriptors can express a range only of two neighbours.
  const isPair = first.type === 'uint' && second?.type === 'uint' && second.value === first.value + 1;
  if (step.items.length !== 2 || !isPair) return refuse('content', 'has a path that descriptors cannot express');
  return `/<${numberText(first, mark).slice(1)};${numberText(second, mark).slice(1)}>`;
}

function numberText(step: Cbor | undefined, mark: string): string {
  return step?.type === 'uint' && step.value < HARDENED ? `/${step.value}${mark}` : refuseShape();
}

const choice = (step: Cbor | undefined, mark: Cbor | undefined): string =>
  mark?.type === 'boolean' ? numberText(step, mark.value ? 'h' : '').slice(1) : refuseShape();

interface Extended extends Origin {
  readonly coin: Coin;
  readonly isPrivate: boolean;
  readonly chainCode: Uint8Array;
  /** The public key, or a zero and the private key. */
  readonly data: Uint8Array;
  readonly parent: number | undefined;
}

/** Leaves it to the parser to check that the key is on the curve. */
function extendedText(key: Extended): string {
  const { steps, fingerprint, coin, isPrivate, chainCode, data } = key;
  if (chainCode.length !== CHAIN_CODE_SIZE) refuseShape();
  const depth = key.depth ?? (steps.length || (key.parent ? 1 : 0));
  const parent = key.parent ?? (depth === 1 && steps.length === 1 ? fingerprint : undefined) ?? 0;
  if (depth < steps.length || (depth === 0 && parent !== 0)) refuseShape();
  const { bip32 } = networkOfCoin(coin);
  const head = new Uint8Array(13);
  const view = new DataView(head.buffer);
  view.setUint32(0, isPrivate ? bip32.private : bip32.public);
  view.setUint8(4, depth);
  view.setUint32(5, parent);
  view.setUint32(9, steps.at(-1) ?? 0);
  return formatBase58Check(concatBytes(head, chainCode, data));
}
