import type { AnnotatedKeys } from '../../../core/descriptors/silentPayments.ts';
import type { Descriptor } from '../../../core/descriptors/types.ts';
import { quotedLine } from '../../../core/encoding/printable.ts';
import { quoted, withoutSecrets } from '../../../core/encoding/redaction.ts';
import { BtcError, shortened } from '../../../core/errors.ts';
import type { OfferedWallet } from '../../../core/holder/heldWallets.ts';
import { type Network, type NetworkName, networkNames } from '../../../core/network/networks.ts';

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

/** The script of a multisig wallet. */
export type MultisigScript = 'p2sh' | 'p2sh-p2wsh' | 'p2wsh';

/** By the last step of a path. @see BIP48 "Script" */
export const BIP48_SCRIPTS: ReadonlyMap<number, MultisigScript> = /* @__PURE__ */ new Map([
  [1, 'p2sh-p2wsh'],
  [2, 'p2wsh'],
]);

/** One signer's key of a multisig, whose wallet needs those of the other signers, too. */
export interface SignerKey {
  /** A public key with its origin, if the file states it: `[73c5da0a/48h/0h/0h/2h]xpub…`. */
  readonly text: string;
  /** The script for which it is, if its prefix or its path says so. @see SLIP132; BIP45, BIP48 */
  readonly script?: MultisigScript;
}

/** A wallet as its file describes it. */
export interface WalletFile {
  readonly format: WalletFileFormat;
  readonly name?: string;
  /** Absent if several test networks fit, and the caller named none. */
  readonly network?: Network;
  /** The built-in networks that the file fits. */
  readonly networks: readonly NetworkName[];
  /** Most usual first: multipath, or receive followed by change. Private keys are concealed. */
  readonly descriptors: readonly Descriptor[];
  /** Wallets of silent payments (BIP392). Their private scan keys are concealed. */
  readonly silent: readonly AnnotatedKeys[];
  /** Keys for a multisig with others, which have no addresses of their own. */
  readonly signers: readonly SignerKey[];
  /** Of the master keys, in hex. */
  readonly fingerprints: readonly string[];
  /** The block height from which to look for coins. */
  readonly birthHeight?: number;
  /** What a registered wallet says of its registrations. */
  readonly registered?: NonNullable<OfferedWallet['registered']>;
  /** How many unused addresses may lie before a used one. @see BIP393 */
  readonly gapLimit?: number;
}

export interface DescriptorText {
  readonly text: string;
  /** For errors: `line 3`, or the name of a member. */
  readonly place: string;
  readonly isChange?: boolean;
  readonly firstAddress?: { readonly address: string; readonly place: string };
}

export interface WalletDraft extends Pick<WalletFile, 'name' | 'birthHeight' | 'registered'> {
  readonly descriptors: readonly DescriptorText[];
  readonly silent?: readonly DescriptorText[];
  readonly signers?: readonly (SignerKey & { readonly place: string })[];
  /** Descriptors of the same scripts, stated once more. */
  readonly repeats?: readonly DescriptorText[];
  /** By default, those that the keys and addresses fit. */
  readonly networks?: readonly NetworkName[];
}

/** Refuses a file, as readers of every format do. @throws `walletfile/invalid` */
export function refuseFile(format: WalletFileFormat, reason: string): never {
  const name = WALLET_FILE_FORMATS[format];
  throw new BtcError('walletfile/invalid', { format: name, reason }, `The ${name} is not valid: ${reason}`);
}

export interface Line {
  readonly text: string;
  readonly place: string;
}

/** Leaves out empty lines and comments. */
export function contentLines(text: string): readonly Line[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ text: line.trim(), place: `line ${index + 1}` }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'));
}

export function networksNamed(
  format: WalletFileFormat,
  name: string | undefined,
): { readonly networks?: readonly NetworkName[] } {
  if (name === undefined) return {};
  const lower = name.toLowerCase();
  const networks = networkNames(({ name: own, fileNames = [] }) => own === lower || fileNames.includes(lower));
  return networks.length > 0 ? { networks } : refuseFile(format, `its network ${quoted(name)} is not supported`);
}

/** Lists what a holder takes of a wallet file. Its name is quoted, since its maker chose it. */
export const walletsIn = ({ descriptors, name, gapLimit, registered }: WalletFile): readonly OfferedWallet[] =>
  descriptors.map((descriptor) => ({
    descriptor,
    ...(name !== undefined && { name: `wallet ${quotedLine(shortened(withoutSecrets(name), 60))}` }),
    ...(gapLimit !== undefined && { gapLimit }),
    ...(registered && { registered }),
  }));

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textIn(record: JsonRecord, name: string): string | undefined {
  const value = Object.hasOwn(record, name) ? record[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function heightIn(record: JsonRecord, name: string): { readonly birthHeight?: number } {
  const value = record[name];
  const isHeight = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  return isHeight ? { birthHeight: value } : {};
}
