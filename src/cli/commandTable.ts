import type { Io } from '../terminal/io.ts';
import type { CommandLine } from './options.ts';

/** A command of our own, which is not an RPC method. */
interface Command {
  readonly help: string;
  /** The options that it takes, besides the general ones and those of `serve` or `sync` alone. */
  readonly takes: readonly string[];
  /** Runs it. @returns the exit code */
  readonly run: RunCommand;
}

type RunCommand = (line: CommandLine, io: Io) => Promise<number>;

// Loading the code of all commands would take longer than most calls.
const runBatch: RunCommand = async (line, io) => (await import('./commands/batch.ts')).runBatch(line, io);
const runAddresses: RunCommand = async (line, io) => (await import('./commands/addresses.ts')).runAddresses(line, io);
const runCombine: RunCommand = async (line, io) => (await import('./commands/combine.ts')).runCombine(line, io);
const runFinalize: RunCommand = async (line, io) => (await import('./commands/finalize.ts')).runFinalize(line, io);
const runInspect: RunCommand = async (line, io) => (await import('./commands/inspect.ts')).runInspect(line, io);
const runNewSeed: RunCommand = async (line, io) => (await import('./commands/newseed.ts')).runNewSeed(line, io);
const runQr: RunCommand = async (line, io) => (await import('./commands/qr.ts')).runQr(line, io);
const runReview: RunCommand = async (line, io) => (await import('./commands/psbt.ts')).runReview(line, io);
const runServe: RunCommand = async (line, io) => (await import('./commands/serve.ts')).runServe(line, io);
const runSign: RunCommand = async (line, io) => (await import('./commands/psbt.ts')).runSign(line, io);
const runSignPsbt: RunCommand = async (line, io) => (await import('./commands/psbt.ts')).runSignPsbt(line, io);
const runSync: RunCommand = async (line, io) => (await import('./commands/sync.ts')).runSync(line, io);

const runWork: RunCommand = async (line, io) => (await import('./commands/work.ts')).runWork(line, io);

const BATCH_HELP = `batch

Answers JSON-RPC requests from standard input, one per line, with one answer per line, in the same order.

A request names its wallet with "wallet": "name", unless only one is loaded. Wallets last until standard input ends.

Options:
  --wallet-dir DIR           keep the wallets in this directory instead
  --wallet-store URL         or in a PostgreSQL database, which several processes may use
  --backup-dir DIR           let backupwallet and restorewallet use files in this directory, too, not only in "backups"
                             in --wallet-dir; may be given more than once
  --jobs COUNT               answer on at most this many threads (default: one per core)

> echo '{"id":1,"method":"decodescript","params":["51"]}' | countersign batch
`;

const FILE_HELP = `FILE may be binary, base64, hex, or the JSON of another command or a node; "-" reads standard input. It may also be a picture
of QR codes (PNG), several of them, or the texts of codes (BBQr, UR, numbered frames, Electrum's codes).`;

const REVIEW_HELP = `review FILE

Shows what a PSBT would do: its payments, change and fee, who has signed, and anything suspicious.

${FILE_HELP}

Options:
  --descriptors-file FILE    your descriptors; only outputs derived from them are reported as verified change
  --policy CHECK=ACTION      refuse, warn or allow what a check finds; may be given more than once ("countersign help policy"
                             lists the checks)
  --json                     the review as JSON, for programs
  --sighash TYPE             review for signing with this sighash type, such as "ALL|ANYONECANPAY"

Exit code: 1 if the policy refuses the PSBT.

> countersign review spend.psbt --descriptors-file wallet.json
`;

const OWN_KEYS_HELP = `  --seed-file FILE           seed words (BIP39); without a passphrase, unless one of these options follows:
    --passphrase-file FILE     the passphrase of the words, or
    --passphrase-prompt        ask for it, without showing it
  --keys-file FILE, --keys-stdin, --keys-prompt
                             private keys (WIF), extended private keys (xprv) or seed words`;

const KEYS_HELP = `${OWN_KEYS_HELP}
  --descriptors-file FILE    your descriptors; those with private keys sign ("-": standard input)`;

