import { stringifyJsonValue } from '../../answers/json/stringify.ts';
import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { isThere } from './configFiles.ts';
import type { FindOption } from './optionTable.ts';
import type { Setting } from './settings.ts';
import type { Start } from './start.ts';

/**
 * Logs where the node lives, and its options, but no secrets.
 * @see Bitcoin Core `StartLogging`, `ArgsManager::LogArgs`
 */
export function logStart(start: Start, { find, log }: { readonly find: FindOption; readonly log: LogLine }): void {
  const { options, directory, configPath } = start;
  log(`Using data directory ${directory}`);
  if (configPath === '') log('Config file: <disabled>');
  else log(`Config file: ${configPath}${isThere(configPath) ? '' : ' (not found, skipping)'}`);
  const { configured, saved, commandLine } = options.settings;
  const shown = (name: string, value: Setting): string => {
    if (find(name)?.isSecret) return '****';
    return value.type === 'string' ? JSON.stringify(withoutSecrets(value.value, 'path')) : stringifyJsonValue(value);
  };
  const list = (prefix: string, values: ReadonlyMap<string, readonly Setting[]>): void => {
    for (const name of [...values.keys()].sort()) {
      if (find(name)) for (const value of values.get(name) ?? []) log(`${prefix}${name}=${shown(name, value)}`);
    }
  };
  for (const section of [...configured.keys()].sort()) {
    list(`Config file arg: ${section === '' ? '' : `[${section}] `}`, configured.get(section) ?? new Map());
  }
  for (const [name, value] of saved) log(`Setting file arg: ${name} = ${stringifyJsonValue(value)}`);
  list('Command-line arg: ', commandLine);
}

type LogLine = (text: string) => void;
