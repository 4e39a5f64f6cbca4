import { formatBase64 } from '../../bytes/base64.ts';
import { printableJson } from '../../encoding/printable.ts';
import { mayBeKeyInHex } from '../../encoding/redaction.ts';
import { RpcError } from '../../errors.ts';
import { isPhrase } from '../../keys/writtenSecrets.ts';
import { encodePsbt } from '../../psbt/format/encodePsbt.ts';
import type { RpcContext } from '../../rpc/dialect.ts';
import type { JsonValue } from '../../rpc/json/jsonValue.ts';
import { stringifyRpc } from '../../rpc/json/stringify.ts';
import type { RpcAnswer, RpcMethod } from '../../rpc/method.ts';
import { callMethod } from '../../rpc/params.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { type DecoderName, loadDecoder } from '../decoders.ts';
import { fileOf, type Given, hexIn, psbtIn, readGiven } from '../givenFiles.ts';
import { openContext } from '../openContext.ts';
import type { CommandLine } from '../options.ts';

/** One way to read a content: as `kind`, which `method` decodes. */
interface Reading {
  readonly kind: string;
  readonly method: DecoderName;
  readonly argument: string;
}

/**
 * `countersign inspect`: finds out whether a file is a PSBT, a transaction, a descriptor or a script, and prints the
 * JSON with which a node decodes it.
 * @returns the exit code
 */
export async function runInspect(line: CommandLine, io: Io): Promise<number> {
  const context = await openContext(line, io);
  const given = await readGiven(fileOf(line), line, io);
  for (const { kind, method, argument } of readingsOf(given, context)) {
    const answer = tryCall(await loadDecoder(method), argument, context);
    if (answer === undefined) continue;
    io.writeError(`${given.name}: ${kind}\n`);
    await io.writeOut(jsonText(answer, line));
    return 0;
  }
  const { showWalletFile } = await import('../walletFileJson.ts');
  const wallet = showWalletFile(given.content, context);
  if (wallet) {
    io.writeError(`${given.name}: a wallet file (${wallet.format})\n`);
    await io.writeOut(jsonText(wallet.json, line));
    return 0;
  }
  throw new UsageError(`${given.name} ${faultOf(given)}`);
}

/** Says why a content cannot be explained, and never quotes it. */
function faultOf(given: Given): string {
  if (mayBeKeyInHex(hexIn(given) ?? '')) {
    return 'may be a private key or seed in hex, and is not shown; "countersign decodescript" reads it if it is a script';
  }
  return isPhrase(given.text ?? '')
    ? 'looks like seed words; "countersign addresses --seed-file" shows the addresses of their wallet'
    : 'is not a PSBT, transaction, script, descriptor or wallet file';
}

/** The most bytes of a script, as in Core. */
const LONGEST_SCRIPT = 10_000;

/** Lists the ways to read a content, the likeliest first. @throws UsageError for a PSBT that is damaged */
function readingsOf(given: Given, context: RpcContext): readonly Reading[] {
  const found = psbtIn(given, context);
  if (found) return [{ kind: 'a PSBT', method: 'decodepsbt', argument: formatBase64(encodePsbt(found.psbt)) }];
  const hex = hexIn(given);
  if (hex !== undefined) {
    const transaction: Reading = { kind: 'a transaction', method: 'decoderawtransaction', argument: hex };
    // Any bytes are a script of some kind: those of other files, and keys.
    const isScript = given.text !== undefined && hex.length <= 2 * LONGEST_SCRIPT && !mayBeKeyInHex(hex);
    return isScript ? [transaction, { kind: 'a script', method: 'decodescript', argument: hex }] : [transaction];
  }
  const { text = '' } = given;
  return text.includes('\n') ? [] : [{ kind: 'a descriptor', method: 'getdescriptorinfo', argument: text }];
}

/** Formats JSON to print: PSBTs and wallet files hold texts of others, which must not control the terminal. */
const jsonText = (answer: unknown, { json }: CommandLine): string =>
  `${printableJson(stringifyRpc(answer, json ? {} : { indent: 2 }))}\n`;

function tryCall(method: RpcMethod, argument: string, context: RpcContext): RpcAnswer | undefined {
  const params: JsonValue = { type: 'array', items: [{ type: 'string', value: argument }] };
  try {
    return callMethod(method, params, context);
  } catch (error) {
    if (error instanceof RpcError) return undefined;
    throw error;
  }
}
