import type { Descriptor } from '../../../core/descriptors/types.ts';
import { quoted } from '../../../core/encoding/redaction.ts';
import { BtcError } from '../../../core/errors.ts';
import { type Network, type NetworkName, networkNames } from '../../../core/network/networks.ts';

/** The formats of wallet files, with their names for people. */
export const WALLET_FILE_FORMATS = {
  descriptors: 'descriptor file',
  sparrow: 'Sparrow descriptor file',
  specter: 'Specter wallet file',
  core: 'descriptor list of Bitcoin Core',
  coldcard: 'Coldcard generic JSON',
  'coldcard-multisig': 'Coldcard multisig file',
  electrum: 'Electrum wallet file',
  'extended-key': 'extended key',
  policy: 'BIP388 wallet policy',
  bsms: 'BSMS record (BIP129)',
  liana: 'Liana backup',
  caravan: 'Caravan wallet file',
  wasabi: 'Wasabi wallet file',
} as const;

/** The format of a wallet file. */
export type WalletFileFormat = keyof typeof WALLET_FILE_FORMATS;

/** A wallet as its file describes it. */
export interface WalletFile {
  readonly format: WalletFileFormat;
  /** The wallet's name, if the file has one. */
  readonly name?: string;
  /** Absent if the file fits several test networks, and the caller named none. */
  readonly network?: Network;
  /** The built-in networks that the file fits. */
  readonly networks: readonly NetworkName[];
  /**
   * The descriptors of the wallet's scripts, most usual first: multipath for both chains, or a receive descriptor followed
   * by its change descriptor. Private keys in them are concealed.
   */
  readonly descriptors: readonly Descriptor[];
  /** The fingerprints of the master keys, as the file states them, in hex. */
  readonly fingerprints: readonly string[];
  /** The height of the block from which to look for the wallet's coins, if the file says so. */
  readonly birthHeight?: number;
}

export interface DescriptorText {
  readonly text: string;
  /** Place in the file, for errors: `line 3`, or the name of a member. */
  readonly place: string;
  /** True if the file says that the descriptor is for change addresses. */
  readonly isChange?: boolean;
  /** The first receive address, if the file states it. */
  readonly firstAddress?: { readonly address: string; readonly place: string };
}

/** A wallet file before its descriptors are parsed. */
export interface WalletDraft extends Pick<WalletFile, 'name' | 'birthHeight'> {
  readonly descriptors: readonly DescriptorText[];
  /** Descriptors of the same scripts, which the file states once more. */
  readonly repeats?: readonly DescriptorText[];
  /** The networks that the file fits; by default, those that its keys and addresses fit. */
  readonly networks?: readonly NetworkName[];
}

/** Refuses a file, whose format is known. @throws `walletfile/invalid` */
export function refuseFile(format: WalletFileFormat, reason: string): never {
  const name = WALLET_FILE_FORMATS[format];
  throw new BtcError('walletfile/invalid', { format: name, reason }, `The ${name} is not valid: ${reason}`);
}

export interface Line {
  readonly text: string;
  readonly place: string;
}

/** Splits a text into its lines without white space around them; leaves out empty lines and comments. */
export function linesOf(text: string): readonly Line[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ text: line.trim(), place: `line ${index + 1}` }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'));
}

/** Returns the networks that a file names; none if it names none. @throws `walletfile/invalid` for an unknown name */
export function networksNamed(
  format: WalletFileFormat,
  name: string | undefined,
): { readonly networks?: readonly NetworkName[] } {
  if (name === undefined) return {};
  const lower = name.toLowerCase();
  const networks = networkNames(({ name: own, fileNames = [] }) => own === lower || fileNames.includes(lower));
  return networks.length > 0 ? { networks } : refuseFile(format, `its network ${quoted(name)} is not supported`);
}

/** A parsed JSON object. */
export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a member if it is a text that is not empty. */
export function textIn(record: JsonRecord, name: string): string | undefined {
  const value = Object.hasOwn(record, name) ? record[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the height of a block in a member, if it is one. */
export function heightIn(record: JsonRecord, name: string): { readonly birthHeight?: number } {
  const value = record[name];
  const isHeight = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  return isHeight ? { birthHeight: value } : {};
}
