import { stringifyRpc } from '../../../answers/json/stringify.ts';
import { equalBytes } from '../../../core/bytes/compare.ts';
import { isRanged } from '../../../core/descriptors/derive.ts';
import { parseMoney } from '../../../core/encoding/amount.ts';
import { mayHoldPrivateKey } from '../../../core/encoding/redaction.ts';
import { USUAL_LABELS } from '../../../core/holder/silentWallets.ts';
import type { Network } from '../../../core/network/networks.ts';
import { isSilentPaymentText } from '../../../core/silentPayments/address.ts';
import { CHANGE_LABEL, MAX_LABEL } from '../../../core/silentPayments/labels.ts';
import type { Account } from '../../../kit/account/account.ts';
import type { SilentPaymentAccount } from '../../../kit/account/silentPaymentAccount.ts';
import { usualAccounts } from '../../../kit/open/accountOfKey.ts';
import { formatPaymentUri } from '../../../kit/payment/paymentUri.ts';
import { parseCount } from '../../server/endpoints.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { declareCommand } from '../declareCommand.ts';
import { accountOptions, MAX_INDEX, openAccount, walletOptions } from '../input/openAccount.ts';
import { wantsKeys } from '../input/secretFiles.ts';
import { readOpenedKeys, showFingerprints } from '../input/signingKeys.ts';
import { type CommandContext, openContext } from '../openContext.ts';
import { type CommandLine, choice, flag, PURPOSE_WORDS, text } from '../options.ts';

const DEFAULT_COUNT = '10';
const MOST_ADDRESSES = 100_000;

const options = {
  ...accountOptions,
  purpose: text('NUMBER|all', `${PURPOSE_WORDS}, 48 (the keys of one signer for multisigs) or all`),
  change: flag('change addresses instead of receive addresses'),
  start: text('INDEX', 'the first index (default 0), or the first label of silent payments (default none)'),
  count: text('NUMBER', 'how many addresses (default 10), or labels of silent payments (default 1)'),
  descriptor: flag(
    'instead, the public descriptors, for a watching wallet; of silent payments sp(), with which others see all payments',
  ),
  json: flag('as JSON: [{"index":0,"address":"..."}]'),
  uri: flag('as payment URIs (BIP321), to ask for a payment'),
  amount: text('COINS', 'the amount that they ask for, such as 0.0015', { indent: 1, needs: ['uri'] }),
  label: text('TEXT', 'the name of the recipient: yours', { indent: 1, needs: ['uri'] }),
  message: text('TEXT', 'the purpose of the payment', { indent: 1, needs: ['uri'] }),
  qr: choice(['bbqr', 'ur'], 'with a QR code for each, or of the descriptors (as BBQr or UR)'),
};
type Line = CommandLine<typeof options>;

export const addresses = declareCommand({
  synopsis: 'addresses [FILE]',
  about:
    'Lists the addresses of a wallet: of a file with descriptors or an extended public key, or of seed words or a key. A wallet of silent payments has one, and one for each label. With --purpose all, it lists those of every usual kind: which had you? With --purpose 48, it lists the keys of one signer for multisigs with others. With a file and keys, says for each key of the wallet whether yours prove it, or only the file names it.',
  options,
  examples: [
    'countersign addresses wallet.txt --count 3',
    'countersign addresses wallet.txt --seed-file words.txt',
    'countersign addresses --seed-file words.txt --purpose all --count 1',
    'countersign addresses --seed-file words.txt --descriptor --qr=ur',
  ],
  run: runAddresses,
});

async function runAddresses(line: Line, io: Io): Promise<number> {
  const context = await openContext(line, io);
  if (line.purpose === 'all' || line.purpose === '48') return runForKeys(line, context, io);
  const draw = line.descriptor ? () => '' : await openDrawing(line, io);
  const show = openShowing(line, context.network);
  const labels = () => labelsOf(line).filter(isLabel);
  const opening = { purpose: line.purpose, labels, provesKeys: true, receives: true };
  const account = await openAccount(line, opening, context, io);
  if (line.descriptor) {
    const { exportDescriptors, exportSilent } = await import('./exportWallet.ts');
    await ('receive' in account ? exportDescriptors(account, line, context, io) : exportSilent(account, line, io));
    return 0;
  }
  if (!('receive' in account)) return listLabels(account, line, { io, draw, show });
  const rows = rowsOf(account, line, show);
  if (line.json) await io.writeOut(`${stringifyRpc([...rows].map(rowJson))}\n`);
  else await writeRows(rows, { io, draw });
  return 0;
}

