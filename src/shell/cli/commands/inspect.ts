import type { RpcContext } from '../../../answers/dialect/dialect.ts';
import { toJsonValue } from '../../../answers/json/jsonValue.ts';
import { stringifyRpc } from '../../../answers/json/stringify.ts';
import { callMethod } from '../../../answers/method/readParams.ts';
import { formatHex } from '../../../core/bytes/hex.ts';
import { printableJson } from '../../../core/encoding/printable.ts';
import { encodeTransaction } from '../../../core/tx/codec.ts';
import type { Opened } from '../../../kit/open/open.ts';
import { openedText } from '../../../kit/open/openedText.ts';
import { withoutSecretTexts } from '../../../kit/open/secretTexts.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { declareCommand } from '../declareCommand.ts';
import { type DecoderName, loadDecoder } from '../decoders.ts';
import { contentText } from '../input/contentText.ts';
import { fileArgument, type Given, openGiven, readGiven } from '../input/givenFiles.ts';
import { openContext } from '../openContext.ts';
import { type CommandLine, flag } from '../options.ts';

const options = { json: flag('on one line') };
type Line = CommandLine<typeof options>;

export const inspect = declareCommand({
  synopsis: 'inspect FILE',
  about: `Finds out whether a file is a PSBT, a transaction, a descriptor or a script, and prints the JSON with which a node
decodes it; or whether it is a wallet file, one signer's keys, a payment URI (BIP321), an address, labels or a signed
message, and prints what it says. Secrets are named, and never shown.`,
  options,
  examples: ['countersign inspect spend.psbt'],
  run: runInspect,
});

async function runInspect(line: Line, io: Io): Promise<number> {
  const context = await openContext(line, io);
  const input = await readGiven(fileArgument(line), line, io);
  const { kind, answer } =
    (await describeLine(input, context)) ?? (await describe(input.name, openGiven(input, context), context));
  io.writeError(`${input.name}: ${kind}\n`);
  await io.writeOut(jsonText(answer, line));
  return 0;
}

/** Core's `MAX_SCRIPT_SIZE`. */
const LONGEST_SCRIPT = 10_000;

interface Description {
  readonly kind: string;
  readonly answer: unknown;
}

/** Shows a descriptor as a node does, without its private keys. */
async function describeLine({ text = '' }: Given, context: RpcContext): Promise<Description | undefined> {
  const isDescriptor = /^[a-z_]{2,12}\([^\n]*$/.test(text) && !text.startsWith('sp(');
  return isDescriptor ? decoded('a descriptor', 'getdescriptorinfo', text, context).catch(unlessUsage) : undefined;
}

async function describe(name: string, opened: Opened, context: RpcContext): Promise<Description> {
  switch (opened.kind) {
    case 'psbt': {
      const { explainPsbt } = await import('../../../answers/psbt/decodepsbt.ts');
      const answer = withUsageErrors(
        () => explainPsbt(opened.psbt, context),
        (reason) => `${name} is a PSBT that a node cannot decode (${reason}): "countersign review" shows it`,
      );
      return { kind: 'a PSBT', answer };
    }
    case 'transaction':
      return decoded('a transaction', 'decoderawtransaction', formatHex(encodeTransaction(opened.tx)), context);
    case 'hex':
      if (opened.bytes.length > LONGEST_SCRIPT) throw unread(name, opened);
      return decoded('a script', 'decodescript', formatHex(opened.bytes), context);
    case 'payment': {
      const { paymentToJson } = await import('../../../kit/payment/paymentJson.ts');
      return { kind: 'a payment URI', answer: withoutSecretTexts(paymentToJson(opened.payment)) };
    }
    case 'address':
      return {
        kind: 'an address',
        answer: { address: opened.address, networks: opened.networks.map((each) => each.name) },
      };
    case 'message':
      return { kind: 'a signed message', answer: withoutSecretTexts(opened.signed) };
    case 'labels':
      return { kind: 'a label file (BIP329)', answer: withoutSecretTexts(opened.records) };
    default: {
      if (!('file' in opened)) throw unread(name, opened);
      const { walletJson } = await import('../input/walletFileJson.ts');
      return { kind: `${openedText(opened)}`, answer: walletJson(opened.file, context) };
    }
  }
}

async function decoded(kind: string, method: DecoderName, argument: string, context: RpcContext): Promise<Description> {
  const decoder = await loadDecoder(method);
  return { kind, answer: withUsageErrors(() => callMethod(decoder, toJsonValue([argument]), context)) };
}

function unread(name: string, opened: Opened): UsageError {
  const form = contentText(opened);
  return new UsageError(
    `${name} ${form === undefined ? 'is not a PSBT, transaction, script, descriptor or wallet file' : `is ${form}`}`,
  );
}

/** Escapes control characters: texts of others must not control the terminal. */
const jsonText = (answer: unknown, { json }: Line): string =>
  `${printableJson(stringifyRpc(answer, json ? {} : { indent: 2 }))}\n`;

function unlessUsage(error: unknown): undefined {
  if (!(error instanceof UsageError)) throw error;
}
