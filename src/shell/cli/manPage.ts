import { UsageError } from '../terminal/usageError.ts';
import { type Declared, loadDeclared, PRINTED } from './declarations.ts';
import { generalOptions, type Option, type Options } from './options.ts';

/** Escapes what roff takes for itself. */
function roff(text: string): string {
  return text.replaceAll('\\', '\\e').replace(/-/g, '\\-').replace(/^[.']/gm, '\\&$&');
}

const bold = (text: string): string => `.B "${roff(text).replaceAll('"', '\\(dq')}"`;

/** Options without help share that of the next. */
function optionList(options: Options): string {
  const labels: string[] = [];
  const rows: string[] = [];
  for (const [name, option] of Object.entries<Option>(options)) {
    const { about, placeholder = '', isMentioned } = option;
    if (isMentioned) continue;
    labels.push(`--${name}${placeholder === '' ? '' : ` ${placeholder}`}`);
    if (about === undefined) continue;
    const text =
      typeof about === 'string'
        ? about
        : Object.entries(about)
            .map(([value, words]) => `${value}: ${words}`)
            .join('\n');
    rows.push(`.TP\n${bold(labels.splice(0).join(', '))}\n${roff(text.replace(/\n */g, '\n'))}`);
  }
  return rows.join('\n');
}

function section({ synopsis, about, options, exitCode, examples }: Declared): string {
  return [
    `.SS ${roff(synopsis)}`,
    roff(about.replaceAll('\n\n', '\n.PP\n')).replaceAll('\\&.PP', '.PP'),
    optionList(options),
    exitCode === undefined ? '' : `.PP\nExit code: ${roff(exitCode)}`,
    ...examples.map((example) => `.PP\n.RS\n.nf\n${roff(example)}\n.fi\n.RE`),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** Writes the man page of all commands. @see man-pages(7) */
export async function manPage(args: readonly string[]): Promise<string> {
  if (args.length > 0) throw new UsageError('man takes no arguments: it prints the page of all commands');
  return pageOf(await loadDeclared());
}

const pageOf = (declared: readonly Declared[]): string => `.TH COUNTERSIGN 1
.SH NAME
countersign \\- Bitcoin Core's answers without Bitcoin Core
.SH SYNOPSIS
.B countersign
.I command
.RI [ options ]
.br
.B countersign
.I method
.RI [ arguments ]
.SH DESCRIPTION
Reviews, signs and finalizes PSBTs, signs raw transactions, runs scripts, keeps wallets, and answers as a node would, offline.
"countersign help" lists the commands, and "countersign help methods" the methods of a node.
.SH OPTIONS OF EVERY COMMAND
${optionList(generalOptions)}
.SH COMMANDS
${declared.map(section).join('\n')}
${Object.values(PRINTED)
  .map(({ synopsis, about }) => `.SS ${roff(synopsis)}\n${roff(about)}`)
  .join('\n')}
.SS bitcoind, bitcoin\\-cli
Take the options of Bitcoin Core's programs of these names: see "countersign help bitcoind" and "countersign help bitcoin\\-cli".
.SH EXIT STATUS
0 for success, the absolute error code (modulo 256) for an RPC error, or 1 for an invalid command line.
`;
