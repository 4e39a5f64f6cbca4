import { parseAddress } from '../../../core/address/address.ts';
import { equalBytes } from '../../../core/bytes/compare.ts';
import type { Psbt } from '../../../core/psbt/format/types.ts';
import { unsignedTransaction } from '../../../core/psbt/format/version.ts';
import { encodeTransaction } from '../../../core/tx/codec.ts';
import { formatTxid, txid as txidOf } from '../../../core/tx/txid.ts';
import type { Transaction, TxOut } from '../../../core/tx/types.ts';
import { policySize } from '../../../core/tx/weight.ts';
import type { SpendInput } from '../../../kit/account/buildOptions.ts';
import { buildPsbt, prepareBuild } from '../../../kit/account/buildPsbt.ts';
import { signedVsize, sizeInput } from '../../../kit/account/signedSize.ts';
import { updateWith } from '../../../kit/account/signWith.ts';
import { bumpFee } from '../../../kit/funding/bumpFee.ts';
import { childFee } from '../../../kit/funding/childFee.ts';
import { counted } from '../../sync/syncProgress.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { builtText, feeOf, withBuildFaults } from '../builtPsbt.ts';
import { declareCommand } from '../declareCommand.ts';
import { readAddress } from '../input/addresses.ts';
import { coinOptions, type GivenCoins, readCoins } from '../input/coinFiles.ts';
import { feeRateOption, readFeeRate } from '../input/feeRate.ts';
import { accountOptions, openAccount } from '../input/openAccount.ts';
import { isSilentWallet, ownChange, ownCoins, toSpendInput, type Wallet } from '../input/ownCoins.ts';
import { wantsKeys } from '../input/secretFiles.ts';
import { outpointName, psbtOf, readSent, type SentPayment, total, transactionOf } from '../input/sentPayment.ts';
import { type CommandContext, openContext } from '../openContext.ts';
import { type CommandLine, files, flag, purposeOption, resultOptions, text } from '../options.ts';
import { openDestination } from '../output/destination.ts';
import { writeNote } from '../output/writeNote.ts';

const options = {
  ...feeRateOption,
  'descriptors-file': files('your wallet, unless you give its seed words or key'),
  ...coinOptions,
  'change-to': text(
    'ADDRESS',
    'the change of the payment, which pays the rest of the fee (default: the output that is change of the wallet); with --child, where what the child leaves goes (default: a change address)',
  ),
  child: flag('instead of a replacement, a child that spends an output of yours, and pays for both (CPFP)'),
  ...purposeOption,
  ...accountOptions,
  ...resultOptions,
};
type Line = CommandLine<typeof options>;

export const bump = declareCommand({
  synopsis: 'bump FILE',
  about: `Makes a PSBT that pays a higher fee in place of an unconfirmed payment (BIP125). The inputs stay, and the change pays; if it
does not suffice, so do confirmed coins of --coins-file. FILE is the PSBT of the payment, signed or not, or the transaction in
hex, whose coins --tx-file shows. Fees of unconfirmed transactions before or after the payment are not known here.

The result goes to NAME-bumped.psbt or NAME-child.psbt, or to standard output if that is not a terminal.`,
  options,
  examples: [
    'countersign bump spend.psbt --descriptors-file wallet.txt --fee-rate 20',
    'countersign bump signed.psbt --descriptors-file wallet.txt --fee-rate 20 --child',
  ],
  run: runBump,
});

async function runBump(line: Line, io: Io): Promise<number> {
  const context = await openContext(line, io);
  const feeRate = readFeeRate(line.feeRate, 'bump');
  const coins = await readCoins(line, context, io);
  const sent = await readSent(line, coins, context, io);
  const suffix = line.child ? 'child' : 'bumped';
  const destination = await openDestination(line, { input: sent.input, suffix, makes: 'psbt' }, io);
  const wallet = await openWallet(line, context, io);
  const terms = { feeRate, line, context, wallet };
  const { psbt, start } = line.child ? childOf(sent, terms) : replacementOf(sent, coins, terms, io);
  const name = await destination.write({ psbt });
  writeNote(`${start}, ${builtText(psbt, context.network, name)}`, io);
  await destination.show({ psbt });
  return 0;
}

interface Terms {
  readonly feeRate: number;
  readonly line: Line;
  readonly context: CommandContext;
  readonly wallet: Wallet | undefined;
}

interface Made {
  readonly psbt: Psbt;
  /** Says what was made. */
  readonly start: string;
}

async function openWallet(line: Line, context: CommandContext, io: Io): Promise<Wallet | undefined> {
  const { file: _, ...rest } = line;
  const args = line.descriptorsFile;
  if (args.length === 0 && !wantsKeys(line)) return undefined;
  return openAccount({ ...rest, file: undefined, args }, { purpose: line.purpose }, context, io);
}

