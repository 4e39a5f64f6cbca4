import { stringifyRpc } from '../../../answers/json/stringify.ts';
import { equalBytes } from '../../../core/bytes/compare.ts';
import { isRanged } from '../../../core/descriptors/derive.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import type { Account } from '../../../kit/account/account.ts';
import {
  ADDRESS_PURPOSES,
  accountFromKey,
  accountFromWords,
  type KeyAccountOptions,
} from '../../../kit/account/accountKeys.ts';
import {
  accountFromWalletFile,
  descriptorKind,
  type WalletFileAccountOptions,
} from '../../../kit/account/accountWalletFile.ts';
import {
  type SilentPaymentAccount,
  silentPaymentsFromDescriptor,
  silentPaymentsFromWords,
} from '../../../kit/account/silentPaymentAccount.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { declareCommand } from '../declareCommand.ts';
import { explainWallet } from '../input/contentText.ts';
import { fileArgument, fileArguments, readGiven } from '../input/givenFiles.ts';
import { readSecretTexts, wantsKeys } from '../input/secretFiles.ts';
import { shownSecretWarning } from '../input/secrets.ts';
import { isWords, readPassphrase } from '../input/signingKeys.ts';
import { type CommandContext, openContext } from '../openContext.ts';
import { type CommandLine, choice, flag, keyOptions, text } from '../options.ts';

const DEFAULT_COUNT = 10;
const MOST_ADDRESSES = 100_000;
const MAX_INDEX = 0x7fffffff;
const SILENT_PURPOSE = '352';

const options = {
  ...keyOptions,
  purpose: text(
    'NUMBER',
    'the kind of addresses of seed words and keys: 44 (P2PKH), 49 (P2SH-P2WPKH), 84 (P2WPKH, the default), 86 (taproot) or 352 (silent payments)',
  ),
  account: text('NUMBER', 'the account of seed words and master keys (default 0)'),
  change: flag('change addresses instead of receive addresses'),
  start: text('INDEX', 'the first index (default 0), or the first label of silent payments (default none)'),
  count: text('NUMBER', 'how many addresses (default 10), or labels of silent payments (default 1)'),
  json: flag('as JSON: [{"index":0,"address":"..."}]'),
  qr: choice(['bbqr', 'ur'], 'with a QR code for each'),
};
type Line = CommandLine<typeof options>;

export const addresses = declareCommand({
  synopsis: 'addresses [FILE]',
  about:
    'Lists the addresses of a wallet: of a file with descriptors or an extended public key, or of seed words or a key. A wallet of silent payments has one, and one for each label.',
  options,
  examples: ['countersign addresses wallet.txt --count 3'],
  run: runAddresses,
});

async function runAddresses(line: Line, io: Io): Promise<number> {
  const context = await openContext(line, io);
  const start = wholeNumber(line, 'start', { fallback: 0, most: MAX_INDEX });
  const count = wholeNumber(line, 'count', { fallback: DEFAULT_COUNT, most: MOST_ADDRESSES });
  const draw = await openDrawing(line, io);
  const account = await openAccount(line, context, io);
  if (!('receive' in account)) return listLabels(account, line, { io, draw });
  if (line.change) assertChange(account, start, line);
  const addressAt = line.change ? account.change : account.receive;
  const end = account.descriptors.some(isRanged) ? Math.min(start + count, MAX_INDEX + 1) : start + 1;
  const rows: { readonly index: number; readonly address: string }[] = [];
  for (let index = start; index < end; index += 1) {
    const { address } = withUsageErrors(() => addressAt(index));
    if (line.json) rows.push({ index, address });
    else await io.writeOut(`${String(index).padStart(String(end - 1).length)}  ${address}\n${draw(address)}`);
  }
  if (line.json) await io.writeOut(`${stringifyRpc(rows)}\n`);
  return 0;
}

/** Label 0 is that of change. */
const FIRST_LABEL = 1;
const MAX_LABEL = 2 ** 32 - 1;

async function listLabels(
  account: SilentPaymentAccount,
  line: Line,
  { io, draw }: { readonly io: Io; readonly draw: (address: string) => string },
): Promise<number> {
  const start = line.change ? 0 : wholeNumber(line, 'start', { fallback: FIRST_LABEL, most: MAX_LABEL });
  if (start < FIRST_LABEL && !line.change) throw new UsageError('label 0 is for change: pass --change for it');
  const count = wholeNumber(line, 'count', { fallback: 1, most: MOST_ADDRESSES });
  const isPlain = line.start === undefined && line.count === undefined && !line.change;
  const end = line.change ? FIRST_LABEL : Math.min(start + count, MAX_LABEL + 1);
  const labels = isPlain ? [undefined] : Array.from({ length: end - start }, (_, i) => start + i);
  const rows = labels.map((label) => ({ label, address: withUsageErrors(() => account.address(label)) }));
  if (line.json) {
    const texts = rows.map(({ label, address }) => ({ ...(label !== undefined && { label }), address }));
    await io.writeOut(`${stringifyRpc(texts)}\n`);
    return 0;
  }
  for (const { label, address } of rows) {
    await io.writeOut(`${label === undefined ? '' : `label ${label}  `}${address}\n${draw(address)}`);
  }
  return 0;
}