/** Lists addresses of every kind, or keys that have none. */
async function runForKeys(line: Line, context: CommandContext, io: Io): Promise<number> {
  if (!wantsKeys(line)) throw new UsageError(`--purpose ${line.purpose} needs seed words or a key`);
  const [opened, ...more] = await readOpenedKeys(line, context, io);
  if (!opened || more.length > 0) throw new UsageError('give one key, or the words of one seed phrase');
  showFingerprints([opened], io);
  const { account = 0, ...options } = walletOptions(line, undefined, context);
  if (line.purpose === '48') {
    const { exportSignerKeys } = await import('./exportWallet.ts');
    await exportSignerKeys(opened, { ...line, accountNumber: account }, context, io);
    return 0;
  }
  if (line.descriptor) throw new UsageError('--descriptor needs one kind of addresses: leave --purpose all out');
  const draw = await openDrawing(line, io);
  const show = openShowing(line, context.network);
  const named = line.account === undefined ? {} : { account };
  const accounts = withUsageErrors(() => usualAccounts(opened, { ...options, ...named }));
  const all = accounts.map(({ name, account: each }) => ({ name, rows: rowsOf(each, line, show) }));
  if (line.json) {
    await io.writeOut(
      `${stringifyRpc(all.flatMap(({ name, rows }) => [...rows].map((row) => ({ kind: name, ...rowJson(row) }))))}\n`,
    );
    return 0;
  }
  for (const { name, rows } of all) {
    await io.writeOut(`${name}\n`);
    await writeRows(rows, { io, draw });
  }
  return 0;
}

interface Row {
  readonly index: number;
  /** In digits, of the last index. */
  readonly width: number;
  readonly shown: Shown;
}

/** Derives them one by one: they may be many. */
function* rowsOf(account: Account, line: Line, show: Show): Generator<Row> {
  const start = parseCount(line.start ?? '0', { option: '--start', least: 0, most: MAX_INDEX });
  const count = countOf(line, DEFAULT_COUNT);
  if (line.change) assertChange(account, start, line);
  const addressAt = line.change ? account.change : account.receive;
  const end = account.descriptors.some(isRanged) ? Math.min(start + count, MAX_INDEX + 1) : start + 1;
  const width = String(end - 1).length;
  for (let index = start; index < end; index += 1) {
    yield { index, width, shown: withUsageErrors(() => show(addressAt(index).address)) };
  }
}

const rowJson = ({ index, shown }: Row): object => ({ index, ...shown });

async function writeRows(
  rows: Iterable<Row>,
  { io, draw }: { readonly io: Io; readonly draw: (address: string) => string },
): Promise<void> {
  for (const { index, width, shown } of rows) {
    await io.writeOut(`${String(index).padStart(width)}  ${textOf(shown)}\n${draw(textOf(shown))}`);
  }
}

interface Shown {
  readonly address: string;
  /** With `--uri`. */
  readonly uri?: string;
}

type Show = (address: string) => Shown;

const textOf = ({ address, uri = address }: Shown): string => uri;

/** Adds the payment URI of an address, if the line asks for it. */
function openShowing({ uri, amount, label, message }: Line, network: Network): Show {
  if (!uri) return (address) => ({ address });
  const asked = amount === undefined ? undefined : parseMoney(amount);
  if (amount !== undefined && !(asked !== undefined && asked > 0n && asked <= network.maxMoney)) {
    throw new UsageError(`--amount is a number of ${network.ticker} such as 0.0015, above 0 and within the supply`);
  }
  for (const [name, shown] of Object.entries({ label, message })) {
    if (shown !== undefined && mayHoldPrivateKey(shown))
      throw new UsageError(`--${name} looks like a key or seed words, and whoever is asked to pay would read it`);
  }
  const request = {
    network,
    ...(asked !== undefined && { amount: asked }),
    ...(label !== undefined && { label }),
    ...(message !== undefined && { message }),
  };
  return (address) => {
    const to = isSilentPaymentText(address) ? { silentPayments: [address] } : { addresses: [address] };
    return { address, uri: formatPaymentUri({ ...request, ...to }) };
  };
}

/** Label 0 is that of change: `--change`. */
const FIRST_LABEL = 1;

async function listLabels(
  account: SilentPaymentAccount,
  line: Line,
  { io, draw, show }: { readonly io: Io; readonly draw: (address: string) => string; readonly show: Show },
): Promise<number> {
  const labels = labelsOf(line);
  const highest = Math.max(...labels.filter(isLabel));
  if (highest > USUAL_LABELS.length) {
    io.writeError(`note: "countersign coins" finds payments to these with --labels ${highest}\n`);
  }
  const rows = labels.map((label) => ({ label, ...withUsageErrors(() => show(account.address(label))) }));
  if (line.json) {
    const texts = rows.map(({ label, ...shown }) => ({ ...(label !== undefined && { label }), ...shown }));
    await io.writeOut(`${stringifyRpc(texts)}\n`);
    return 0;
  }
  for (const { label, ...shown } of rows) {
    const text = textOf(shown);
    await io.writeOut(`${label === undefined ? '' : `label ${label}  `}${text}\n${draw(text)}`);
  }
  return 0;
}

const isLabel = (label: number | undefined): label is number => label !== undefined;

/** Only wallets of silent payments use them. */
function labelsOf(line: Line): readonly (number | undefined)[] {
  if (line.change) return [CHANGE_LABEL];
  if (line.start === undefined && line.count === undefined) return [undefined];
  if (line.start === '0') throw new UsageError('label 0 is for change: pass --change for it');
  const given = line.start ?? String(FIRST_LABEL);
  const start = parseCount(given, { option: '--start', least: FIRST_LABEL, most: MAX_LABEL });
  const count = Math.min(countOf(line, '1'), MAX_LABEL + 1 - start);
  return Array.from({ length: count }, (_, i) => start + i);
}

const countOf = ({ count }: Line, fallback: string): number =>
  parseCount(count ?? fallback, { option: '--count', least: 0, most: MOST_ADDRESSES });

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
