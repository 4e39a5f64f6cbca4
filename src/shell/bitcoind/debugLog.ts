import { closeSync, openSync, writeSync } from 'node:fs';
import type { GenerationName } from '../../core/generations.ts';
import { inDirectory } from './configFiles.ts';
import { InitError } from './initError.ts';
import type { Options } from './options.ts';
import { settingsRules } from './settingsRules.ts';

type Level = 'info' | 'warning' | 'error' | 'rpc' | 'zmq';

/** The log of a node: lines wait until it is open. */
export interface DebugLog {
  /** `level`: or the category of what is logged only if that is switched on. */
  readonly write: (text: string, level?: Level) => void;
  /** @throws InitError */
  readonly open: (settings: LogSettings) => void;
  readonly close: () => void;
}

interface LogSettings {
  /** Empty without a file. */
  readonly path: string;
  readonly showsTime: boolean;
  readonly showsMicroseconds: boolean;
  readonly showsThread: boolean;
  readonly showsLevel: boolean;
  /** Gets each line, too. */
  readonly print?: ((line: string) => void) | undefined;
}

interface Line {
  readonly text: string;
  readonly level: Level;
  readonly time: number;
}

/** `path`: of the file, absolute. */
export const logSettings = (
  options: Options,
  { path, print }: { readonly path: string; readonly print: (line: string) => void },
): LogSettings => ({
  path,
  showsTime: options.flag('logtimestamps', true),
  showsMicroseconds: options.flag('logtimemicros', false),
  showsThread: options.flag('logthreadnames', false),
  showsLevel: options.flag('loglevelalways', false),
  print: options.flag('printtoconsole', !options.flag('daemon', false)) ? print : undefined,
});

/** Returns the empty path for none. */
export const logPath = (options: Options, directory: string): string =>
  inDirectory(directory, options.path('debuglogfile', 'debug.log'));

/** Returns the path that a release shows, also of a log that it does not write. */
export function shownLogPath(options: Options, directory: string, generation: GenerationName): string {
  return logPath(options, directory) || inDirectory(directory, settingsRules[generation].noLogPath);
}

/** `now`: UNIX time in seconds, with fractions. */
export function createDebugLog(now: () => number): DebugLog {
  const waiting: Line[] = [];
  let file: number | undefined;
  let settings: LogSettings | undefined;
  const put = (line: Line): void => {
    if (!settings) {
      waiting.push(line);
      return;
    }
    const text = formatLine(line, settings);
    settings.print?.(text);
    if (file !== undefined) writeSync(file, text);
  };
  return {
    write: (text, level = 'info') => put({ text, level, time: now() }),
    open: (chosen) => {
      if (chosen.path !== '') file = openFile(chosen.path);
      settings = chosen;
      for (const line of waiting.splice(0)) put(line);
    },
    close: () => {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

function openFile(path: string): number {
  try {
    return openSync(path, 'a', 0o600);
  } catch {
    throw new InitError(`Could not open debug log file ${path}`);
  }
}

/** @see Bitcoin Core `Logger::FormatLogStrInPlace` */
function formatLine({ text, level, time }: Line, settings: LogSettings): string {
  const { showsTime, showsMicroseconds, showsThread, showsLevel } = settings;
  const stamp = showsTime ? `${timeText(time, showsMicroseconds)} ` : '';
  const thread = showsThread ? '[init] ' : '';
  const mark = showsLevel ? `[all:${level}] ` : level === 'info' ? '' : `[${level}] `;
  return `${stamp}${thread}${mark}${escaped(text)}\n`;
}

function timeText(time: number, showsMicroseconds: boolean): string {
  const seconds = new Date(Math.floor(time) * 1000).toISOString().slice(0, -5);
  const fraction = `.${String(Math.floor((time % 1) * 1e6)).padStart(6, '0')}`;
  return `${seconds}${showsMicroseconds ? fraction : ''}Z`;
}

/** @see Bitcoin Core `LogEscapeMessage` */
const escaped = (text: string): string =>
  text.replace(
    /[\u0000-\u0009\u000b-\u001f\u007f]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
