import type { RpcContext } from '../../../answers/dialect/dialect.ts';
import { parseHex } from '../../../core/bytes/hex.ts';
import { encodeUtf8 } from '../../../core/bytes/utf8.ts';
import { formatDescriptor } from '../../../core/descriptors/formatDescriptor.ts';
import { unlessRefused } from '../../../core/errors.ts';
import { decodeTransaction } from '../../../core/tx/codec.ts';
import { parseWalletFile } from '../../../kit/account/walletFiles/parseWalletFile.ts';
import { encodeWalletUr } from '../../../kit/qr/encodeWalletUr.ts';
import { encodeUr } from '../../../kit/qr/ur.ts';
import type { Io } from '../../terminal/io.ts';
import { withUsageErrors } from '../../terminal/usageError.ts';
import { declareCommand } from '../declareCommand.ts';
import { explainWallet } from '../input/contentText.ts';
import { FILE_WORDS, fileArgument, type Given, hexIn, psbtIn, readGiven, refuseSecret } from '../input/givenFiles.ts';
import { openContext } from '../openContext.ts';
import { type CommandLine, choice } from '../options.ts';
import { type CodeContent, parseCodeFormat, showCodes, toCodeContent } from '../output/showCodes.ts';

const options = {
  qr: choice(['bbqr', 'ur'], {
    bbqr: 'as BBQr, which Coldcard, Sparrow and others read (the default)',
    ur: 'as UR (version 2), which Keystone, BlueWallet, Sparrow and others read',
  }),
};

export const qr = declareCommand({
  synopsis: 'qr FILE',
  about: `Shows a PSBT, a transaction, or the public descriptors of a wallet file as QR codes, for a signing device or a watching
wallet: in a terminal in turn until a key is pressed, elsewhere one after another. It never shows private keys.

${FILE_WORDS}`,
  options,
  examples: ['countersign qr spend.psbt'],
  run: runQr,
});

async function runQr(line: CommandLine<typeof options>, io: Io): Promise<number> {
  const context = await openContext(line, io);
  const format = parseCodeFormat(line.qr ?? '');
  const input = await readGiven(fileArgument(line), line, io);
  refuseSecret(input);
  const decoded = await psbtIn(input, context);
  const content = decoded ? toCodeContent(decoded) : (transactionIn(input, context) ?? walletIn(input, context));
  await showCodes(content, format, io);
  return 0;
}

function transactionIn(input: Given, { network }: RpcContext): CodeContent | undefined {
  const hex = hexIn(input);
  const bytes = hex === undefined ? undefined : parseHex(hex);
  if (!bytes || !unlessRefused(() => decodeTransaction(bytes, { mweb: network.mweb }))) return undefined;
  return {
    bbqr: { type: 'transaction', content: bytes },
    ur: (fragmentSize) => encodeUr(bytes, { type: 'bytes', fragmentSize }),
  };
}

function walletIn(input: Given, { network, ecc }: RpcContext): CodeContent {
  const { descriptors } = explainWallet(input, network, () => parseWalletFile(input.content, { network, ecc }));
  const texts = descriptors.map((descriptor) => formatDescriptor(descriptor, network));
  const coin = network.ticker === 'LTC' ? 'litecoin' : 'bitcoin';
  return {
    bbqr: { type: 'text', content: encodeUtf8(texts.join('\n')) },
    ur: (fragmentSize) => withUsageErrors(() => encodeWalletUr(texts, { coin, fragmentSize })),
  };
}
