import { bytesKey } from '../../core/bytes/compare.ts';
import { decodeUtf8WithoutMark, encodeUtf8 } from '../../core/bytes/utf8.ts';
import { isCompactSeed } from '../../core/encoding/writtenSecrets.ts';
import { BtcError } from '../../core/errors.ts';
import { wordsOfEntropy } from '../../core/keys/seedWords.ts';
import type { NetworkName } from '../../core/network/networks.ts';
import type { ScannedContent } from '../qr/frameReader.ts';
import { decodeWalletUr } from '../qr/walletUr.ts';

/** What QR codes hold, for `open`. */
export interface CodeContent {
  readonly content: Uint8Array;
  /** Those that a wallet in the codes fits. */
  readonly networks?: readonly NetworkName[];
  /** The wallet's name. */
  readonly name?: string;
}

/** Decodes the bytes of a QR code as text; those of a compact SeedQR as the words for which they stand. */
export const textOfCode = (bytes: Uint8Array): string =>
  isCompactSeed(bytes) ? wordsOfEntropy(bytes) : (decodeUtf8WithoutMark(bytes) ?? bytesKey(bytes));

/** URs of bytes that say by themselves what they are. */
const PLAIN: ReadonlySet<string> = new Set(['bytes', 'crypto-psbt', 'psbt']);

/**
 * Turns a wallet or keys that a UR encodes into lines of text, and leaves other contents as they are.
 * @throws `qr/invalid` for a damaged wallet, and for a UR of a type that cannot be used
 */
export function contentOfCode({ format, type, content }: ScannedContent): CodeContent {
  if (format !== 'ur' || PLAIN.has(type)) return { content };
  const wallet = decodeWalletUr(type, content);
  if (!wallet) {
    const message = `The code holds a UR of the type ${type}, which is not supported: show a PSBT, a transaction or a wallet`;
    throw new BtcError('qr/invalid', { option: 'content', reason: 'has an unsupported type' }, message);
  }
  const { descriptors, keys, name } = wallet;
  // Beside the addresses of an account stand its keys for multisigs.
  const lines = descriptors.length > 0 ? descriptors : keys;
  return { content: encodeUtf8(lines.join('\n')), networks: wallet.networks, ...(name !== undefined && { name }) };
}
