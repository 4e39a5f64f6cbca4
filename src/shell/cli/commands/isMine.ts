import { stringifyRpc } from '../../../answers/json/stringify.ts';
import { nobleEcc } from '../../../core/crypto/nobleEcc.ts';
import { silentWalletsOf } from '../../../core/holder/silentWallets.ts';
import { formatSilentPaymentAddress } from '../../../core/silentPayments/address.ts';
import { createAccount } from '../../../kit/account/account.ts';
import { usualName } from '../../../kit/account/accountKeys.ts';
import { heldOf, usualAccounts, usualWallets } from '../../../kit/open/accountOfKey.ts';
import {
  type AddressPlace,
  addressFault,
  placeText,
  type SearchedWallet,
  searchedAccount,
  searchedSilent,
  searchedText,
} from '../../../kit/open/addressSearch.ts';
import { networksOfAddress } from '../../../kit/open/open.ts';
import { parseCount } from '../../server/endpoints.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { declareCommand } from '../declareCommand.ts';
import { assertNoWords, fileArguments } from '../input/givenFiles.ts';
import { accountOptions, openAccount } from '../input/openAccount.ts';
import { wantsKeys } from '../input/secretFiles.ts';
import { readOpenedKeys, showFingerprints } from '../input/signingKeys.ts';
import { type CommandContext, openContext } from '../openContext.ts';
import { type CommandLine, flag, purposeOption, text } from '../options.ts';

const DEFAULT_COUNT = '1000';
const MOST_SEARCHED = 100_000;

const options = {
  ...accountOptions,
  ...purposeOption,
  count: text('NUMBER', 'how many receive and change addresses of each wallet to look through (default 1000)'),
  json: flag('as JSON'),
};
type Line = CommandLine<typeof options>;

export const isMine = declareCommand({
  synopsis: 'is-mine ADDRESS [FILE]',
  about: `Says whether an address is one of a wallet: of a file with descriptors, or of seed words or a key, of which it looks
through the wallets of every usual kind, unless you name one. It says how far it looked.`,
  options,
  exitCode: '1 if it is not among the addresses that it looked through.',
  examples: [
    'countersign is-mine bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu --seed-file words.txt',
    'countersign is-mine bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu wallet.txt --count 20000',
  ],
  run: runIsMine,
});

async function runIsMine({ args, ...rest }: Line, io: Io): Promise<number> {
  assertNoWords({ args });
  const [address, ...files] = args;
  if (address === undefined) throw new UsageError('is-mine needs an address');
  const line: Line = { ...rest, args: files };
  const context = await openContext(line, io);
  assertAddress(address, context);
  const count = parseCount(line.count ?? DEFAULT_COUNT, { option: '--count', least: 1, most: MOST_SEARCHED });
  const searched = await openSearched(line, context, io);
  const [found] = searched.flatMap((wallet) => {
    const place = withUsageErrors(() => wallet.find(address, count));
    return place ? [{ wallet, place }] : [];
  });
  if (line.json) await io.writeOut(`${stringifyRpc(foundJson(found))}\n`);
  else if (found) await io.writeOut(`yes: ${placeText(found.wallet, found.place)}\n`);
  else await io.writeOut(`no: not among ${searchedText(searched, count)}\n`);
  return found ? 0 : 1;
}

interface Found {
  readonly wallet: SearchedWallet;
  readonly place: AddressPlace;
}

const foundJson = (found: Found | undefined) =>
  found ? { isMine: true, wallet: found.wallet.name, kind: found.wallet.kind, ...found.place } : { isMine: false };

function assertAddress(address: string, { network }: CommandContext): void {
  const fault = addressFault(address, [network]);
  if (fault === undefined) return;
  const isOther = networksOfAddress(address).length > 0;
  throw new UsageError(`${fault}${isOther ? ': name its network with --network' : ''}`);
}

/** Lists the wallets of a file, or those that the keys usually have. */
async function openSearched(line: Line, context: CommandContext, io: Io): Promise<readonly SearchedWallet[]> {
  const hasFile = fileArguments(line, { least: 0 }).length > 0;
  const isNamed = [line.purpose, line.path, line.account, line.at].some((option) => option !== undefined);
  if (!wantsKeys(line) || hasFile || isNamed) {
    const account = await openAccount(line, { purpose: line.purpose, provesKeys: true }, context, io);
    if (!('receive' in account)) return [searchedSilent(account.address)];
    const others = isNamed ? [] : (account.holds.wallets ?? []).slice(1);
    return [
      searchedAccount(account, 'the wallet'),
      ...others.map((wallet) =>
        searchedAccount(createAccount({ ...account.holds, wallets: [wallet] }), usualName(wallet.descriptor)),
      ),
    ];
  }
  const { network, ecc = nobleEcc } = context;
  const opened = await readOpenedKeys(line, context, io);
  showFingerprints(opened, io);
  return opened.flatMap((key) => {
    if (key.kind === 'single')
      return usualAccounts(key, { network, ecc }).map(({ name, account }) => searchedAccount(account, name));
    const held = heldOf(key, { ecc });
    const keys = held ? [held] : [];
    const wallets = usualWallets(key, { network, ecc });
    const silent = silentWalletsOf(keys, network, ecc).map(({ receiver }) =>
      searchedSilent((label) => formatSilentPaymentAddress(receiver.address(label), network)),
    );
    return [
      ...wallets.map((descriptor) =>
        searchedAccount(createAccount({ network, ecc, wallets: [{ descriptor }], keys }), usualName(descriptor)),
      ),
      ...silent,
    ];
  });
}
