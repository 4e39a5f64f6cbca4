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

const REVIEW_HELP = `review "psbt" ( "sighashtype" )

Says what a PSBT would do: who pays whom, what is change, the fee, who has signed, and what is suspicious.

Options:
  --descriptors-file FILE    your descriptors: only what they derive is called change
  --policy CHECK=ACTION      refuse, warn or allow what a check finds; may be given more than once

Exit code: 1 where the policy refuses to sign.

> countersign review --file spend.psbt --descriptors-file wallet.json
`;

const SIGNPSBT_HELP = `signpsbt "psbt" ( "sighashtype" )

Shows a PSBT, asks, signs what the keys can sign, verifies it, and finalizes the inputs that are complete.

Options:
  --keys-file, --keys-stdin, --keys-prompt    private keys in wallet import format
  --descriptors-file FILE    your descriptors; those with private keys sign
  --policy CHECK=ACTION      as for review
  --yes                      does not ask

> countersign signpsbt --file spend.psbt --descriptors-file wallet.json
`;

/** The commands that are no methods of a node. */
const COMMAND_HELP: ReadonlyMap<string, string> = new Map([
  ['batch', BATCH_HELP],
  ['review', REVIEW_HELP],
  ['signpsbt', SIGNPSBT_HELP],
]);

/** The help of everything, or of one command. @throws UsageError for a command that is not there */
export function helpText(command?: string): string {
  if (command === undefined) return overview();
  const help = COMMAND_HELP.get(command);
  if (help !== undefined) return help;
  const method = METHODS_BY_NAME.get(command);
  if (method) return `${synopsis(method)}\n\n${method.help}\n`;
  const nearest = nearestName(command, [...METHODS_BY_NAME.keys(), ...COMMAND_HELP.keys()]);
  throw new UsageError(`help: unknown command: ${command}${nearest ? `; did you mean ${nearest}?` : ''}`);
}

function overview(): string {
  return `countersign: Bitcoin Core's answers without Bitcoin Core

Usage:
  countersign [options] <method> [arguments]    answer one call, as bitcoin-cli does
  countersign [options] review <psbt>           say what a PSBT would do
  countersign [options] signpsbt <psbt>         show it, ask, sign it
  countersign [options] batch                   answer JSON-RPC requests, one a line
  countersign help [command]                    say more about one of them
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