const RESULT_HELP = `  --out FILE                 write the result to this file ("-": standard output)
  --format ENCODING          base64, binary, hex or json (default: files keep that of the PSBT,
                             standard output gets base64; transactions are hex)
  --json                     the same as --format json
  --force                    replace existing files
  --qr [bbqr|ur]             also show the result as QR codes, in the terminal in turn until a key is pressed; on standard
                             output in place of the text`;

const SIGN_HELP = `sign FILE

Shows what a PSBT would do, asks for confirmation, signs what the keys can sign, verifies the signatures, and finalizes
the inputs that are complete. Without an option for keys, it asks for them, without showing them.

Signatures such as "SINGLE|ANYONECANPAY" leave a transaction open for others to complete: their inputs are not finalized
before it is complete.

The result goes to NAME-signed.psbt, or to NAME-final.txn once the transaction is complete. If standard output is not a
terminal, the result goes there, so that commands can be chained.

${FILE_HELP}

Options:
${KEYS_HELP}
  --policy CHECK=ACTION      as for review
  --sighash TYPE             the sighash type to sign with (default ALL, or DEFAULT for taproot)
  --no-finalize              finalize no input, for others who still need the PSBT's records
  --yes                      sign without asking; needed if there is no terminal to confirm on
${RESULT_HELP}

Exit code: 1 if the policy refuses, or you do, 2 if no signature could be added and the transaction is not complete.

> countersign sign spend.psbt --seed-file words.txt
`;

const COMBINE_HELP = `combine FILE FILE...

Merges what several signers added to the same PSBT, and says which signatures are still missing.

The result goes to NAME-combined.psbt, after the name of the first file, or to standard output if that is not a terminal.

Options:
${RESULT_HELP}

> countersign combine alice-signed.psbt bob-signed.psbt
`;

const FINALIZE_HELP = `finalize FILE

Verifies all signatures of a PSBT, and writes the transaction to NAME-final.txn, in hex, or to standard output if that is
not a terminal.

Options:
${RESULT_HELP}

Exit code: 2 if signatures are missing, or if the transaction pays more than it spends.

> countersign finalize spend-combined.psbt
`;

const ADDRESSES_HELP = `addresses [FILE]

Lists the addresses of a wallet: of a file with descriptors or an extended public key, or of seed words or a key.

Options:
${OWN_KEYS_HELP}
  --purpose NUMBER           the kind of addresses of seed words and keys: 44 (P2PKH), 49 (P2SH-P2WPKH), 84 (P2WPKH, the
                             default) or 86 (taproot)
  --account NUMBER           the account of seed words and master keys (default 0)
  --change                   change addresses instead of receive addresses
  --start INDEX              the first index (default 0)
  --count NUMBER             how many addresses (default 10)
  --json                     as JSON: [{"index":0,"address":"..."}]
  --qr                       with a QR code for each

> countersign addresses wallet.txt --count 3
`;

const NEWSEED_HELP = `newseed

Makes new seed words (BIP39), and shows the fingerprint of their master key. They come from random
numbers of this machine, or from your own dice. Write them down on paper: whoever reads them can spend the coins.

Options:
  --words NUMBER             24 (the default) or 12
  --dice-file FILE           the rolls of a die, as digits 1 to 6: at least 99 for 24 words, 50 for 12 ("-": standard
                             input); Coldcard and SeedSigner make the same words of them
  --entropy-file FILE        64 hex digits for 24 words, 32 for 12, which no one else can guess

> countersign newseed --dice-file rolls.txt
`;

const QR_HELP = `qr FILE

Shows a PSBT, a transaction, or the public descriptors of a wallet file as QR codes, for a signing device or a watching
wallet: in a terminal in turn until a key is pressed, elsewhere one after another. It never shows private keys.

${FILE_HELP}

Options:
  --qr bbqr                  as BBQr, which Coldcard, Sparrow and others read (the default)
  --qr ur                    as UR (version 2), which Keystone, BlueWallet, Sparrow and others read

> countersign qr spend.psbt
`;

