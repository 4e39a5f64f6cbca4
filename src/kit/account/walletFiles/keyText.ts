import { splitChecksum } from '../../../core/descriptors/checksum.ts';
import { quoted } from '../../../core/encoding/redaction.ts';
import { BtcError, unlessRefused } from '../../../core/errors.ts';
import { formatPath, parsePath } from '../../../core/keys/path.ts';
import { type KeyScript, readExtendedKey, type WrittenKey } from '../../../core/keys/slip132.ts';
import { keysInText, replaceKeys } from '../../../core/keys/writtenKeys.ts';
import { type NetworkName, networkNames } from '../../../core/network/networks.ts';
import { type DescriptorText, type MultisigScript, refuseFile, type WalletFileFormat } from './walletFile.ts';

export interface KeyText {
  readonly format: WalletFileFormat;
  readonly place: string;
  readonly text: string;
  /** The fingerprint is in hex; without one, the key is written without its path. */
  readonly origin?: { readonly fingerprint?: string; readonly path: string };
}

export interface KeyOfFile extends WrittenKey {
  /** Has no path behind the key. */
  readonly expression: string;
  /** From the master key; empty if the file does not say. */
  readonly path: readonly number[];
}

/** Checks that the key lies where its origin says. */
export function readKey({ format, place, text, origin }: KeyText): KeyOfFile {
  const key = unlessRefused(() => readExtendedKey(text));
  if (!key) return refuseFile(format, `${place} has no valid extended key; copy the file again, whole`);
  if (!origin) return { ...key, expression: key.text, path: [] };
  const { fingerprint } = origin;
  if (fingerprint !== undefined && !/^[0-9a-f]{8}$/i.test(fingerprint)) {
    refuseFile(format, `${place} has no fingerprint of 8 hex digits before its key`);
  }
  const path = readPath(origin.path, format, place);
  assertPlace(key, path, { format, place });
  const written = fingerprint === undefined ? '' : `[${fingerprint.toLowerCase()}${formatPath(path)}]`;
  return { ...key, expression: written + key.text, path };
}

