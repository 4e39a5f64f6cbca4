import { networks } from '../network/networks.ts';
import { METHODS_BY_NAME, methods } from '../rpc/createRpc.ts';
import { dialects } from '../rpc/dialect.ts';
import { synopsis } from '../rpc/method.ts';
import { nearestName } from './options.ts';
import { UsageError } from './usageError.ts';

const BATCH_HELP = `batch

Answers JSON-RPC requests from standard input, one a line, with one answer a line, in the same order:

> echo '{"id":1,"method":"decodescript","params":["51"]}' | countersign batch
`;

/** The help of everything, or of one command. @throws UsageError for a command that is not there */
export function helpText(command?: string): string {
  if (command === undefined) return overview();
  if (command === 'batch') return BATCH_HELP;
  const method = METHODS_BY_NAME.get(command);
  if (method) return `${synopsis(method)}\n\n${method.help}\n`;
  const nearest = nearestName(command, [...METHODS_BY_NAME.keys(), 'batch']);
  throw new UsageError(`help: unknown command: ${command}${nearest ? `; did you mean ${nearest}?` : ''}`);
}

function overview(): string {
  return `countersign: Bitcoin Core's answers without Bitcoin Core

Usage:
  countersign [options] <method> [arguments]    answer one call, as bitcoin-cli does
  countersign [options] batch                   answer JSON-RPC requests, one a line
  countersign help [method]                     say more about one of them
  countersign --version

Methods:
${methods.map((method) => `  ${synopsis(method)}`).join('\n')}

The first argument may be "-" to read it from standard input. A PSBT may be base64 or binary there and in files.

Options:
  --file FILE       read the first argument from a file
  --network NAME    ${Object.keys(networks).join(', ')},
                    or a .json file with a network of your own (default main)
  --dialect NAME    whose answers: ${Object.keys(dialects).join(', ')} (default documented)
  --pretty          indent the answer
  -h, --help        this text

Exit code: 0, the error's code without its sign (modulo 256), or 1 for a command line that makes no sense.
`;
}