const INSPECT_HELP = `inspect FILE

Finds out whether a file is a PSBT, a transaction, a descriptor or a script, and prints the JSON with which a node
decodes it.

Options:
  --json                     on one line

> countersign inspect spend.psbt
`;

const SIGNPSBT_HELP = `signpsbt "psbt" ( "sighashtype" )

Does the same as sign, and prints the JSON of an RPC method.

Options:
  --file FILE                the PSBT, in any encoding
${KEYS_HELP}
  --policy CHECK=ACTION      as for review
  --no-finalize              as for sign
  --yes                      sign without asking; needed if there is no terminal to confirm on

Exit code: 1 if the policy refuses, or you do, 2 if no signature could be added and the transaction is not complete.

> countersign signpsbt --file spend.psbt --descriptors-file wallet.json
`;

const SERVE_HELP = `serve

Answers JSON-RPC requests over HTTP as a node does, from this machine only, until it is interrupted or receives "stop".

Options:
  --wallet-dir DIR           keep wallets and blocks in this directory; without it, they last until the server stops
  --wallet-store URL         keep them in a PostgreSQL database instead, which several servers may use (docs/server.md)
  --backup-dir DIR           let backupwallet and restorewallet use files in this directory, too, not only in "backups"
                             in --wallet-dir; may be given more than once
  --acceptnonstdtxn          let transactions into the mempool that are not standard, as on test networks
  --mempoolreplacement       let them replace others also in litecoin-0.21, whose node does not by default
  --rpcport PORT             port to listen on (default: the RPC port of the network's nodes; 0: any free port)
  --rpccookiefile FILE       file for the name and password of this run (default: .cookie in --wallet-dir, or else in
                             the current directory)
  --norpccookiefile          write no such file
  --rpcuser NAME             log in with this name instead, and the password in
  --rpcpassword-file FILE      this file, or in the environment variable COUNTERSIGN_RPCPASSWORD, or typed at a hidden
                               prompt
  --rpcauth USER:SALT$HASH   another login, with the HMAC-SHA256 of its password; may be given more than once
  --rpcwhitelist USER:METHOD,METHOD
                             the only methods that this user may call; users without a whitelist may then call none;
                             may be given more than once
  --workers COUNT            answer calls that need no node on this many threads (default: one per core; 0: none)
  --rpcworkqueue COUNT       how many requests may wait (default 16)
  --rpcservertimeout SECONDS how long a client may stay silent (default 30)
  --rpcbind ADDRESS          listen on this address instead, without encryption; other machines also need --rpcallowip;
                             may be given more than once
  --rpcallowip ADDRESS       allow clients from this address or network (10.0.0.0/8); may be given more than once

> countersign serve --network regtest --dialect core-31
> curl --user "$(cat .cookie)" --data '{"id":1,"method":"decodescript","params":["6a"]}' http://127.0.0.1:18443/
`;

const SYNC_HELP = `sync

Copies blocks and mempool transactions from your node, or from files, to countersign and the wallets that it keeps. It
resumes where it stopped, follows reorganizations, and changes nothing on the node that it reads.

From a node with -blockfilterindex=1, a new directory gets the headers of all blocks, and only those blocks that concern
its wallets: create the wallets first.

Source, one of:
  --from-rpc URL             a node, such as http://127.0.0.1:8332
    --from-cookie FILE         its .cookie file, or
    --from-user NAME           a name, with the password in
    --from-password-file FILE    this file, in the environment variable COUNTERSIGN_FROM_PASSWORD, or typed at a hidden
                                 prompt
  --from-file FILE           text with "block HEX", "tx HEX" or "drop TXID" on each line ("-": standard input), or a
                             node's blk*.dat; may be given more than once
    --xor-file FILE            the key that obfuscates blk*.dat (default: xor.dat in the same directory, if it exists)
Destination, one of:
  --wallet-dir DIR           a directory of wallets that no other process is using
  --wallet-store URL         a PostgreSQL database with wallets, which other processes may be using
  --to-rpc URL               a running "countersign serve", with --to-cookie, --to-user, --to-password-file (or
                             COUNTERSIGN_TO_PASSWORD) as above
  --to-file FILE             a new text file for --from-file on another machine ("-": standard output)
    --since HEIGHT             write only the blocks above this height
Other options:
  --start BLOCK              begin a new directory or database after this block: a height, a hash, a UNIX time, or a
                             date such as 2026-01-31 (default: before the oldest key of the wallets)
  --rescan                   find what imports missed: fetch the blocks from the birth of the wallets on that concern
                             them but are missing, or from --start BLOCK on
  --prune COUNT              keep only the last COUNT blocks, at least 288; of the others, only the headers
  --all-blocks               fetch all blocks, even from a node with block filters
  --follow                   keep running until interrupted
  --interval SECONDS         how often to check for news with --follow (default 10)
  --rpcclienttimeout SECONDS how long a call may take (default 120, at most 300)

> countersign sync --network regtest --from-rpc http://127.0.0.1:18443 --from-cookie ~/.bitcoin/regtest/.cookie --wallet-dir wallets
`;

