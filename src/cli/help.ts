import { withoutSecrets } from '../encoding/redaction.ts';
import { networks } from '../network/networks.ts';
import { dialects } from '../rpc/dialect.ts';
import { helpOf, synopsis } from '../rpc/method.ts';
import { findMethod, statefulMethods, statelessMethods } from '../rpc/registry.ts';
import { nearestAdvice, UsageError } from '../terminal/usageError.ts';
import { commands } from './commandTable.ts';

/** Returns the overview, or the help of one command or method. @throws UsageError for an unknown command */
export function helpText(command?: string): string {
  if (command === undefined) return overview();
  const own = commands.get(command);
  if (own) return own.help;
  const method = findMethod(command);
  if (method) return `${helpOf(method)}\n`;
  const known = [...[...statelessMethods, ...statefulMethods].map(({ name }) => name), ...commands.keys()];
  throw new UsageError(`help: unknown command: ${withoutSecrets(command)}${nearestAdvice(command, known)}`);
}

function overview(): string {
  return `countersign: Bitcoin Core's answers without Bitcoin Core

Usage:
  countersign [options] <method> [arguments]    answer one call, as bitcoin-cli does
  countersign [options] review <psbt>           show what a PSBT would do
  countersign [options] signpsbt <psbt>         show a PSBT, ask for confirmation, and sign it
  countersign [options] batch                   answer JSON-RPC requests, one per line
  countersign [options] serve                   answer JSON-RPC requests over HTTP
  countersign [options] sync                    update wallets with the blocks of a node, or of files
  countersign help [command]                    show the help of a command or method
  countersign --version

Methods:
${statelessMethods.map((method) => `  ${synopsis(method)}`).join('\n')}

Methods of wallets and the blockchain, which need --wallet-dir, batch or serve:
${statefulMethods.map((method) => `  ${synopsis(method)}`).join('\n')}

If the first argument is "-", it is read from standard input. There and in files, a PSBT may be base64 or binary.

Options:
  --file FILE       read the first argument from a file
  --network NAME    ${Object.keys(networks).join(', ')},
                    or a .json file with a network of your own (default main)
  --dialect NAME    the node to answer as: ${Object.keys(dialects).join(', ')} (default documented)
  --wallet-dir DIR  keep wallets and blocks in this directory; without it, they are lost when the process ends
  --rpcwallet NAME  the wallet that a call is for, if several are loaded
  --keys-file FILE, --keys-stdin, --keys-prompt
                    read private keys from here rather than from the command line, where others can read them
  --prevtxs-file FILE, --descriptors-file FILE
                    read these arguments from files
  --review          show what signrawtransactionwithkey would sign, and ask for confirmation
  --yes             sign without asking; needed if there is no terminal to confirm on
  --policy CHECK=ACTION
                    for review, signpsbt and --review: refuse, warn or allow what a check finds
  --named           pass arguments as name=value
  --pretty          indent the answer
  -h, --help        show this text, or the help of the command
For the options of serve and sync, see "countersign help serve" and "countersign help sync".

Exit code: 0 for success, the absolute error code (modulo 256) for an RPC error, or 1 for an invalid command line.
`;
}