/** Other texts may hold secrets, even seed words, and are not quoted in errors. */
const PATH = /^[mM]?(?:\/\d{1,10}['hH]?)*$/;

/** Accepts `h`, `H` and `'` for hardened steps. */
function readPath(text: string, format: WalletFileFormat, place: string): readonly number[] {
  try {
    return parsePath(text.trim().replace(/^M/, 'm').replaceAll('H', 'h'));
  } catch (error) {
    if (!(error instanceof BtcError)) throw error;
    const quote = PATH.test(text) ? `: ${quoted(text)}` : '';
    return refuseFile(format, `${place} has a derivation path that cannot be read${quote}`);
  }
}

function assertPlace(
  { depth, childNumber }: WrittenKey,
  path: readonly number[],
  { format, place }: Pick<KeyText, 'format' | 'place'>,
): void {
  if (path.length !== depth) {
    refuseFile(
      format,
      `${place} has a path of ${path.length} steps, but its key lies ${depth} steps below the master key`,
    );
  }
  // Some wallets write zeros for an unknown path.
  if (path.every((step) => step === 0) || path.at(-1) === childNumber) return;
  const [stated, actual] = [path.at(-1) ?? 0, childNumber].map((step) => formatPath([step]).slice(1));
  refuseFile(format, `${place} has a path that ends in ${stated}, but its key is child ${actual}`);
}

function networksForKey({ isTest, isLitecoin }: Pick<WrittenKey, 'isTest' | 'isLitecoin'>): readonly NetworkName[] {
  return networkNames(({ isMain, ticker }) => isMain === !isTest && (!isLitecoin || ticker === 'LTC'));
}

export function networksOfKeys(
  format: WalletFileFormat,
  [first, ...others]: readonly Pick<WrittenKey, 'isTest' | 'isLitecoin'>[],
): readonly NetworkName[] {
  const common = first ? networksForKey(first) : [];
  const shared = others.reduce((names, key) => names.filter((name) => networksForKey(key).includes(name)), common);
  return shared.length > 0 ? shared : refuseFile(format, MIXED_NETWORKS);
}

const MIXED_NETWORKS = 'it mixes keys of the main network and of test networks';

/** @see BIP44, BIP49, BIP84, BIP86 */
const SCRIPTS_BY_PURPOSE: ReadonlyMap<number, (key: string) => string> = /* @__PURE__ */ new Map([
  [44, (key: string) => `pkh(${key})`],
  [49, (key: string) => `sh(wpkh(${key}))`],
  [84, (key: string) => `wpkh(${key})`],
  [86, (key: string) => `tr(${key})`],
]);

/** Returns `undefined` for a purpose without addresses. */
export function singleKeyDescriptor(purpose: number, expression: string): string | undefined {
  return SCRIPTS_BY_PURPOSE.get(purpose)?.(`${expression}/<0;1>/*`);
}

export function assertPrefix(
  key: KeyOfFile,
  script: MultisigScript,
  { format, place }: Pick<KeyText, 'format' | 'place'>,
): void {
  if (key.script === 'any' || key.script === script) return;
  refuseFile(format, `${place} has a key for ${key.script.toUpperCase()}, but the format is ${script.toUpperCase()}`);
}

export function multisigDescriptor(
  format: WalletFileFormat,
  {
    required,
    script,
    keys,
  }: { readonly required: number; readonly script: MultisigScript; readonly keys: readonly KeyOfFile[] },
): string {
  if (required < 1 || required > keys.length) {
    refuseFile(format, `${required} of ${keys.length} signatures are impossible`);
  }
  if (new Set(keys.map(({ text }) => text)).size < keys.length) refuseFile(format, 'two of its keys are the same');
  return sortedMultisig(
    required,
    script,
    keys.map(({ expression }) => expression),
  );
}

/** Writes a multisig of both chains of each key. @see BIP383 */
export function sortedMultisig(required: number, script: MultisigScript, keys: readonly string[]): string {
  const multi = `sortedmulti(${[required, ...keys.map((key) => `${key}/<0;1>/*`)].join(',')})`;
  return { p2sh: `sh(${multi})`, 'p2sh-p2wsh': `sh(wsh(${multi}))`, p2wsh: `wsh(${multi})` }[script];
}

/** Removes a checksum, if right, so that the descriptor can be changed. */
export function bodyWithoutChecksum(format: WalletFileFormat, text: string, place: string): string {
  return (unlessRefused(() => splitChecksum(text, false)) ?? refuseFile(format, `${place} has a wrong checksum`)).body;
}

const BOTH_CHAINS = /\/\*\*(?=[,)}]|$)/g;

/** Rewrites `/**`, which templates have for both chains, as `/<0;1>/*`. @see BIP129, BIP388 */
export function withUsualChains(format: WalletFileFormat, source: DescriptorText): DescriptorText {
  const { text, place } = source;
  if (text.search(BOTH_CHAINS) < 0) return source;
  return { ...source, text: bodyWithoutChecksum(format, text, place).replace(BOTH_CHAINS, '/<0;1>/*') };
}

/** Leaves out invalid keys. */
export const keysIn = (text: string): readonly WrittenKey[] =>
  keysInText(text).flatMap(({ extended }) =>
    extended === undefined ? [] : (unlessRefused(() => readExtendedKey(extended)) ?? []),
  );

const BEGINNINGS: Readonly<Record<KeyScript, string>> = {
  any: '',
  p2pkh: 'pkh(',
  'p2sh-p2wpkh': 'sh(wpkh(',
  p2wpkh: 'wpkh(',
  'p2sh-p2wsh': 'sh(wsh(',
  p2wsh: 'wsh(',
};

/**
 * Rewrites extended keys as `xpub`; some wallets write `zpub` in descriptors. Refuses prefixes of another script.
 * @see SLIP-0132
 */
export function withUsualPrefixes(format: WalletFileFormat, { text, place }: DescriptorText): string {
  const foreign = keysIn(text).find(({ script }) => !text.startsWith(BEGINNINGS[script]));
  if (foreign) {
    const script = foreign.script.toUpperCase();
    refuseFile(
      format,
      `${place} has a key whose prefix stands for ${script}, but the descriptor has another script; if that is right, write the key as xpub or tpub`,
    );
  }
  const usual = (original: string): string =>
    replaceKeys(original, ({ extended }, whole) => {
      const key = extended === undefined ? undefined : unlessRefused(() => readExtendedKey(extended));
      return key && extended !== undefined ? whole.replace(extended, key.text) : whole;
    });
  return usual(text) === text ? text : usual(bodyWithoutChecksum(format, text, place));
}
