import { parseWalletFile } from '../../account/walletFiles/parseWalletFile.ts';
import { WALLET_FILE_FORMATS, type WalletFile } from '../../account/walletFiles/walletFile.ts';
import { formatBase64 } from '../../bytes/base64.ts';
import { formatDescriptor } from '../../descriptors/formatDescriptor.ts';
import { RpcError, unlessRefused } from '../../errors.ts';
import { encodePsbt } from '../../psbt/format/encodePsbt.ts';
import type { Rpc } from '../../rpc/createRpc.ts';
import type { JsonValue } from '../../rpc/json/jsonValue.ts';
import { stringifyRpc } from '../../rpc/json/stringify.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { filesOf, type Given, hexIn, isPhrase, psbtIn, readGiven } from '../givenFiles.ts';
import { openRpc } from '../openRpc.ts';
import type { CommandLine } from '../options.ts';

/** A method that explains a content, and the name of what it explains. */
interface Reading {
  readonly kind: string;
  readonly method: string;
  readonly argument: string;
}

/**
 * `countersign inspect`: finds out whether a file is a PSBT, a transaction, a descriptor or a script, and prints the
 * JSON with which a node decodes it.
 * @returns the exit code
 */
export async function runInspect(line: CommandLine, io: Io): Promise<number> {
  const rpc = await openRpc(line, io);
  const [file = ''] = filesOf(line, { most: 1 });
  const given = await readGiven(file, line, io);
  for (const { kind, method, argument } of readingsOf(given, rpc)) {
    const answer = tryCall(rpc, method, argument);
    if (answer === undefined) continue;
    io.writeError(`${given.name}: ${kind}\n`);
    await io.writeOut(`${stringifyRpc(answer, line.json ? {} : { indent: 2 })}\n`);
    return 0;
  }
  const wallet = unlessRefused(() => parseWalletFile(given.content, { network: rpc.context.network }));
  if (wallet) {
    io.writeError(`${given.name}: a wallet file (${WALLET_FILE_FORMATS[wallet.format]})\n`);
    await io.writeOut(`${stringifyRpc(walletJson(wallet, rpc), line.json ? {} : { indent: 2 })}\n`);
    return 0;
  }
  throw new UsageError(
    !isPhrase(given.text ?? '')
      ? `${given.name} is not a PSBT, transaction, script, descriptor or wallet file`
      : `${given.name} looks like seed words; "countersign addresses --seed-file" shows the addresses of their wallet`,
  );
}

/** Lists the ways to read a content, the likeliest first. @throws UsageError for a PSBT that is damaged */
function readingsOf(given: Given, { context }: Rpc): readonly Reading[] {
  const found = psbtIn(given, context);
  if (found) return [{ kind: 'a PSBT', method: 'decodepsbt', argument: formatBase64(encodePsbt(found.psbt)) }];
  const hex = hexIn(given);
  if (hex !== undefined) {
    const transaction = { kind: 'a transaction', method: 'decoderawtransaction', argument: hex };
    // Any bytes are a script of some kind.
    return given.text === undefined
      ? [transaction]
      : [transaction, { kind: 'a script', method: 'decodescript', argument: hex }];
  }
  const { text = '' } = given;
  return text.includes('\n') ? [] : [{ kind: 'a descriptor', method: 'getdescriptorinfo', argument: text }];
}

/** Returns a wallet file in one form, whatever its format. Descriptors are without private keys. */
function walletJson({ format, name, descriptors, fingerprints, birthHeight }: WalletFile, rpc: Rpc): object {
  return {
    format,
    ...(name !== undefined && { name }),
    fingerprints,
    ...(birthHeight !== undefined && { birthHeight }),
    descriptors: descriptors.map((descriptor) => formatDescriptor(descriptor, rpc.context.network)),
  };
}

function tryCall(rpc: Rpc, method: string, argument: string): ReturnType<Rpc['callJson']> | undefined {
  const params: JsonValue = { type: 'array', items: [{ type: 'string', value: argument }] };
  try {
    return rpc.callJson(method, params);
  } catch (error) {
    if (error instanceof RpcError) return undefined;
    throw error;
  }
}
