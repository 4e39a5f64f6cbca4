import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { nearestAdvice, UsageError } from '../terminal/usageError.ts';
import { commandHelp, optionsHelp } from './commandHelp.ts';
import { commands, programs } from './commandTable.ts';
import { generalOptions } from './options.ts';

const TITLE = "countersign: Bitcoin Core's answers without Bitcoin Core";

const EXIT_CODE = `Exit code: 0 for success, the absolute error code (modulo 256) for an RPC error,
or 1 for an invalid command line.
`;

/** For those who sign. */
const overview = (): string => `${TITLE}

Sign:
  countersign review spend.psbt         show what a PSBT would do
  countersign sign spend.psbt           show it, ask, and sign it
  countersign combine a.psbt b.psbt     merge what several signers added
  countersign finalize spend.psbt       make the transaction of a complete PSBT

Wallets:
  countersign newseed                   make seed words for a new wallet
  countersign words                     check seed words, and find a lost one
  countersign addresses wallet.txt      list the addresses of a wallet
  countersign is-mine ADDRESS           say whether an address is yours
  countersign quorum 2 a.txt b.txt      make a multisig wallet of signers' keys
  countersign register wallet.txt       register a wallet that you share
  countersign labels --wallet-dir DIR   write or read the labels of a wallet

Pay:
  countersign pay wallet.txt            make a PSBT that pays from a wallet
  countersign bump spend.psbt           raise the fee of an unconfirmed payment
  countersign coins sp.txt              list the coins of silent payments

Messages and files:
  countersign verifymessage --bip322    verify a message (signmessage signs one)
  countersign inspect FILE              show what a file is and holds
  countersign trace spend.txn 0         run the scripts of an input step by step
  countersign convert spend.psbt        write it in version 0 or version 2
  countersign qr spend.psbt             show a PSBT or a wallet as QR codes

Help:
  countersign help COMMAND              show the help of a command
  countersign help node                 commands for nodes and tests
  countersign help policy               list the checks of a review
  countersign --version

A FILE may be binary, base64, hex, the JSON of a command or a node, or pictures
of QR codes; "-" reads standard input.

${optionsHelp(generalOptions, 'General options:')}

${EXIT_CODE}`;

/** For those who run nodes, or test against them. */
const nodeOverview = (): string => `${TITLE}

Call:
  countersign <method> [arguments]      answer one call, as bitcoin-cli does
  countersign batch                     answer JSON-RPC requests, one per line
  countersign serve                     answer JSON-RPC requests over HTTP
  countersign work                      answer the requests of a queue

Nodes:
  countersign dev                       start a regtest with funded wallets
  countersign bitcoind                  take bitcoind's place in tests
  countersign bitcoin-cli METHOD        call a node as bitcoin-cli does
  countersign compare                   compare a node's answers with these
  countersign sync                      update wallets with the blocks of a node
  countersign check-wallet DIRECTORY    verify the file of a wallet directory
  countersign signpsbt PSBT             sign as "sign" does, and answer in JSON

Help:
  countersign help methods              list the methods, and their options
  countersign help METHOD               show the help of a method
  countersign completion bash|zsh|fish  complete commands in the shell
  countersign man                       print the man page

${EXIT_CODE}`;

const NEEDS = [
  ['nothing', 'Methods that need nothing else:'],
  ['wallet', 'Methods of wallets:'],
  ['node', 'Methods of wallets as a whole, the chain, the mempool and the node:'],
] as const;

async function methodsHelp(): Promise<string> {
  const { methods } = await import('./commands/call.ts');
  const { synopsis } = await import('../../answers/method/help.ts');
  const { allMethods } = await import('../../node/registry.ts');
  const lists = NEEDS.map(([needs, heading]) => {
    const synopses = allMethods().flatMap((method) => (method.needs === needs ? [`  ${synopsis(method)}`] : []));
    return [heading, ...synopses].join('\n');
  });
  return commandHelp({ ...methods, about: [methods.about, ...lists].join('\n\n') });
}

async function policyHelp(): Promise<string> {
  const { POLICY_DEFAULTS } = await import('../../core/review/policy.ts');
  const { CHECK_WORDS, WORST_FIRST } = await import('../../core/report/checkWords.ts');
  const width = Math.max(...WORST_FIRST.map(({ length }) => length));
  const listed = (['refuse', 'warn', 'allow'] as const).flatMap((action) => {
    const checks = WORST_FIRST.filter((check) => POLICY_DEFAULTS[check] === action);
    const lines = checks.map((check) => `  ${check.padEnd(width)}  ${CHECK_WORDS[check].title}\n`);
    return lines.length > 0 ? [`\n${action}:\n${lines.join('')}`] : [];
  });
  return `policy

A review names each finding by its check: [fee-high]. A check refuses to sign, warns, or allows what it finds:
--policy CHECK=ACTION sets this for one check, and may be given more than once. By default they
${listed.join('')}
> countersign sign spend.psbt --policy fee-high=refuse
`;
}

async function ownOptionsHelp(method: string): Promise<string> {
  const { METHOD_OPTIONS } = await import('./commands/call.ts');
  const options = METHOD_OPTIONS[method];
  return options ? `\n${optionsHelp(options)}\n` : '';
}

/** Matches every method, but not 12 seed words without spaces. */
const METHOD_NAME = /^[a-z]{1,28}$/;

export async function helpText(command?: string): Promise<string> {
  if (command === undefined) return overview();
  const load = commands.get(command);
  if (load) return commandHelp(await load());
  const program = await programs.get(command)?.();
  if (program) return program.help();
  if (command === 'completion' || command === 'man') {
    const { synopsis, about } = (await import('./declarations.ts')).PRINTED[command];
    return `${synopsis}\n\n${about}\n`;
  }
  if (command === 'node') return nodeOverview();
  if (command === 'methods') return methodsHelp();
  if (command === 'policy') return policyHelp();
  const { methodHelp } = await import('../../answers/method/help.ts');
  const { allMethods, findMethod } = await import('../../node/registry.ts');
  const method = findMethod(command);
  if (method) return `${methodHelp(method)}\n${await ownOptionsHelp(command)}`;
  const names = [
    'completion',
    'man',
    ...allMethods().map(({ name }) => name),
    ...commands.keys(),
    ...programs.keys(),
    'policy',
    'node',
    'methods',
  ];
  const safeName = METHOD_NAME.test(command) ? command : withoutSecrets(command, 'name');
  throw new UsageError(`help: unknown command: ${safeName}${nearestAdvice(command, names)}`);
}
