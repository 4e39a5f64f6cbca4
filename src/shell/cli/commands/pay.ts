import { formatAddress } from '../../../core/address/address.ts';
import { isBtcError } from '../../../core/errors.ts';
import type { Network } from '../../../core/network/networks.ts';
import type { Psbt } from '../../../core/psbt/format/types.ts';
import { isSilentPaymentText } from '../../../core/silentPayments/address.ts';
import type { BuildOptions, BuildOutput } from '../../../kit/account/buildOptions.ts';
import { buildPsbt } from '../../../kit/account/buildPsbt.ts';
import { type FundingInput, fundPsbt } from '../../../kit/funding/fundPsbt.ts';
import { counted } from '../../sync/syncProgress.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { builtText, withBuildFaults } from '../builtPsbt.ts';
import { declareCommand } from '../declareCommand.ts';
import { readAddress } from '../input/addresses.ts';
import { coinOptions, readCoins } from '../input/coinFiles.ts';
import { feeRateOption, readFeeRate } from '../input/feeRate.ts';
import { type NameProofs, readNameProofs } from '../input/nameProofs.ts';
import { accountOptions, openAccount } from '../input/openAccount.ts';
import { isSilentWallet, ownChange, ownCoins, toSpendInput, type Wallet } from '../input/ownCoins.ts';
import { type NamedPayee, payeeOptions, readPayee, readReceiver } from '../input/paymentUris.ts';
import { openContext } from '../openContext.ts';
import { type CommandLine, files, flag, list, purposeOption, resultOptions, text } from '../options.ts';
import { openDestination } from '../output/destination.ts';
import { writeNote } from '../output/writeNote.ts';
import { sweepPsbt } from '../sweep.ts';

const options = {
  pays: list(
    'PAYEE',
    'whom to pay: ADDRESS=AMOUNT in coins, a payment URI (BIP321) with its amount, or a payment name (BIP353), such as ₿alice@example.com=AMOUNT, with --name-proof; may be given more than once',
  ),
  'name-proof': files(
    'the DNSSEC proof of a payment name (RFC 9102), as a resolver gives it; goes into the PSBT, whose signer verifies it, too. One for each name, in the same order',
  ),
  ...coinOptions,
  ...feeRateOption,
  'change-to': text('ADDRESS', 'where the rest goes (default: the change address after those of the coins)'),
  all: flag('spend all the coins: the one PAYEE without an amount, an address, gets what the others and the fee leave'),
  'same-receiver': payeeOptions['same-receiver'],
  ...purposeOption,
  ...accountOptions,
  ...resultOptions,
};
type Line = CommandLine<typeof options>;

export const pay = declareCommand({
  synopsis: 'pay [WALLET]',
  about: `Makes a PSBT that pays from the coins of a wallet, chosen as a node chooses them, and signs nothing. The wallet is a file with
descriptors or an extended public key, or that of seed words or a key.

The result goes to standard output, or to the file of --out.`,
  options,
  examples: [
    'countersign pay wallet.txt --coins-file coins.json --fee-rate 5 --pays bc1q...=0.01',
    'countersign pay wallet.txt --coins-file coins.json --fee-rate 2 --all --pays bc1q...',
  ],
  run: runPay,
});

async function runPay(line: Line, io: Io): Promise<number> {
  const context = await openContext(line, io);
  const { network, ecc } = context;
  const feeRate = readFeeRate(line.feeRate, 'pay');
  const payees = line.pays.map((given) => readPayee(given, network));
  assertTogether(line);
  const { outputs, rest } = line.all ? restOf(payees) : { outputs: payees, rest: undefined };
  const sameReceiver = line.sameReceiver.map((address) => readReceiver(address, network));
  const names = payees.flatMap(({ paymentName }) => paymentName ?? []);
  const proofs = await readNameProofs(line.nameProof, { names, network }, io);
  const to = outputs.map((payee) => outputTo(payee, { network, proofs }));
  const shared = { network, ecc, feeRate, outputs: to, sameReceiver };
  const destination = await openDestination(line, { input: NEW, makes: 'psbt' }, io);
  const given = await readCoins(line, context, io);
  const wallet = await openAccount(line, { purpose: line.purpose }, context, io);
  const coins = ownCoins(line.coinsFile.length > 0 ? given.listed : given.outputs, wallet, io);
  const psbt = withBuildFaults(coins, () =>
    rest
      ? sweepPsbt({ ...shared, coins: coins.map(toSpendInput), change: addressOf(rest, network) }, io)
      : fund({ ...shared, coins, change: changeOf(line, coins, wallet) }, io),
  );
  const name = await destination.write({ psbt });
  writeNote(`spends ${psbt.inputs.length} of ${counted(coins.length, 'coin')}, ${builtText(psbt, network, name)}`, io);
  await destination.show({ psbt });
  return 0;
}

