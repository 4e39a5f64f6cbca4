import { assertText } from '../../core/bytes/assertText.ts';
import { parseHex } from '../../core/bytes/hex.ts';
import { assertKnownOptions, assertList, type OptionNames } from '../../core/bytes/knownOptions.ts';
import { splitAnnotations } from '../../core/descriptors/annotations.ts';
import { splitChecksum } from '../../core/descriptors/checksum.ts';
import { mayHoldPrivateKey } from '../../core/encoding/redaction.ts';
import { unlessRefused } from '../../core/errors.ts';
import { extendedPayload } from '../../core/keys/bip32.ts';
import { HARDENED, isHardened, parsePath } from '../../core/keys/path.ts';
import { readExtendedKey } from '../../core/keys/slip132.ts';
import { type KeyParts, keyParts, keysInText, replaceKeys } from '../../core/keys/writtenKeys.ts';
import type { Cbor } from './cbor.ts';
import { TAGS } from './keyUr.ts';
import { refuse } from './qrOptions.ts';
import { encodeFrames, type UrFrames } from './ur.ts';

/** Options of `encodeDescriptorUr`. */
export interface DescriptorUrOptions {
  /** Default `crypto-output`, which more wallets read. `output-descriptor` also takes miniscript and script trees. */
  readonly type?: 'crypto-output' | 'output-descriptor';
  /** The wallet's name, for `output-descriptor` only. */
  readonly name?: string;
  /** Extended keys do not tell the coin. Default `bitcoin`. */
  readonly coin?: 'bitcoin' | 'litecoin';
  /** The most bytes of a fragment, 10 to 2000. Default 200. */
  readonly fragmentSize?: number;
}

/** Options of `encodeAccountUr`. */
export interface AccountUrOptions extends Pick<DescriptorUrOptions, 'coin' | 'fragmentSize'> {
  /** Default `crypto-account`, which more wallets read. */
  readonly type?: 'crypto-account' | 'account-descriptor';
}

const DESCRIPTOR_OPTIONS: OptionNames<DescriptorUrOptions> = { type: true, name: true, coin: true, fragmentSize: true };
const ACCOUNT_OPTIONS: OptionNames<AccountUrOptions> = { type: true, coin: true, fragmentSize: true };

/**
 * Encodes a public descriptor, with or without checksum, for a watch-only wallet. `crypto-output` leaves out the path
 * `/<0;1>/*`, as its readers expect.
 * @throws `qr/invalid` for a private key, a descriptor that the type cannot express, or a wrong option;
 * `descriptor/checksum`
 * @see BCR-2020-010, BCR-2023-010
 *
 * @example
 * ```ts
 * import { encodeDescriptorUr } from 'countersign/qr';
 *
 * const key = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5';
 * const { count, frame } = encodeDescriptorUr(`pkh(${key})`);
 * count; // 1
 * frame(1).slice(0, 36); // UR:CRYPTO-OUTPUT/TAADMUTAADEYOYAXHDC
 * ```
 */
export function encodeDescriptorUr(descriptor: string, options: DescriptorUrOptions = {}): UrFrames {
  assertText('descriptor', descriptor);
  assertKnownOptions(options, DESCRIPTOR_OPTIONS);
  const { type = 'crypto-output', name, coin = 'bitcoin', fragmentSize } = options;
  const body = publicBody(descriptor);
  const value =
    type === 'crypto-output' ? encodeTags(body, { coin, tags: OLD }) : encodeTextMap(body, { coin, tags: NEW }, name);
  return encodeFrames(type, value, fragmentSize);
}

/**
 * Encodes the descriptors of one master key's accounts, each with the path `/<0;1>/*`, for a watch-only wallet. A
 * multisig key is `wsh(cosigner(KEY))` or the like, without a path.
 * @throws as `encodeDescriptorUr`; also if the keys do not state the same master key
 * @see BCR-2020-015, BCR-2023-019
 */
