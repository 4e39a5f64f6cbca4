import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { createHolder } from '../../../core/holder/holder.ts';
import { SILENT_PURPOSE } from '../../../core/holder/silentWallets.ts';
import { type Account, createAccount } from '../../../kit/account/account.ts';
import { ADDRESS_PURPOSES, type KeyAccountOptions } from '../../../kit/account/accountKeys.ts';
import {
  accountPartsFromWalletFile,
  descriptorKind,
  type WalletFileAccountOptions,
} from '../../../kit/account/accountWalletFile.ts';
import {
  type SilentPaymentAccount,
  silentPaymentsFromKeys,
  silentPaymentsFromMaster,
} from '../../../kit/account/silentPaymentAccount.ts';
import { parseWalletFile } from '../../../kit/account/walletFiles/parseWalletFile.ts';
import { type WalletFile, walletsIn } from '../../../kit/account/walletFiles/walletFile.ts';
import { accountPartsOf } from '../../../kit/open/accountOfKey.ts';
import { parseCount } from '../../server/endpoints.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import type { CommandContext } from '../openContext.ts';
import { type CommandLine, keyOptions, text } from '../options.ts';
import { explainWallet } from './contentText.ts';
import { fileArgument, fileArguments, type Given, readGiven } from './givenFiles.ts';
import { wantsKeys } from './secretFiles.ts';
import { shownSecretWarning } from './secrets.ts';
import { readOpenedKeys, readSigningKeys, showFingerprints } from './signingKeys.ts';
import { walletKeyLines } from './walletKeys.ts';

export const MAX_INDEX = 0x7fffffff;

const PLACES = ['account', 'root'] as const;

export const accountOptions = {
  ...keyOptions,
  account: text('NUMBER', 'the account of seed words and master keys (default 0)'),
  at: text(
    PLACES.join('|'),
    'where the addresses of a master key (an extended key of depth 0) lie: below an account, or right below the key, as those of Electrum',
  ),
  path: text(
    'PATH',
    'where the addresses of seed words and master keys lie, in place of an account: m/0h/0/*, or m/0h for both chains',
  ),
};

type Line = CommandLine<typeof accountOptions>;

interface Opening {
  /** As `--purpose` names it. */
  readonly purpose: string | undefined;
  /** Returns the labels in use of a wallet of silent payments. Default: those that it names, or the usual ones. */
  readonly labels?: () => readonly number[];
  /** Takes keys beside a file, to say which of its keys they prove. Default: either. */
  readonly provesKeys?: boolean;
  /** Opens a wallet to receive with, whose passphrase may be new. */
  readonly receives?: boolean;
}

/** Opens the wallet of a file, of seed words or of a key. */
export async function openAccount(
  line: Line,
  opening: Opening,
  context: CommandContext,
  io: Io,
): Promise<Account | SilentPaymentAccount> {
  if (!wantsKeys(line)) return openFileAccount(line, opening, context, io);
  const hasFile = fileArguments(line, { least: 0 }).length > 0;
  return hasFile ? openProvenAccount(line, opening, context, io) : openKeyAccount(line, opening, context, io);
}

async function openProvenAccount(line: Line, opening: Opening, context: CommandContext, io: Io) {
  if (!opening.provesKeys) throw new UsageError('give either a wallet file or keys, not both');
  const argument = fileArgument(line);
  if (argument === '-' && [line.seedFile, line.keysFile].includes('-'))
    throw new UsageError('standard input can be read only once');
  const { network, ecc } = context;
  const given = readWallet(await readGiven(argument, line, io), context);
  const { name, file } = given;
  if (file.silent.length > 0)
    throw new UsageError('give either an sp() descriptor or keys, not both: its scan key is in it');
  const account = openFile(given, line, { opening, context, io });
  const { keys } = await readSigningKeys(line, context, io);
  const holder = createHolder({ network, ecc, wallets: walletsIn(file), keys });
  for (const text of walletKeyLines(name, holder)) io.writeError(`${text}\n`);
  return account;
}

async function openFileAccount(line: Line, opening: Opening, context: CommandContext, io: Io) {
  const argument = fileArgument(line);
  const input = await readGiven(argument, line, io);
  const isShown = input.path === undefined && argument !== '-' && io.isWatched;
  if (isShown) io.writeError(shownSecretWarning(DESCRIPTOR, 0, argument) ?? '');
  return openFile(readWallet(input, context), line, { opening, context, io });
}

