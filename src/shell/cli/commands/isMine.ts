import { stringifyRpc } from '../../../answers/json/stringify.ts';
import { nobleEcc } from '../../../core/crypto/nobleEcc.ts';
import { isRanged } from '../../../core/descriptors/derive.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { silentWalletsOf, USUAL_LABELS } from '../../../core/holder/silentWallets.ts';
import { formatPath } from '../../../core/keys/path.ts';
import { formatSilentPaymentAddress, isSilentPaymentText } from '../../../core/silentPayments/address.ts';
import { CHANGE_LABEL } from '../../../core/silentPayments/labels.ts';
import { type Account, createAccount } from '../../../kit/account/account.ts';
import { usualName } from '../../../kit/account/accountKeys.ts';
import { heldOf, usualAccounts, usualWallets } from '../../../kit/open/accountOfKey.ts';
import { networksOfAddress } from '../../../kit/open/open.ts';
import { parseCount } from '../../server/endpoints.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { declareCommand } from '../declareCommand.ts';
import { assertNoWords, fileArguments } from '../input/givenFiles.ts';
import { accountOptions, MAX_INDEX, openAccount } from '../input/openAccount.ts';
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
  const [found] = searched.flatMap(({ name, kind, find }) => {
    const place = withUsageErrors(() => find(address, count));
    return place ? [{ wallet: name, kind, ...place }] : [];
  });
  if (line.json) await io.writeOut(`${stringifyRpc(found ? { isMine: true, ...found } : { isMine: false })}\n`);
  else if (found) await io.writeOut(`yes: ${foundText(found)}\n`);
  else await io.writeOut(`no: not among ${howFar(searched, count)}\n`);
  return found ? 0 : 1;
}

function assertAddress(address: string, { network }: CommandContext): void {
  const fitting = networksOfAddress(address);
  if (fitting.some(({ name }) => name === network.name)) return;
  const names = fitting.map(({ name }) => name);
  throw new UsageError(
    names.length > 0
      ? `the address is for ${names.join(' or ')}, not for ${network.name}: name its network with --network`
      : `"${withoutSecrets(address)}" is not a valid address: copy all of it`,
  );
}

interface Place {
  /** `silent`: without a label. */
  readonly chain: 'receive' | 'change' | 'silent' | 'label';
  readonly index: number;
  /** From the master key, if that is known. */
  readonly path?: string;
}

interface Searched {
  readonly name: string;
  readonly kind: 'ranged' | 'single' | 'silent';
  readonly find: (address: string, count: number) => Place | undefined;
}

/** Lists the wallets of a file, or those that the keys usually have. */
async function openSearched(line: Line, context: CommandContext, io: Io): Promise<readonly Searched[]> {
  const hasFile = fileArguments(line, { least: 0 }).length > 0;
  const isNamed = [line.purpose, line.path, line.account, line.at].some((option) => option !== undefined);
  if (!wantsKeys(line) || hasFile || isNamed) {
    const account = await openAccount(line, { purpose: line.purpose, provesKeys: true }, context, io);
    if (!('receive' in account))
      return [{ name: 'silent payments', kind: 'silent', find: (address) => labelOf(address, account.address) }];
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
    const silent = silentWalletsOf(keys, network, ecc).map(({ receiver }): Searched => {
      const addressAt = (label?: number) => formatSilentPaymentAddress(receiver.address(label), network);
      return { name: 'silent payments', kind: 'silent', find: (address) => labelOf(address, addressAt) };
    });
    return [
      ...wallets.map((descriptor) =>
        searchedAccount(createAccount({ network, ecc, wallets: [{ descriptor }], keys }), usualName(descriptor)),
      ),
      ...silent,
    ];
  });
}

function searchedAccount({ find, descriptors }: Account, name: string): Searched {
  return {
    name,
    kind: descriptors.some(isRanged) ? 'ranged' : 'single',
    find: (address, count) => {
      if (isSilentPaymentText(address)) return undefined;
      const found = find(address, Math.min(count, MAX_INDEX));
      if (!found) return undefined;
      const [key] = found.derived.keys;
      const path = key?.origin && key.origin.path.length > 0 ? `m${formatPath(key.origin.path)}` : undefined;
      return { chain: found.chain, index: found.index, ...(path !== undefined && { path }) };
    },
  };
}

function labelOf(address: string, addressAt: (label?: number) => string): Place | undefined {
  if (!isSilentPaymentText(address)) return undefined;
  const wanted = address.trim().toLowerCase();
  if (addressAt() === wanted) return { chain: 'silent', index: 0 };
  const label = [CHANGE_LABEL, ...USUAL_LABELS].find((each) => addressAt(each) === wanted);
  return label === undefined ? undefined : { chain: 'label', index: label };
}

function foundText({ wallet, kind, chain, index, path }: Place & Pick<Searched, 'kind'> & { readonly wallet: string }) {
  if (kind === 'single') return `the only address of ${wallet}`;
  if (chain === 'silent') return 'the address of silent payments';
  if (chain === 'label') return `the address of silent payments with label ${index}`;
  return `${chain} address ${index} of ${wallet}${path === undefined ? '' : `, ${path}`}`;
}

function howFar(searched: readonly Searched[], count: number): string {
  const named = (wanted: Searched['kind'], extent: string): readonly string[] => {
    const names = searched.flatMap(({ name, kind }) => (kind === wanted ? name : []));
    return names.length > 0 ? [`${extent} ${names.join('; ')}`] : [];
  };
  return [
    ...named('ranged', `the first ${count} receive and change addresses of`),
    ...named('single', 'the only address of'),
    ...named('silent', `the addresses up to label ${USUAL_LABELS.length} of`),
  ].join(', and ');
}
