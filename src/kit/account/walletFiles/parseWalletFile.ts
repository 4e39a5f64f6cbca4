import { isBytes } from '../../../core/bytes/assertBytes.ts';
import { assertText } from '../../../core/bytes/assertText.ts';
import { assertKnownOptions, type OptionNames } from '../../../core/bytes/knownOptions.ts';
import { decodeUtf8WithoutMark, utf8Size, withoutUtf16 } from '../../../core/bytes/utf8.ts';
import type { Ecc } from '../../../core/crypto/ecc.ts';
import { nobleEcc } from '../../../core/crypto/nobleEcc.ts';
import { writtenSecret } from '../../../core/encoding/writtenSecrets.ts';
import { BtcError } from '../../../core/errors.ts';
import type { NetworkOption } from '../../../core/network/networks.ts';
import { isKeyLines, isKeyRecord, parseKeyLines, parseKeyRecord } from './accountKey.ts';
import { isBsms, parseBsms } from './bsms.ts';
import { isCaravan, parseCaravan } from './caravan.ts';
import { isColdcardExport, parseColdcardExport } from './coldcardExport.ts';
import { isColdcardMultisig, parseColdcardMultisig } from './coldcardMultisig.ts';
import { isCoreDescriptors, isImportCommand, parseCoreDescriptors, parseImportCommands } from './coreDescriptors.ts';
import {
  isDescriptorLines,
  isSparrow,
  parseDescriptorLines,
  parseDescriptorList,
  parseSparrow,
} from './descriptorLines.ts';
import {
  isElectrum,
  isElectrumJournal,
  isEncryptedElectrum,
  isOldElectrum,
  parseElectrum,
  parseElectrumJournal,
  refuseEncryptedElectrum,
  refuseOldElectrum,
} from './electrum.ts';
import { finishDraft } from './finishDraft.ts';
import { isLianaBackup, parseLianaBackup } from './liana.ts';
import { isSpecter, isSpecterCommand, parseSpecter, parseSpecterCommand } from './specter.ts';
import {
  isRecord,
  type JsonRecord,
  refuseFile,
  WALLET_FILE_FORMATS,
  type WalletDraft,
  type WalletFile,
  type WalletFileFormat,
} from './walletFile.ts';
import { isWalletPolicy, parseWalletPolicy } from './walletPolicy.ts';
import { isWasabi, parseWasabi } from './wasabi.ts';

const MAX_SIZE = 1_000_000;

/** Options for reading a wallet file. */
export interface WalletFileOptions {
  readonly network?: NetworkOption;
  readonly ecc?: Ecc | undefined;
}

const WALLET_FILE_OPTIONS: OptionNames<WalletFileOptions> = { network: true, ecc: true };

/**
 * Parses a wallet file, whose format it recognizes: descriptors as text (also Sparrow's), the files of Specter,
 * Caravan, Liana and Wasabi, `listdescriptors` and `importdescriptors` of Bitcoin Core, Coldcard's multisig file and
 * generic JSON, an Electrum wallet, an extended key (`zpub`), a wallet policy (BIP388), or a BSMS descriptor record
 * (BIP129).
 *
 * - `network`: refuses keys of any other; by default, that of the keys
 *
 * @throws `walletfile/format`, `walletfile/size`, `walletfile/network`, `walletfile/invalid`, `network/unknown`; errors
 * hold no private keys or seed words
 * @example
 * ```ts
 * import { parseWalletFile } from 'countersign';
 *
 * const key =
 *   'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
 * const { format, fingerprints } = parseWalletFile(`[73c5da0a/84h/0h/0h]${key}`);
 * format; // extended-key
 * fingerprints.join(); // 73c5da0a
 * ```
 */
export function parseWalletFile(content: string | Uint8Array, options: WalletFileOptions = {}): WalletFile {
  assertKnownOptions(options, WALLET_FILE_OPTIONS);
  const file = readWalletFile(content, options);
  if (file.descriptors.length + file.silent.length > 0) return file;
  return refuseFile(
    file.format,
    'it is one key of a multisig, which needs the other signers’ keys: make the wallet from the keys of all (quorumDescriptor)',
  );
}

/** Reads also a file that has only keys for multisigs. @throws as `parseWalletFile` */
export function readWalletFile(
  content: string | Uint8Array,
  { network, ecc = nobleEcc }: WalletFileOptions,
): WalletFile {
  const { format, draft } = readFormat(decodeFileText(content), ecc);
  return finishDraft(format, draft, { network, ecc });
}