/** An account without change addresses takes receive addresses for change. */
function assertChange({ receive, change }: Account, start: number, line: Line): void {
  const [own, other] = withUsageErrors(() => [receive(start), change(start)] as const);
  if (!equalBytes(own.scriptPubKey, other.scriptPubKey)) return;
  const source = wantsKeys(line) ? 'the key has' : 'the file describes';
  throw new UsageError(`${source} no change addresses: leave out --change for the addresses that there are`);
}

async function openDrawing({ qr, json }: Line, io: Io): Promise<(address: string) => string> {
  if (qr === undefined) return () => '';
  if (json) throw new UsageError('--qr contradicts --json');
  if (qr !== '') throw new UsageError('--qr takes no format here: each address is one code');
  const { codeSizeFor, drawCode } = await import('../output/drawCode.ts');
  const terminal = io.terminalSize();
  const { quiet } = codeSizeFor(terminal);
  return (address) => `${drawCode(address, { quiet, terminal }).join('\n')}\n\n`;
}

type Opened = Account | SilentPaymentAccount;

async function openAccount(line: Line, context: CommandContext, io: Io): Promise<Opened> {
  return wantsKeys(line) ? openKeyAccount(line, context, io) : openFileAccount(line, context, io);
}

async function openFileAccount(line: Line, context: CommandContext, io: Io): Promise<Opened> {
  const { account: _, ...options } = accountOptions(line, context);
  if (line.account !== undefined) throw new UsageError('--account applies to seed words and master keys only');
  const argument = fileArgument(line);
  const input = await readGiven(argument, line, io);
  const isShown = input.path === undefined && argument !== '-' && io.isWatched;
  if (isShown) io.writeError(shownSecretWarning(DESCRIPTOR, 0, argument) ?? '');
  const { text: content = '' } = input;
  if (content.startsWith('sp(')) {
    const { network, ecc } = context;
    return withUsageErrors(() => silentPaymentsFromDescriptor(content, { network, ecc }));
  }
  const account = explainWallet(input, context.network, () => accountFromWalletFile(input.content, options));
  const kinds = [...new Set(account.descriptors.map(descriptorKind))];
  if (kinds.length > 1) {
    io.writeError(
      `${input.name} describes ${kinds.join(', ')}; these are the addresses of ${kinds[0]} (see --purpose)\n`,
    );
  }
  return account;
}

const DESCRIPTOR = { name: 'descriptor', type: 'string', isSecret: true } as const;

async function openKeyAccount(line: Line, context: CommandContext, io: Io): Promise<Opened> {
  if (fileArguments(line, { least: 0 }).length > 0) throw new UsageError('give either a wallet file or keys, not both');
  const options = accountOptions(line, context);
  const secrets = await readSecretTexts(line, io, { takesWords: true });
  const [text, ...more] = secrets.texts;
  if (text === undefined || more.length > 0)
    throw new UsageError(`${secrets.from}: give one key, or the words of one seed phrase`);
  const passphrase = await readPassphrase(line, secrets, io);
  if (line.purpose === SILENT_PURPOSE) {
    if (!isWords(text))
      throw new UsageError('--purpose 352 applies to seed words: give another wallet as its sp() descriptor');
    const { purpose: _, ...silentOptions } = options;
    return withUsageErrors(() => silentPaymentsFromWords(text, { ...silentOptions, passphrase }));
  }
  return withUsageErrors(() =>
    isWords(text) ? accountFromWords(text, { ...options, passphrase }) : accountFromKey(text, options),
  );
}

function accountOptions(line: Line, { network, ecc }: CommandContext): WalletFileAccountOptions & KeyAccountOptions {
  const { purpose } = line;
  const purposeNumber = ADDRESS_PURPOSES.find((number) => String(number) === purpose);
  if (purpose !== undefined && purposeNumber === undefined && purpose !== SILENT_PURPOSE) {
    throw new UsageError(
      `--purpose must be ${ADDRESS_PURPOSES.join(', ')} or 352: P2PKH, P2SH-P2WPKH, P2WPKH, taproot or silent payments; it is not "${withoutSecrets(purpose)}"`,
    );
  }
  const account =
    line.account === undefined ? {} : { account: wholeNumber(line, 'account', { fallback: 0, most: MAX_INDEX }) };
  return { network, ...account, ecc, ...(purposeNumber !== undefined && { purpose: purposeNumber }) };
}

function wholeNumber(
  line: Line,
  name: 'start' | 'count' | 'account',
  { fallback, most }: { readonly fallback: number; readonly most: number },
): number {
  const text = line[name];
  if (text === undefined) return fallback;
  const number = /^\d{1,10}$/.test(text) ? Number(text) : most + 1;
  if (number > most) throw new UsageError(`--${name} must be a whole number from 0 to ${most}`);
  return number;
}