function replacementOf(sent: SentPayment, coins: GivenCoins, terms: Terms, io: Io): Made {
  const { feeRate, context, wallet } = terms;
  const { network, ecc } = context;
  const payment = withBuildFaults([], () => psbtOf(sent, wallet, context));
  const added = addedCoins(payment, coins, wallet, io);
  const psbt = withBuildFaults(added, () => {
    const change = changeIndex(unsignedTransaction(payment).outputs, terms);
    const replacement = bumpFee(payment, { feeRate, change, coins: added, network, ecc });
    return wallet ? updateWith(wallet, replacement) : replacement;
  });
  const more = psbt.inputs.length - payment.inputs.length;
  const start = `replaces a fee of ${feeOf(payment)} sat${more > 0 ? ` with ${counted(more, 'more coin')}` : ''}`;
  return { psbt, start };
}

/** Leaves out what a replacement may not spend: its own coins, those of what it replaces, and unconfirmed ones (BIP125). */
function addedCoins(payment: Psbt, { listed }: GivenCoins, wallet: Wallet | undefined, io: Io): readonly SpendInput[] {
  const tx = unsignedTransaction(payment);
  const spent = new Set(tx.inputs.map(({ outpoint }) => outpointName(outpoint)));
  const id = formatTxid(txidOf(tx));
  const free = listed.filter(({ name, txid, confirmations }) => !spent.has(name) && txid !== id && confirmations !== 0);
  if (free.length === 0) return [];
  if (!wallet) throw new UsageError('--coins-file needs the wallet of the coins: pass --descriptors-file');
  return ownCoins(free, wallet, io).map(toSpendInput);
}

function changeIndex(outputs: readonly TxOut[], { line, context, wallet }: Terms): number {
  const { network } = context;
  if (line.changeTo !== undefined) {
    const script = parseAddress(readAddress('--change-to', line.changeTo, network), network);
    const index = outputs.findIndex(({ scriptPubKey }) => equalBytes(scriptPubKey, script));
    if (index >= 0) return index;
    throw new UsageError('--change-to: no output of the payment pays this address');
  }
  if (!wallet || isSilentWallet(wallet))
    throw new UsageError(
      'bump needs the change: name its address with --change-to, or the wallet with --descriptors-file',
    );
  const own = outputs.flatMap(({ scriptPubKey }, i) => (wallet.find(scriptPubKey)?.chain === 'change' ? [i] : []));
  const [index, ...others] = own;
  if (index !== undefined && others.length === 0) return index;
  throw new UsageError(
    `${own.length === 0 ? 'no output is' : 'several outputs are'} change of the wallet: name the one that pays the fee with --change-to`,
  );
}

function childOf(sent: SentPayment, { feeRate, line, context, wallet }: Terms): Made {
  const { network, ecc } = context;
  if (!wallet) throw new UsageError('--child needs the wallet: pass --descriptors-file, seed words or a key');
  const { tx, spent } = transactionOf(sent, context);
  const coin = withUsageErrors(() => largestOutput(tx, spent, wallet));
  const change =
    line.changeTo === undefined ? ownChange(wallet, [coin]) : readAddress('--change-to', line.changeTo, network);
  const parent = { fee: total(spent) - total(tx.outputs), vsize: sizeOf(tx, spent) };
  const present = Number(parent.fee) / parent.vsize;
  if (present >= feeRate)
    throw new UsageError(`--fee-rate must be above the ${present.toFixed(3)} sat/vB that the payment pays`);
  const psbt = withBuildFaults([coin], () => {
    const inputs = [coin];
    const prepared = prepareBuild({ network, inputs, outputs: [], change });
    const sized = prepared.spends.map((spend, index) => sizeInput(spend, index, 0));
    const fee = childFee({ parents: [parent], vsize: signedVsize(sized, prepared.change), feeRate });
    // BIP431: a child of version 3 has that version, too, and no other has.
    const txVersion = tx.version === 3 ? 3 : 2;
    const made =
      fee < coin.value ? buildPsbt({ network, ecc, inputs, outputs: [], change, fee, txVersion }) : undefined;
    if (made && made.outputs.length > 0) return made;
    throw new UsageError(
      `your output holds ${coin.value} sat, and the child would pay ${fee} sat: pass a lower --fee-rate`,
    );
  });
  return { psbt, start: `spends ${coin.txid}:${coin.vout}` };
}

const sizeOf = (tx: Transaction, spent: readonly TxOut[]): number =>
  policySize(
    tx,
    spent.map(({ scriptPubKey }) => scriptPubKey),
  );

type Coin = SpendInput & { readonly value: bigint };

/** Finds the largest output of the wallet. */
function largestOutput(tx: Transaction, spent: readonly TxOut[], wallet: Wallet): Coin {
  const txid = formatTxid(txidOf(tx));
  const previousTransaction = encodeTransaction(tx);
  const own: readonly Coin[] = isSilentWallet(wallet)
    ? wallet.findCoins(tx, spent)
    : tx.outputs.flatMap(({ value, scriptPubKey }, vout) => {
        const from = wallet.find(scriptPubKey);
        return from ? [{ txid, vout, value, from, previousTransaction }] : [];
      });
  const [largest] = [...own].sort((a, b) => Number(b.value - a.value));
  if (!largest)
    throw new UsageError('no output of the payment is of the wallet, so that no child of yours can pay for it');
  return largest;
}