export function encodeAccountUr(descriptors: readonly string[], options: AccountUrOptions = {}): UrFrames {
  assertList('descriptors', descriptors);
  assertKnownOptions(options, ACCOUNT_OPTIONS);
  const { type = 'crypto-account', coin = 'bitcoin', fragmentSize } = options;
  const bodies = descriptors.map(accountBody);
  const [master, ...others] = new Set(
    bodies.map((body) => /^[a-z(]+\[([0-9a-f]{8})\//i.exec(body)?.[1]?.toLowerCase()),
  );
  if (master === undefined || others.length > 0) {
    refuse('content', 'needs descriptors of a single key whose origins state one master key');
  }
  const isNew = type === 'account-descriptor';
  const style = { coin, tags: isNew ? NEW : OLD, isAccount: true };
  // Many wallets read neither the output tag of 2021 nor that of cosigners.
  const outputs = bodies.map((body) =>
    isNew ? tag(TAGS.output[1], encodeTextMap(body, style)) : encodeTags(body.replace(COSIGNER, '$1'), style),
  );
  const value = cborMap([
    [1, uint(Number.parseInt(master, 16))],
    [2, { type: 'array', items: outputs }],
  ]);
  return encodeFrames(type, value, fragmentSize);
}

/** Encodes a single descriptor in the older type if that can express it, several as an account. */
export function encodeWalletUr(
  descriptors: readonly string[],
  { name, ...options }: Pick<DescriptorUrOptions, 'name' | 'coin' | 'fragmentSize'>,
): UrFrames {
  const [only, ...more] = descriptors;
  if (only === undefined || more.length > 0) return encodeAccountUr(descriptors, options);
  const named = { ...options, type: 'output-descriptor', ...(name !== undefined && { name }) } as const;
  return unlessRefused(() => encodeDescriptorUr(only, options)) ?? encodeDescriptorUr(only, named);
}

const CHAINS = '/<0;1>/*';

const COSIGNER = /cosigner\(([^()]*)\)/;

/** Removes the path of both chains, which all keys but a cosigner's must have. */
function accountBody(descriptor: string): string {
  const body = publicBody(descriptor);
  const withoutPath = body.replace(CHAINS, '');
  const hasPath = withoutPath !== body;
  if (hasPath === body.includes('cosigner(') || !withoutPath.includes(']') || /\/[^\]/]*$/.test(withoutPath)) {
    refuse('content', `has a key that lacks its origin or the path ${CHAINS}`);
  }
  return withoutPath;
}

/** The tags of 2020 and of 2023. */
const [OLD, NEW] = [0, 1] as const;

interface Style {
  readonly coin: 'bitcoin' | 'litecoin';
  readonly tags: typeof OLD | typeof NEW;
  /** Leaves out the path of both chains. */
  readonly isAccount?: boolean;
}

const uint = (value: number): Cbor => ({ type: 'uint', value });
const text = (value: string): Cbor => ({ type: 'text', value });
const flag = (value: boolean): Cbor => ({ type: 'boolean', value });
const tag = (number: number, content: Cbor): Cbor => ({ type: 'tag', tag: number, content });
const cborMap = (entries: readonly (readonly [number, Cbor | undefined])[]): Cbor => ({
  type: 'map',
  entries: entries.flatMap(([key, member]) => (member ? [[uint(key), member] as const] : [])),
});

function publicBody(descriptor: string): string {
  if (mayHoldPrivateKey(descriptor)) refuse('content', 'holds a private key: give the descriptor with public keys');
  return splitChecksum(splitAnnotations(descriptor.trim()).text, false).body;
}

/** @see BCR-2020-010 "CDDL" */
const FUNCTIONS: ReadonlyMap<string, number> = /* @__PURE__ */ new Map([
  ['sh', 400],
  ['wsh', 401],
  ['pk', 402],
  ['pkh', 403],
  ['wpkh', 404],
  ['combo', 405],
  ['multi', 406],
  ['sortedmulti', 407],
  ['raw', 408],
  ['tr', 409],
  ['cosigner', 410],
]);

function encodeTags(body: string, style: Style): Cbor {
  const [, name = '', inner = ''] = /^([a-z]+)\((.*)\)$/.exec(body) ?? [];
  const number = FUNCTIONS.get(name);
  if (number === undefined) return refuse('content', 'cannot be written as crypto-output: use output-descriptor');
  if (name === 'sh' || name === 'wsh') {
    return tag(number, style.isAccount && keyParts(inner) ? keyCbor(inner, style) : encodeTags(inner, style));
  }
  if (name === 'raw') return tag(number, { type: 'bytes', value: parseHex(inner) });
  if (name !== 'multi' && name !== 'sortedmulti') return tag(number, keyCbor(inner, style));
  const [required = '', ...keys] = inner.split(',');
  const hasPath = keys.some((key) => !key.endsWith(CHAINS));
  const items = keys.map((key) => keyCbor(key, style, hasPath));
  if (!/^[1-9]\d{0,2}$/.test(required)) refuse('content', 'has a multisig without a number of signatures');
  return tag(
    number,
    cborMap([
      [1, uint(Number(required))],
      [2, { type: 'array', items }],
    ]),
  );
}

/** `keepsChains`: states the path of both chains, since other keys of the multisig have other paths. */
function keyCbor(expression: string, style: Style, keepsChains = false): Cbor {
  const groups = keyParts(expression);
  if (!groups) return refuse('content', 'has a key that cannot be written as crypto-output: use output-descriptor');
  const { extended, fixed, path = '' } = groups;
  if (fixed !== undefined) {
    if (groups.fingerprint !== undefined) refuse('content', 'has an origin before a key that cannot carry one');
    // BCR-2020-008 leaves out the first byte of an uncompressed key.
    const data = parseHex(fixed.length === 130 ? fixed.slice(2) : fixed);
    return tag(TAGS.ecKey[style.tags], cborMap([[3, { type: 'bytes', value: data }]]));
  }
  if (path === '' && !style.isAccount) {
    refuse(
      'content',
      'has a key without a path, which readers would take for that of an account: use output-descriptor',
    );
  }
  return hdKeyCbor({ ...groups, extended: extended ?? '', path: path === CHAINS && !keepsChains ? '' : path }, style);
}

function hdKeyCbor(
  {
    fingerprint,
    steps = '',
    extended,
    path,
  }: Readonly<Record<'extended' | 'path', string>> & Pick<KeyParts, 'fingerprint' | 'steps'>,
  { coin, tags }: Style,
): Cbor {
  const { isTest, isLitecoin, depth, childNumber } = readExtendedKey(extended);
  const payload = extendedPayload(extended);
  const parent = new DataView(payload.buffer, payload.byteOffset).getUint32(5);
  const isOfLitecoin = isLitecoin || coin === 'litecoin';
  const info = cborMap([
    [1, isOfLitecoin ? uint(2) : undefined],
    [2, isTest ? uint(1) : undefined],
  ]);
  const origin = fingerprint === undefined ? undefined : parsePath(`m${steps}`);
  const pathSteps = origin ?? (depth > 0 ? [childNumber] : []);
  if (pathSteps.length > depth) refuse('content', 'has a key that lies above the end of its path');
  const path304 = (entries: Parameters<typeof cborMap>[0]): Cbor => tag(TAGS.path[tags], cborMap(entries));
  return tag(
    TAGS.hdKey[tags],
    cborMap([
      [3, { type: 'bytes', value: payload.slice(45) }],
      [4, { type: 'bytes', value: payload.slice(13, 45) }],
      [5, isOfLitecoin || isTest ? tag(TAGS.coin[tags], info) : undefined],
      [
        6,
        path304([
          [1, { type: 'array', items: pathSteps.flatMap(numberItems) }],
          [2, fingerprint === undefined ? undefined : uint(Number.parseInt(fingerprint, 16))],
          [3, fingerprint !== undefined && depth === pathSteps.length ? undefined : uint(depth)],
        ]),
      ],
      [7, path === '' ? undefined : path304([[1, { type: 'array', items: pathItems(path) }]])],
      [8, parent === 0 ? undefined : uint(parent)],
    ]),
  );
}

const numberItems = (step: number): readonly Cbor[] => [
  uint(isHardened(step) ? step - HARDENED : step),
  flag(isHardened(step)),
];

function pathItems(path: string): readonly Cbor[] {
  return path
    .slice(1)
    .split('/')
    .flatMap((step): readonly Cbor[] => {
      if (step.startsWith('*')) return [{ type: 'array', items: [] }, flag(step.length > 1)];
      if (!step.startsWith('<')) return parsePath(`m/${step}`).flatMap(numberItems);
      const choices = step.slice(1, -1).split(';');
      if (choices.length !== 2)
        return refuse('content', 'has a step with more than two choices: write it without keys apart');
      return [{ type: 'array', items: choices.flatMap((choice) => parsePath(`m/${choice}`).flatMap(numberItems)) }];
    });
}

/** @see BCR-2023-010 */
function encodeTextMap(body: string, style: Style, name?: string): Cbor {
  const keys: Cbor[] = [];
  const all = keysInText(body).filter(({ extended }) => extended !== undefined);
  // Keys without a path stay in the text: readers would give them that of both chains.
  const isApart = style.isAccount || all.every(({ path }) => path && !/<[^<>;]*;[^;]*;/.test(path));
  const source = !isApart
    ? body
    : replaceKeys(body, ({ extended, path = '', ...origin }, whole) =>
        extended === undefined ? whole : `@${keys.push(hdKeyCbor({ ...origin, extended, path }, style)) - 1}`,
      );
  return cborMap([
    [1, text(source)],
    [2, keys.length === 0 ? undefined : { type: 'array', items: keys }],
    [3, name === undefined ? undefined : text(name)],
  ]);
}
