import { homedir } from 'node:os';
import { type Dialect, dialects } from '../../../answers/dialect/dialect.ts';
import { canonicalDialect, DIALECT_ALIASES } from '../../../answers/dialect/dialectNames.ts';
import { BtcError } from '../../../core/errors.ts';
import { createNodeRpc } from '../../../node/createNodeRpc.ts';
import { goToBackground } from '../../bitcoind/background.ts';
import { checkOptions } from '../../bitcoind/checkOptions.ts';
import { parseCommandLine } from '../../bitcoind/commandLine.ts';
import type { Notes } from '../../bitcoind/configFiles.ts';
import { createDebugLog } from '../../bitcoind/debugLog.ts';
import { helpText } from '../../bitcoind/helpText.ts';
import { InitError } from '../../bitcoind/initError.ts';
import { type Options, readOptions } from '../../bitcoind/options.ts';
import { optionsOf } from '../../bitcoind/optionTable.ts';
import { isOn } from '../../bitcoind/settings.ts';
import { readStart } from '../../bitcoind/start.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, unknownName } from '../../terminal/usageError.ts';
import type { Program } from '../declareCommand.ts';
import { runNode } from '../runNode.ts';

export const bitcoind: Program = {
  help: () => helpText(dialects[DIALECT_ALIASES.core].generation),
  run: runBitcoind,
};

/** Answers as bitcoind does: the exit code is 1, and standard error has the node's words, if it cannot start. */
async function runBitcoind(argv: readonly string[], version: string, io: Io): Promise<number> {
  const log = createDebugLog(io.unixTime);
  const notes: Notes = {
    info: log.write,
    warn: (text) => log.write(text, 'warning'),
    print: io.writeError,
  };
  try {
    const dialect = chooseDialect(argv);
    const { generation } = dialect;
    const find = optionsOf(generation);
    const line = parseCommandLine(argv, find);
    const given = readOptions(
      { forced: new Map(), commandLine: line.values, saved: new Map(), configured: new Map() },
      '',
      find,
    );
    const text = information(given, dialect, { version, io });
    if (text !== undefined) {
      await io.writeOut(text);
      return 0;
    }
    const program = `${dialect.coinName} Core`;
    const start = readStart(argv, line, { home: homedir(), program, generation, find, notes });
    const { flag } = start.options;
    const ignoresUnserved = flag('ignoreunserved', isOn(io.environment('COUNTERSIGN_IGNORE_UNSERVED') || '0'));
    checkOptions(start.options, start.chain, { find, notes, generation, ignoresUnserved });
    if (flag('daemon', false) || flag('daemonwait', false)) {
      await io.writeOut(`${program} starting\n`);
      return await goToBackground(argv, {
        program: io.program,
        waits: flag('daemonwait', false),
        print: io.writeError,
      });
    }
    await runNode(start, { dialect, program, release: releaseOf(dialect, io), version, find, notes, log, io });
    return 0;
  } catch (error) {
    if (!(error instanceof InitError || error instanceof UsageError || error instanceof BtcError)) throw error;
    log.write(error.message, 'error');
    io.writeError(`Error: ${error.message}\n`);
    return 1;
  } finally {
    log.close();
  }
}

const DIALECT = /^--?dialect=(.*)$/s;

/** Only bitcoind's releases have these options. */
function chooseDialect(argv: readonly string[]): Dialect {
  const named = argv.flatMap((arg) => DIALECT.exec(arg)?.[1] ?? []).at(-1);
  const name = canonicalDialect(named ?? 'core');
  const known = Object.values(dialects).filter((dialect) => dialect.name === dialect.generation);
  const dialect = known.find((candidate) => candidate.name === name);
  if (dialect) return dialect;
  throw new InitError(
    unknownName(
      'release for -dialect',
      name,
      known.map((candidate) => candidate.name),
    ),
  );
}

/** Returns the help or the version, if asked for. */
function information(
  { isSet, flag }: Options,
  dialect: Dialect,
  { version, io }: { readonly version: string; readonly io: Io },
): string | undefined {
  const wantsVersion = flag('version', false);
  if (!wantsVersion && !['?', 'h', 'help', 'help-debug'].some(isSet)) return undefined;
  const title = `${dialect.coinName} Core daemon version v${releaseOf(dialect, io)} bitcoind\nAnswered by countersign ${version}, which is not Bitcoin Core.\n`;
  return wantsVersion ? title : `${title}\n${helpText(dialect.generation)}`;
}

/** Returns a text such as 31.0.0, as the node introduces itself. */
function releaseOf({ name }: Dialect, { unixTime, random }: Io): string {
  const rpc = createNodeRpc({ network: 'regtest', dialect: name, clock: unixTime, random });
  const { subversion } = rpc.call('getnetworkinfo');
  rpc.close();
  return /:([0-9.]+)/.exec(subversion)?.[1] ?? '';
}