const WORK_HELP = `work

Answers JSON-RPC requests from a queue in PostgreSQL, until interrupted: those of methods that need neither wallets nor a
chain. Any number of processes on any number of machines may share a queue; docs/server.md says how to send requests.

Options:
  --queue URL                postgres://USER@HOST:PORT/DATABASE, with the password in PGPASSWORD or ~/.pgpass
                             (?schema=NAME: the schema of pg-boss, default pgboss; ?queue=NAME: default countersign)
  --jobs COUNT               answer on at most this many threads (default: one per core)

> countersign work --queue postgres://countersign@db.example/jobs --network main
`;

const KEY_OPTIONS = ['keys-file', 'keys-stdin', 'keys-prompt', 'seed-file', 'passphrase-file', 'passphrase-prompt'];
const NODE_OPTIONS = ['wallet-dir', 'wallet-store', 'acceptnonstdtxn', 'mempoolreplacement'];
const REVIEW_OPTIONS = ['descriptors-file', 'policy', 'sighash'];
const SIGN_OPTIONS = [...REVIEW_OPTIONS, ...KEY_OPTIONS, 'no-finalize', 'yes'];
const RESULT_OPTIONS = ['out', 'format', 'json', 'force', 'qr'];

/** The commands of our own by name, in help order. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['review', { help: REVIEW_HELP, takes: [...REVIEW_OPTIONS, 'json'], run: runReview }],
  ['sign', { help: SIGN_HELP, takes: [...SIGN_OPTIONS, ...RESULT_OPTIONS], run: runSign }],
  ['combine', { help: COMBINE_HELP, takes: RESULT_OPTIONS, run: runCombine }],
  ['finalize', { help: FINALIZE_HELP, takes: RESULT_OPTIONS, run: runFinalize }],
  [
    'addresses',
    {
      help: ADDRESSES_HELP,
      takes: [...KEY_OPTIONS, 'purpose', 'account', 'change', 'start', 'count', 'json', 'qr'],
      run: runAddresses,
    },
  ],
  ['newseed', { help: NEWSEED_HELP, takes: ['words', 'dice-file', 'entropy-file'], run: runNewSeed }],
  ['qr', { help: QR_HELP, takes: ['qr'], run: runQr }],
  ['inspect', { help: INSPECT_HELP, takes: ['json'], run: runInspect }],
  ['signpsbt', { help: SIGNPSBT_HELP, takes: [...SIGN_OPTIONS, 'pretty'], run: runSignPsbt }],
  ['batch', { help: BATCH_HELP, takes: [...NODE_OPTIONS, 'backup-dir', 'jobs'], run: runBatch }],
  ['serve', { help: SERVE_HELP, takes: [...NODE_OPTIONS, 'backup-dir'], run: runServe }],
  ['work', { help: WORK_HELP, takes: ['queue', 'jobs'], run: runWork }],
  ['sync', { help: SYNC_HELP, takes: ['wallet-dir', 'wallet-store'], run: runSync }],
]);
