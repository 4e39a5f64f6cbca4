import type { RpcContext } from '../../../answers/dialect/dialect.ts';
import { formatDescriptor } from '../../../core/descriptors/formatDescriptor.ts';
import { encodeTransaction } from '../../../core/tx/codec.ts';
import type { Opened } from '../../../kit/open/open.ts';
import { encodeUr } from '../../../kit/qr/ur.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { declareCommand } from '../declareCommand.ts';
import { contentText } from '../input/contentText.ts';
import { FILE_WORDS, fileArgument, openGiven, readGiven } from '../input/givenFiles.ts';
import { openContext } from '../openContext.ts';
import { type CommandLine, choice } from '../options.ts';
import { type CodeContent, parseCodeFormat, showCodes, toCodeContent } from '../output/showCodes.ts';
import { walletCodes } from '../output/walletCodes.ts';

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
  const opened = openGiven(input, context);
  await showCodes(contentOf(input.name, opened, context), format, io);
  return 0;
}

function contentOf(name: string, opened: Opened, { network }: RpcContext): CodeContent {
  switch (opened.kind) {
    case 'psbt':
      return toCodeContent(opened);
    case 'transaction': {
      const bytes = encodeTransaction(opened.tx);
      return {
        bbqr: { type: 'transaction', content: bytes },
        ur: (fragmentSize) => encodeUr(bytes, { type: 'bytes', fragmentSize }),
      };
    }
    default:
      if ('file' in opened && opened.kind !== 'signers')
        return walletCodes(
          opened.file.descriptors.map((each) => formatDescriptor(each, network)),
          network,
        );
      throw new UsageError(`${name} is ${contentText(opened) ?? 'not a PSBT, a transaction or a wallet file'}`);
  }
}
