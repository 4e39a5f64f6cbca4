import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { formatReversedHex } from '../../core/bytes/hex.ts';
import { sanitizeString } from '../../core/encoding/sanitizeString.ts';
import { formatTxid } from '../../core/tx/txid.ts';
import type { Notice } from '../../node/state/notices.ts';
import type { DebugLog } from './debugLog.ts';
import type { Options } from './options.ts';

const NOTICE_OPTIONS = ['alertnotify', 'blocknotify', 'walletnotify'] as const;

/** Tells whether any command is run for what a node tells. */
export const hearsNotices = ({ text }: Pick<Options, 'text'>): boolean =>
  NOTICE_OPTIONS.some((name) => (text(name) ?? '') !== '');

/**
 * Returns the commands of `-alertnotify`, `-blocknotify` and `-walletnotify` for what a node tells.
 * @see Bitcoin Core `AppInitMain`, `CWallet::AddToWallet`
 */
export function noticeCommands({ text }: Pick<Options, 'text'>, notices: readonly Notice[]): readonly string[] {
  const [ofAlert, ofBlock, ofWallet] = NOTICE_OPTIONS.map((name) => text(name) ?? '');
  const commands = notices.map((notice) => {
    if (notice.type === 'tip') {
      return notice.isCatchingUp ? '' : filled(ofBlock, [['%s', formatReversedHex(notice.block.hash)]]);
    }
    if (notice.type === 'warning') return filled(ofAlert, [['%s', `'${sanitizeString(notice.text)}'`]]);
    if (notice.type !== 'wallet transaction') return '';
    const { wallet, txid, block } = notice;
    return filled(ofWallet, [
      ['%s', formatTxid(txid)],
      ['%b', block ? formatReversedHex(block.hash) : 'unconfirmed'],
      ['%h', `${block?.height ?? -1}`],
      ['%w', shellQuoted(wallet)],
    ]);
  });
  return commands.filter((command) => command !== '');
}

const filled = (command = '', values: readonly (readonly [mark: string, value: string])[]): string =>
  values.reduce((done, [mark, value]) => done.split(mark).join(value), command);

/** @see Bitcoin Core `ShellEscape` */
const shellQuoted = (text: string): string => `'${text.split("'").join(`'"'"'`)}'`;

/** Runs commands of `-startupnotify` and the like in a shell, all at once. Resolves when they have ended. */
export async function runCommands(commands: readonly string[], log: DebugLog): Promise<void> {
  await Promise.all(commands.map((command) => runCommand(command, log)));
}

async function runCommand(command: string, log: DebugLog): Promise<void> {
  if (command === '') return;
  const child = spawn(command, { shell: true, stdio: 'ignore' });
  const [code] = await once(child, 'exit').catch(() => [1]);
  if (code !== 0) log.write(`runCommand error: system(${command}) returned ${code}`, 'error');
}
