import { withoutSecrets } from '../encoding/redaction.ts';
import { networks } from '../network/networks.ts';
import { dialects } from '../rpc/dialect.ts';
import { helpOf, type RpcSignature } from '../rpc/method.ts';
import { allMethods, findMethod } from '../rpc/registry.ts';
import { nearestAdvice, UsageError } from '../terminal/usageError.ts';
import { commands } from './commandTable.ts';

/** Returns the overview, or the help of one command or method. @throws UsageError for an unknown command */
export function helpText(command?: string): string {
  if (command === undefined) return overview();
  const own = commands.get(command);
  if (own) return own.help;
  const method = findMethod(command);
  if (method) return `${helpOf(method)}\n`;
  const known = [...allMethods().map(({ name }) => name), ...commands.keys()];
  throw new UsageError(`help: unknown command: ${withoutSecrets(command)}${nearestAdvice(command, known)}`);
}

function overview(): string {
  return `countersign: Bitcoin Core's answers without Bitcoin Core

Usage:
  countersign review spend.psbt                 show what a PSBT would do
  countersign sign spend.psbt                   show it, ask for confirmation, and sign it
  countersign combine a.psbt b.psbt             merge what several signers added
  countersign finalize spend.psbt               make the transaction of a complete PSBT
  countersign addresses wallet.txt              list the addresses of a wallet

  countersign inspect FILE                      show a PSBT, transaction, descriptor or script as a node decodes it
  countersign <method> [arguments]              answer one call, as bitcoin-cli does
  countersign batch                             answer JSON-RPC requests, one per line
  countersign serve                             answer JSON-RPC requests over HTTP
  countersign sync                              update wallets with the blocks of a node, or of files
  countersign signpsbt FILE                     the same as sign, with the JSON of an RPC method
  countersign help [command]                    show the options of a command, or the help of a method
  countersign --version

A FILE may be binary, base64, hex, or the JSON of another command; "-" reads standard input.

General options:
  --network NAME    ${Object.keys(networks).join(', ')},
                    or a .json file with a network of your own
                    (default: that of --wallet-dir, else COUNTERSIGN_NETWORK, else main)
  --dialect NAME    the node to answer as: ${Object.keys(dialects).join(', ')}
                    (default: that of --wallet-dir, else COUNTERSIGN_DIALECT, else documented)
  --arithmetic NAME native, wasm or noble: the library that computes with keys and signatures
                    (default: the first of these that works here)
  -h, --help        show this text, or the help of the command

Options of methods:
  --file FILE       read the first argument from a file; a PSBT may be base64 or binary
  --wallet-dir DIR  keep wallets and blocks in this directory; without it, they are lost when the process ends
  --rpcwallet NAME  the wallet that a call is for, if several are loaded
  --keys-file FILE, --keys-stdin, --keys-prompt
                    read private keys from here rather than from the command line, where others can read them
  --prevtxs-file FILE, --descriptors-file FILE
                    read these arguments from files
  --review          show what signrawtransactionwithkey would sign, and ask for confirmation
    --policy CHECK=ACTION
                      refuse, warn or allow what a check finds
    --yes             sign without asking; needed if there is no terminal to confirm on
  --named           pass arguments as name=value
  --pretty          indent the answer

${methodLists()}

Methods of wallets and of the chain need --wallet-dir, batch or serve.

Exit code: 0 for success, the absolute error code (modulo 256) for an RPC error, or 1 for an invalid command line.
`;
}

/** The areas of methods; a method belongs to the first that it fits. */
const AREAS: readonly { readonly title: string; readonly fits: (method: RpcSignature) => boolean }[] = [
  { title: 'PSBTs', fits: ({ name }) => name.includes('psbt') },
  {
    title: 'Raw transactions',
    fits: ({ name, needs }) => needs === 'nothing' && /transaction|^decodescript$/.test(name),
  },
  { title: 'Descriptors', fits: ({ needs }) => needs === 'nothing' },
  { title: 'Wallets', fits: ({ name, needs }) => needs === 'wallet' || name.includes('wallet') },
  { title: 'Chain and mempool', fits: () => true },
];

const WIDTH = 110;

function methodLists(): string {
  const rest = new Set(allMethods());
  return AREAS.map(({ title, fits }) => {
    const methods = [...rest].filter(fits);
    for (const method of methods) rest.delete(method);
    return `${title}:\n${wrapped(methods.map(({ name }) => name))}`;
  }).join('\n');
}

/** Joins names with commas, in lines of at most `WIDTH` characters. */
function wrapped(names: readonly string[]): string {
  const lines: string[] = [];
  for (const [i, name] of names.entries()) {
    const text = i < names.length - 1 ? `${name},` : name;
    const last = lines.at(-1);
    if (last !== undefined && last.length + text.length < WIDTH) lines[lines.length - 1] = `${last} ${text}`;
    else lines.push(`  ${text}`);
  }
  return lines.join('\n');
}