/** Not made from a file beside which it could be written. */
const NEW = { path: undefined, encoding: 'base64' } as const;

function assertTogether({ pays, coinsFile, txFile, all, changeTo }: Line): void {
  if (pays.length === 0) throw new UsageError('pay needs --pays: ADDRESS=AMOUNT, or a payment URI with its amount');
  if (coinsFile.length + txFile.length === 0) {
    throw new UsageError('pay needs the coins: pass --coins-file, or the transactions that paid them with --tx-file');
  }
  if (all && changeTo !== undefined) throw new UsageError('--all contradicts --change-to: it leaves no change');
}

/** Finds the payee who gets all that is left. */
function restOf(payees: readonly NamedPayee[]): { readonly outputs: readonly NamedPayee[]; readonly rest: NamedPayee } {
  const [rest, ...others] = payees.filter(({ amount }) => amount === undefined);
  if (!rest || others.length > 0) throw new UsageError('--all needs exactly one --pays without an amount');
  if (rest.paymentName !== undefined)
    throw new UsageError(
      `--all pays what is left to an address, not to a name: write ${rest.name}=AMOUNT, without --all`,
    );
  return { outputs: payees.filter((payee) => payee !== rest), rest };
}

/** Returns the first address, which is on the chain if there is one. */
function addressOf({ payees: [payee] }: NamedPayee, network: Network): string {
  if (payee && 'silentAddress' in payee) return payee.silentAddress;
  const address = payee && 'scriptPubKey' in payee ? formatAddress(payee.scriptPubKey, network) : undefined;
  if (address === undefined) {
    throw new UsageError('--pays: pay needs an address, not the name of a wallet');
  }
  return address;
}

function outputTo(
  payee: NamedPayee,
  { network, proofs }: { readonly network: Network; readonly proofs: NameProofs },
): Extract<BuildOutput, { readonly to: unknown }> {
  const proof = proofs.get(payee.paymentName ?? '');
  const to = proof ?? addressOf(payee, network);
  const { amount: value = proof?.payment.amount } = payee;
  if (value === undefined) {
    const example = payee.paymentName === undefined ? 'ADDRESS' : payee.name;
    throw new UsageError(`--pays: ${payee.name} has no amount: write ${example}=0.0015`);
  }
  return typeof to === 'string' ? { to, value } : { to, value };
}

/** An own address brings along what signers recognize it by. */
function changeOf({ changeTo }: Line, coins: readonly FundingInput[], wallet: Wallet): Change {
  if (changeTo === undefined) return ownChange(wallet, coins);
  const address = readAddress('--change-to', changeTo, wallet.network);
  if (isSilentWallet(wallet) || isSilentPaymentText(address)) return address;
  return wallet.find(address) ?? address;
}

type Change = NonNullable<BuildOptions['change']>;

interface Payment extends Pick<BuildOptions, 'network' | 'ecc' | 'outputs' | 'sameReceiver'> {
  readonly coins: readonly FundingInput[];
  readonly feeRate: number;
  readonly change: Change;
}

function fund(payment: Payment, io: Io): Psbt {
  try {
    return fundPsbt({ ...payment, random: io.random });
  } catch (error) {
    if (!isBtcError(error, 'build/insufficient-funds')) throw error;
    throw new UsageError(shortText(payment));
  }
}

/** Says how much is missing if all coins are spent that may be. */
function shortText({ coins, ...payment }: Payment): string {
  const settled = coins.filter(({ confirmations, isOwnChange }) => confirmations !== 0 || isOwnChange);
  const waiting = coins.length - settled.length;
  const left = waiting === 0 ? '' : `, not counting ${counted(waiting, 'unconfirmed coin')} from others`;
  try {
    if (settled.length > 0) buildPsbt({ ...payment, inputs: settled.map(toSpendInput) });
  } catch (error) {
    if (!isBtcError(error, 'build/insufficient-funds')) throw error;
    const { available, needed } = error.data;
    return `the coins hold ${available} sat${left}, and the payments and the fee take ${needed} sat: ${needed - available} sat are missing`;
  }
  return settled.length === 0
    ? 'all coins are unconfirmed payments of others, which are not spent: wait for a block'
    : `the coins do not suffice${left}: many may cost more than they are worth, or a transaction cannot hold them all`;
}