interface GivenWallet extends Given {
  readonly file: WalletFile;
}

function readWallet(input: Given, { network, ecc }: CommandContext): GivenWallet {
  return { ...input, file: explainWallet(input, network, () => parseWalletFile(input.content, { network, ecc })) };
}

function openFile(
  given: GivenWallet,
  line: Line,
  {
    opening: { purpose, labels },
    context,
    io,
  }: { readonly opening: Opening; readonly context: CommandContext; readonly io: Io },
): Account | SilentPaymentAccount {
  const { account: _, ...options } = walletOptions(line, purpose, context);
  if (line.account !== undefined) throw new UsageError('--account applies to seed words and master keys only');
  if (line.path !== undefined) throw new UsageError('--path applies to seed words and master keys only');
  if (line.at !== undefined)
    throw new UsageError('--at applies to a key of --keys-file only: write a wallet file for it');
  const { network, ecc } = context;
  const { name, file } = given;
  const [silent, ...more] = file.silent;
  if (silent && (file.descriptors.length === 0 || purpose === String(SILENT_PURPOSE))) {
    if (more.length > 0) throw new UsageError(`${name}: it has ${1 + more.length} sp() descriptors: give one`);
    return silentPaymentsFromKeys(silent, { network, ...(ecc && { ecc }), ...(labels && { labels: labels() }) });
  }
  const account = explainWallet(given, network, () => createAccount(accountPartsFromWalletFile(file, options)));
  const kinds = [...new Set(account.descriptors.map(descriptorKind))];
  if (kinds.length > 1) {
    io.writeError(`${name} describes ${kinds.join(', ')}; these are the addresses of ${kinds[0]} (see --purpose)\n`);
  }
  return account;
}

const DESCRIPTOR = { name: 'descriptor', type: 'string', isSecret: true } as const;

async function openKeyAccount(line: Line, { purpose, labels, receives }: Opening, context: CommandContext, io: Io) {
  const options = walletOptions(line, purpose, context);
  const [opened, ...more] = await readOpenedKeys(line, context, io, { isNew: receives === true });
  if (!opened || more.length > 0) throw new UsageError('give one key, or the words of one seed phrase');
  if (line.at !== undefined && opened.kind !== 'extended') {
    throw new UsageError('--at applies to master keys only: the addresses of seed words are below their accounts');
  }
  if (purpose === String(SILENT_PURPOSE)) {
    if (opened.kind === 'single' || opened.key.depth > 0 || !opened.key.secretKey)
      throw new UsageError(
        'silent payments need seed words or a master key: give another wallet of silent payments as its sp() descriptor',
      );
    if (line.path !== undefined) throw new UsageError(`--path contradicts --purpose ${SILENT_PURPOSE}`);
    const { key } = opened;
    const { purpose: _, ...silentOptions } = options;
    return withUsageErrors(() =>
      silentPaymentsFromMaster(key, { ...silentOptions, ...(labels && { labels: labels() }) }),
    );
  }
  const account = withUsageErrors(() => createAccount(accountPartsOf(opened, { ...options, ...placeOption(line) })));
  showFingerprints([opened], io);
  return account;
}

function placeOption({ at }: Line): Pick<KeyAccountOptions, 'at'> {
  if (at === undefined) return {};
  const place = PLACES.find((each) => each === at);
  if (place === undefined) throw new UsageError(`--at must be ${PLACES.join(' or ')}`);
  return { at: place };
}

export function walletOptions(
  line: Line,
  purpose: string | undefined,
  { network, ecc }: CommandContext,
): WalletFileAccountOptions & Omit<KeyAccountOptions, 'at'> {
  const purposeNumber = ADDRESS_PURPOSES.find((number) => String(number) === purpose);
  if (purpose !== undefined && purposeNumber === undefined && purpose !== String(SILENT_PURPOSE)) {
    throw new UsageError(
      `--purpose must be ${ADDRESS_PURPOSES.join(', ')} or 352: P2PKH, P2SH-P2WPKH, P2WPKH, taproot or silent payments; it is not "${withoutSecrets(purpose)}"`,
    );
  }
  const account =
    line.account === undefined
      ? {}
      : { account: parseCount(line.account, { option: '--account', least: 0, most: MAX_INDEX }) };
  return {
    network,
    ...account,
    ...(line.path !== undefined && { path: line.path }),
    ecc,
    ...(purposeNumber !== undefined && { purpose: purposeNumber }),
  };
}
