import { hasKeyForm } from '../../src/core/encoding/writtenSecrets.ts';

export type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'not applicable'; readonly reason: string }
  /** `line`: the first line of the script that failed, and why. */
  | { readonly kind: 'failed'; readonly line: string };

const EXIT_SKIPPED = 77;
/** A frame of the framework above its connections. */
const FRAMEWORK = /^ {2}File .*\/test_framework\/(?!authproxy|coverage)/;
const LONGEST = 240;

/** Reads what a script has printed. */
export function outcomeOf(name: string, code: number | null, output: string): Outcome {
  if (code === 0) return { kind: 'passed' };
  const skipped = /Test Skipped: (.*)/.exec(output)?.[1];
  if (code === EXIT_SKIPPED) return { kind: 'not applicable', reason: skipped ?? 'skipped by the script' };
  const line = `${expectsKey(output) ? ON_PURPOSE : ''}${failingLine(name, output)}`;
  const need = MISSING.find(([, pattern]) => pattern.test(line))?.[0];
  return need === undefined ? { kind: 'failed', line } : { kind: 'not applicable', reason: `${need} (${line})` };
}

/** What the node does not have, by the line of a script that asks for it. */
const MISSING: readonly (readonly [need: string, pattern: RegExp])[] = [
  ['the files of blocks', /blocks_path|\/blocks\b|blk0|rev0|xor_key|-blocksdir/],
  ['the files of wallets', /wallet\.dat|wallets_path/],
  ['peers', /peers\.dat|\.addnode\(|getpeerinfo|setnetworkactive|addpeeraddress|setban|asmap|Bound to/],
];

const ON_PURPOSE = 'on purpose, as the text that it expects holds a private key: ';

/** The text that a script expected, and the node's. */
const COMPARED: readonly RegExp[] = [
  /^substring: '(?<theirs>.*)'\n+error message: '(?<ours>.*)'\.?$/m,
  /^AssertionError: not\((?<ours>.*) == (?<theirs>.*)\)$/m,
];

/** Tells whether two texts differ only in private keys, which countersign hides. */
function expectsKey(output: string): boolean {
  const groups = COMPARED.map((form) => form.exec(output)?.groups).find((found) => found !== undefined);
  const [ours = '', theirs = ''] = [groups?.['ours'], groups?.['theirs']];
  const shown = ours.split('...').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const [, ...hidden] = new RegExp(`^${shown.join('(.*)')}$`).exec(theirs) ?? [];
  return hidden.length > 0 && hidden.every(hasKeyForm);
}

/** Finds the innermost line of the script in the traceback of the error that ended it, and the error. */
function failingLine(name: string, output: string): string {
  const [first = ''] = /^Traceback[\s\S]*?(?=^\d{4}-\d\d-\d\dT|(?![\s\S]))/m.exec(output) ?? [];
  const tracebacks = first.split(/^(?=Traceback)/m);
  const isOwn = (line: string): boolean => line.includes(`/${name}"`);
  const chosen = tracebacks.find((text) => text.split('\n').some(isOwn)) ?? tracebacks[0] ?? '';
  const lines = chosen.split('\n').filter((line) => line.trim() !== '');
  const end = lines.findIndex((line, i) => i > 0 && /^\S/.test(line));
  if (end < 0)
    return shortened(
      output
        .split('\n')
        .filter((line) => line.trim() !== '')
        .at(-1) ?? 'no output',
    );
  const frames = lines.slice(0, end);
  const own = frames.map(isOwn).lastIndexOf(true);
  const at = own < 0 ? frames.map((line) => FRAMEWORK.test(line)).lastIndexOf(true) : own;
  const reason = shortened(
    lines
      .slice(end, end + MOST_LINES)
      .filter(isOfReason)
      .join(' '),
  );
  const [, file, number] = /([^/]*)", line (\d+)/.exec(frames[at] ?? '') ?? [];
  if (file === undefined) return reason;
  return `${file === name ? '' : `${file} `}${number}: ${shortened((frames[at + 1] ?? '').trim())}: ${reason}`;
}

/** An error may say more than a line. */
const MOST_LINES = 6;

const isOfReason = (line: string): boolean => !line.startsWith('During handling');

const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
