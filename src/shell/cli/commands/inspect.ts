import type { RpcContext } from '../../../answers/dialect/dialect.ts';
import { toJsonValue } from '../../../answers/json/jsonValue.ts';
import { stringifyRpc } from '../../../answers/json/stringify.ts';
import type { RpcAnswer } from '../../../answers/method/method.ts';
import { callMethod } from '../../../answers/method/readParams.ts';
import { printableJson } from '../../../core/encoding/printable.ts';
import { mayBeKeyInHex } from '../../../core/encoding/publicForms.ts';
import { RpcError } from '../../../core/errors.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { declareCommand } from '../declareCommand.ts';
import { type DecoderName, loadDecoder } from '../decoders.ts';
import { fileArgument, type Given, hexIn, psbtIn, readGiven, refuseSecret } from '../input/givenFiles.ts';
import { openContext } from '../openContext.ts';
import { type CommandLine, flag } from '../options.ts';

interface Reading {
  readonly kind: string;
  /** @throws RpcError if the content is something else */
  readonly answer: () => Promise<RpcAnswer>;
}

const options = { json: flag('on one line') };
type Line = CommandLine<typeof options>;

export const inspect = declareCommand({
  synopsis: 'inspect FILE',
  about: `Finds out whether a file is a PSBT, a transaction, a descriptor or a script, and prints the JSON with which a node
decodes it; or whether it is a wallet file or a payment URI (BIP321), and prints what it says.`,
  options,
  examples: ['countersign inspect spend.psbt'],
  run: runInspect,
});

async function runInspect(line: Line, io: Io): Promise<number> {
  const context = await openContext(line, io);
  const input = await readGiven(fileArgument(line), line, io);
  refuseSecret(input);
  for (const { kind, answer: read } of await listReadings(input, context)) {
    const answer = await read().catch(unlessRefused);
    if (answer === undefined) continue;
    io.writeError(`${input.name}: ${kind}\n`);
    await io.writeOut(jsonText(answer, line));
    return 0;
  }
  const { isPaymentUri, parsePaymentUri } = await import('../../../kit/payment/paymentUri.ts');
  const { text = '' } = input;
  if (isPaymentUri(text, context.network)) {
    const { paymentToJson } = await import('../../../kit/payment/paymentJson.ts');
    const payment = withUsageErrors(() => parsePaymentUri(text, { network: context.network }));
    io.writeError(`${input.name}: a payment URI\n`);
    await io.writeOut(jsonText(paymentToJson(payment), line));
    return 0;
  }
  const { showWalletFile } = await import('../input/walletFileJson.ts');
  const wallet = showWalletFile(input.content, context);
  if (wallet) {
    io.writeError(`${input.name}: a wallet file (${wallet.format})\n`);
    await io.writeOut(jsonText(wallet.json, line));
    return 0;
  }
  if (mayBeKeyInHex(hexIn(input) ?? '')) {
    throw new UsageError(
      `${input.name} may be a private key or seed in hex, and is not shown; "countersign decodescript" reads it if it is a script`,
    );
  }
  const { contentText } = await import('../input/contentText.ts');
  const form = contentText(input.content, context.network);
  const fault = form === undefined ? 'is not a PSBT, transaction, script, descriptor or wallet file' : `is ${form}`;
  throw new UsageError(`${input.name} ${fault}`);
}

/** Core's `MAX_SCRIPT_SIZE`. */
const LONGEST_SCRIPT = 10_000;

async function listReadings(input: Given, context: RpcContext): Promise<readonly Reading[]> {
  const decoded = await psbtIn(input, context);
  if (decoded) {
    const { explainPsbt } = await import('../../../answers/psbt/decodepsbt.ts');
    const answer = async () =>
      withUsageErrors(
        () => explainPsbt(decoded.psbt, context),
        (reason) => `${input.name} is a PSBT that a node cannot decode (${reason}): "countersign review" shows it`,
      );
    return [{ kind: 'a PSBT', answer }];
  }
  const as = (kind: string, method: DecoderName, argument: string): Reading => {
    return { kind, answer: async () => callMethod(await loadDecoder(method), toJsonValue([argument]), context) };
  };
  const hex = hexIn(input);
  if (hex !== undefined) {
    const transaction = as('a transaction', 'decoderawtransaction', hex);
    // Any bytes decode as a script.
    const isScript = input.text !== undefined && hex.length <= 2 * LONGEST_SCRIPT && !mayBeKeyInHex(hex);
    return isScript ? [transaction, as('a script', 'decodescript', hex)] : [transaction];
  }
  const { text = '' } = input;
  return text.includes('\n') ? [] : [as('a descriptor', 'getdescriptorinfo', text)];
}

/** Escapes control characters: texts of others must not control the terminal. */
const jsonText = (answer: unknown, { json }: Line): string =>
  `${printableJson(stringifyRpc(answer, json ? {} : { indent: 2 }))}\n`;

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof RpcError)) throw error;
}
