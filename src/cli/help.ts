import { networks } from '../network/networks.ts';
import { STATEFUL_BY_NAME, statefulMethods } from '../rpc/createNodeRpc.ts';
import { METHODS_BY_NAME, methods } from '../rpc/createRpc.ts';
import { dialects } from '../rpc/dialect.ts';
import { helpOf, synopsis } from '../rpc/method.ts';
import { withoutSecrets } from '../text/secrets.ts';
import { nearestAdvice } from './nearestName.ts';
import { UsageError } from './usageError.ts';

const BATCH_HELP = `batch

Answers JSON-RPC requests from standard input, one a line, with one answer a line, in the same order:

A request names its wallet with "wallet": "name", unless there is but one. Wallets last as long as the stream.

Options:
  --wallet-dir DIR           a directory that keeps them instead

> echo '{"id":1,"method":"decodescript","params":["51"]}' | countersign batch
`;

const REVIEW_HELP = `review "psbt" ( "sighashtype" )

Says what a PSBT would do: who pays whom, what is change, the fee, who has signed, and what is suspicious.

Options:
  --file FILE                the PSBT, in base64 or binary
  --descriptors-file FILE    your descriptors: only what they derive is called change
  --policy CHECK=ACTION      refuse, warn or allow what a check finds; may be given more than once

Exit code: 1 where the policy refuses to sign.

> countersign review --file spend.psbt --descriptors-file wallet.json
`;

const SIGNPSBT_HELP = `signpsbt "psbt" ( "sighashtype" )

Shows a PSBT, asks, signs what the keys can sign, verifies it, and finalizes the inputs that are complete.

Options:
  --file FILE                the PSBT, in base64 or binary
  --keys-file FILE, --keys-stdin, --keys-prompt
                             private keys in wallet import format
  --descriptors-file FILE    your descriptors; those with private keys sign
  --policy CHECK=ACTION      as for review
  --yes                      does not ask; needed where standard input is no terminal

Exit code: 1 where the policy or the person refuses, 2 where no signature could be added and the transaction is not
complete.

> countersign signpsbt --file spend.psbt --descriptors-file wallet.json
`;

const SERVE_HELP = `serve

Answers JSON-RPC requests over HTTP as a node does, on this machine only, until it is interrupted or asked to "stop".

Options:
  --wallet-dir DIR           where wallets and blocks are kept; without it, only as long as it runs
  --rpcport PORT             where to listen (default: the port of the network's nodes; 0 takes a free one)
  --rpccookiefile FILE       where the name and password of this run are written (default .cookie, in
                             --wallet-dir if there is one)
  --norpccookiefile          writes none
  --rpcuser NAME             a name with a password instead, which is read from
  --rpcpassword-file FILE      this file, or
                               the environment variable COUNTERSIGN_RPCPASSWORD, or a prompt that does not show it
  --rpcauth USER:SALT$HASH   another name, with the HMAC-SHA256 of its password; may be given more than once
  --rpcwhitelist USER:METHOD,METHOD
                             what this user may call; with it, others may call nothing; may be given more than once
  --rpcworkqueue COUNT       how many requests may wait (default 16)
  --rpcservertimeout SECONDS how long a client may be silent (default 30)
  --rpcbind ADDRESS          listens there instead, without any encryption; may be given more than once, wants:
  --rpcallowip ADDRESS       who else may ask: an address, or a network (10.0.0.0/8); may be given more than once

> countersign serve --network regtest --dialect core-31
> curl --user "$(cat .cookie)" --data '{"id":1,"method":"decodescript","params":["6a"]}' http://127.0.0.1:18443/
`;