function decodeFileText(content: string | Uint8Array): string {
  if (!isBytes(content)) assertText('wallet file', content);
  const size = typeof content === 'string' ? utf8Size(content) : content.length;
  if (size > MAX_SIZE) {
    const message = `The file has ${size} bytes, and wallet files have at most ${MAX_SIZE}`;
    throw new BtcError('walletfile/size', { size, limit: MAX_SIZE }, message);
  }
  const text =
    typeof content === 'string' ? content.replace(/^\ufeff/, '') : decodeUtf8WithoutMark(withoutUtf16(content));
  if (text === undefined || text.includes('\0')) {
    throw unreadable('it is not text; export the wallet from its program as text or JSON');
  }
  return text.replace(SLANTED_MARK, "$1'").trim();
}

/** Word processors replace the mark of a hardened step. */
const SLANTED_MARK = /(\/\d{1,10})[\u2018\u2019\u2032]/g;

interface Found {
  readonly format: WalletFileFormat;
  readonly draft: WalletDraft;
}

const JSON_FORMATS: readonly (readonly [
  WalletFileFormat,
  (record: JsonRecord) => boolean,
  (record: JsonRecord, ecc: Ecc) => WalletDraft,
])[] = [
  ['policy', isWalletPolicy, parseWalletPolicy],
  ['coldcard', isColdcardExport, parseColdcardExport],
  ['electrum', isElectrum, parseElectrum],
  ['caravan', isCaravan, parseCaravan],
  ['wasabi', isWasabi, parseWasabi],
  ['liana', isLianaBackup, parseLianaBackup],
  ['core', isCoreDescriptors, parseCoreDescriptors],
  ['specter', isSpecter, parseSpecter],
  ['extended-key', isKeyRecord, parseKeyRecord],
];

const TEXT_FORMATS: readonly (readonly [WalletFileFormat, (text: string) => boolean, (text: string) => WalletDraft])[] =
  [
    ['bsms', isBsms, parseBsms],
    ['electrum', isEncryptedElectrum, refuseEncryptedElectrum],
    ['electrum', isOldElectrum, refuseOldElectrum],
    ['extended-key', isKeyLines, parseKeyLines],
    ['sparrow', isSparrow, parseSparrow],
    ['specter', isSpecterCommand, parseSpecterCommand],
    ['core', isImportCommand, parseImportCommands],
    ['coldcard-multisig', isColdcardMultisig, parseColdcardMultisig],
    ['descriptors', isDescriptorLines, parseDescriptorLines],
  ];

function readFormat(text: string, ecc: Ecc): Found {
  const secret = writtenSecret(text);
  if (secret?.kind === 'words') {
    throw unreadable('it looks like seed words, not a wallet file: open the account from its seed words instead');
  }
  if (secret && 'form' in secret) throw unreadable(`it is ${secret.form}`);
  if (/^(?:\{(?!\s*')|\[\s*(?:[{"[\]]|$)|")/.test(text)) return readJson(text, ecc);
  for (const [format, isOfFormat, parse] of TEXT_FORMATS) if (isOfFormat(text)) return { format, draft: parse(text) };
  return refuseUnknown(text);
}

function readJson(text: string, ecc: Ecc): Found {
  const parsed = parseJson(text);
  if (typeof parsed === 'string') return readFormat(parsed.trim(), ecc);
  // A JSON-RPC response wraps the result.
  const value = isRecord(parsed) && isRecord(parsed['result']) ? parsed['result'] : parsed;
  if (isRecord(value)) {
    for (const [format, isOfFormat, parse] of JSON_FORMATS) {
      if (isOfFormat(value)) return { format, draft: parse(value, ecc) };
    }
  }
  if (isElectrumJournal(value)) return { format: 'electrum', draft: parseElectrumJournal(value, ecc) };
  if (Array.isArray(value) && isCoreDescriptors(value)) return { format: 'core', draft: parseCoreDescriptors(value) };
  if (isTexts(value)) return { format: 'descriptors', draft: parseDescriptorList(value) };
  return refuseUnknown(text);
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');

/** Also parses several values, with or without commas, as an array, and members without their braces. */
function parseJson(text: string): unknown {
  const piece = text.replace(/,$/, '');
  const separated = piece.replace(/(["}\]])\s+(?=["{[])/g, '$1,');
  for (const whole of [text, `[${piece}]`, `[${separated}]`, `{${piece}}`]) {
    try {
      return JSON.parse(whole);
    } catch {
      // The engine's error quotes the text.
    }
  }
  throw unreadable('it begins like JSON, but is incomplete: the file may be cut off or damaged; export it again');
}

function refuseUnknown(text: string): never {
  if (text === '') throw unreadable('the file is empty');
  const formats = Object.values(WALLET_FILE_FORMATS).join(', ');
  throw unreadable(
    `its format is not supported; the supported formats are: ${formats}`,
    'The format of the file is not supported: export it as descriptors, or for Sparrow, Specter, Coldcard or Electrum',
  );
}

function unreadable(reason: string, message: string = `The file is not a wallet file: ${reason}`): BtcError {
  return new BtcError('walletfile/format', { reason }, message);
}
