import { InitError } from './initError.ts';

export interface ConfigSection {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

export interface ConfigText {
  /** Names with the section in front: `regtest.rpcport`. */
  readonly options: readonly (readonly [name: string, value: string])[];
  readonly sections: readonly ConfigSection[];
}

/**
 * Parses a configuration file. Its faults quote no line with a password.
 * @throws InitError
 * @see Bitcoin Core `GetConfigOptions`
 */
export function parseConfig(text: string, file: string): ConfigText {
  const options: (readonly [string, string])[] = [];
  const sections: ConfigSection[] = [];
  let prefix = '';
  for (const [i, whole] of linesOf(text).entries()) {
    const line = i + 1;
    const hash = whole.indexOf('#');
    const content = (hash < 0 ? whole : whole.slice(0, hash)).trim();
    if (content === '') continue;
    if (content.startsWith('[') && content.endsWith(']')) {
      const name = content.slice(1, -1);
      sections.push({ name, file, line });
      prefix = `${name}.`;
      continue;
    }
    const [name, value] = parseLine(content, line);
    const fullName = prefix + name;
    if (hash >= 0 && fullName.includes('rpcpassword')) {
      throw new InitError(`parse error on line ${line}, using # in rpcpassword can be ambiguous and should be avoided`);
    }
    options.push([fullName, value]);
    const dot = fullName.lastIndexOf('.');
    if (dot >= prefix.length) sections.push({ name: fullName.slice(0, dot), file, line });
  }
  return { options, sections };
}

/** A last line break begins no line. */
const linesOf = (text: string): readonly string[] => text.replace(/\n$/, '').split('\n');

function parseLine(content: string, line: number): readonly [name: string, value: string] {
  if (content.startsWith('-')) {
    throw new InitError(
      `parse error on line ${line}: ${shownLine(content)}, options in configuration file must be specified without leading -`,
    );
  }
  const equals = content.indexOf('=');
  if (equals >= 0) return [content.slice(0, equals).trim(), content.slice(equals + 1).trim()];
  const advice = content.startsWith('no')
    ? `, if you intended to specify a negated option, use ${shownLine(content)}=1 instead`
    : '';
  throw new InitError(`parse error on line ${line}: ${shownLine(content)}${advice}`);
}

const shownLine = (content: string): string =>
  /pass|auth/i.test(content) ? content.replace(/^(-*[a-z.]*).*$/s, '$1...') : content;