const SYNC_HELP = `sync

Feeds our own node, and the wallets that follow it, with the blocks and the mempool of a node of yours, or of files. It
goes on where it was, follows reorganizations, and sends nothing to the node that it reads.

From where, one of:
  --from-rpc URL             a node, such as http://127.0.0.1:8332
    --from-cookie FILE         its .cookie, or
    --from-user NAME           a name with a password, which is read from
    --from-password-file FILE    this file, or the environment variable COUNTERSIGN_FROM_PASSWORD, or a hidden prompt
  --from-file FILE           text with "block HEX" or "tx HEX" in each line ("-": standard input), or a node's blk*.dat;
                             may be given more than once
    --xor-file FILE            what blk*.dat are obfuscated with (default xor.dat beside them, if it is there)
Where to, one of:
  --wallet-dir DIR           a directory of wallets that no other process uses
  --to-rpc URL               a running "countersign serve", with --to-cookie, --to-user, --to-password-file (or
                             COUNTERSIGN_TO_PASSWORD) as above
  --to-file FILE             a new text file for --from-file on another machine ("-": standard output)
    --since HEIGHT             writes only the blocks after this one
How:
  --follow                   goes on until it is interrupted
  --interval SECONDS         how often it then looks (default 10)
  --rpcclienttimeout SECONDS how long a call may take (default 120, at most 300)

> countersign sync --network regtest --from-rpc http://127.0.0.1:18443 --from-cookie ~/.bitcoin/regtest/.cookie --wallet-dir wallets
`;

/** The commands that are no methods of a node. */
const COMMAND_HELP: ReadonlyMap<string, string> = new Map([
  ['batch', BATCH_HELP],
  ['review', REVIEW_HELP],
  ['serve', SERVE_HELP],
  ['signpsbt', SIGNPSBT_HELP],
  ['sync', SYNC_HELP],
]);

/** The help of everything, or of one command. @throws UsageError for a command that is not there */
export function helpText(command?: string): string {
  if (command === undefined) return overview();
  const help = COMMAND_HELP.get(command);
  if (help !== undefined) return help;
  const method = METHODS_BY_NAME.get(command) ?? STATEFUL_BY_NAME.get(command);
  if (method) return `${helpOf(method)}\n`;
  const known = [...METHODS_BY_NAME.keys(), ...STATEFUL_BY_NAME.keys(), ...COMMAND_HELP.keys()];
  throw new UsageError(`help: unknown command: ${withoutSecrets(command)}${nearestAdvice(command, known)}`);
}

function overview(): string {
  return `countersign: Bitcoin Core's answers without Bitcoin Core

Usage:
  countersign [options] <method> [arguments]    answer one call, as bitcoin-cli does
  countersign [options] review <psbt>           say what a PSBT would do
  countersign [options] signpsbt <psbt>         show it, ask, sign it
  countersign [options] batch                   answer JSON-RPC requests, one a line
  countersign [options] serve                   answer JSON-RPC requests over HTTP
  countersign [options] sync                    feed wallets with the blocks of a node, or of files
  countersign help [command]                    say more about one of them
  countersign --version

Methods:
${methods.map((method) => `  ${synopsis(method)}`).join('\n')}

Methods of wallets, which are kept with --wallet-dir:
${statefulMethods.map((method) => `  ${synopsis(method)}`).join('\n')}

The first argument may be "-" to read it from standard input. A PSBT may be base64 or binary there and in files.

Options:
  --file FILE       read the first argument from a file
  --network NAME    ${Object.keys(networks).join(', ')},
                    or a .json file with a network of your own (default main)
  --dialect NAME    whose answers: ${Object.keys(dialects).join(', ')} (default documented)
  --wallet-dir DIR  where wallets and the blocks that were fed are kept; without it, only as long as the process
  --rpcwallet NAME  which wallet a call is for, if there are several
  --keys-file FILE, --keys-stdin, --keys-prompt
                    private keys, from elsewhere than the command line, where others can read them
  --prevtxs-file FILE, --descriptors-file FILE
                    these arguments, read from files
  --review          say what signrawtransactionwithkey would sign, and ask
  --yes             answer such questions beforehand; needed where standard input is no terminal
  --policy CHECK=ACTION
                    of review and signpsbt: refuse, warn or allow what a check finds
  --named           arguments are written name=value
  --pretty          indent the answer
  -h, --help        this text, or that of the command
The options of serve and sync are in "countersign help serve" and "countersign help sync".

Exit code: 0, the error's code without its sign (modulo 256), or 1 for a command line that makes no sense.
`;
}
