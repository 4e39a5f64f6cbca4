import { formatAddress } from '../../../core/address/address.ts';
import { unlessRefused } from '../../../core/errors.ts';
import { inputCoin } from '../../../core/psbt/format/inputCoin.ts';
import type { Psbt } from '../../../core/psbt/format/types.ts';
import { unsignedTransaction } from '../../../core/psbt/format/version.ts';
import { extractTransaction } from '../../../core/psbt/roles/extractor.ts';
import { finalizePsbt } from '../../../core/psbt/roles/finalizer.ts';
import { decodeTransaction } from '../../../core/tx/codec.ts';
import { formatTxid } from '../../../core/tx/txid.ts';
import type { Outpoint, Transaction, TxOut } from '../../../core/tx/types.ts';
import type { SpendInput } from '../../../kit/account/buildOptions.ts';
import { buildPsbt } from '../../../kit/account/buildPsbt.ts';
import { updateWith } from '../../../kit/account/signWith.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import type { CommandContext } from '../openContext.ts';
import type { CommandLine } from '../options.ts';
import { type GivenCoins, type ListedCoin, otherForm } from './coinFiles.ts';
import { fileArgument, type GivenPsbt, openGiven, readGiven } from './givenFiles.ts';
import { isSilentWallet, sourceOf, type Wallet } from './ownCoins.ts';

/** A payment that was sent, in either form, and what the files say of the coins that it spends. */
export interface SentPayment {
  readonly input: Pick<GivenPsbt, 'name' | 'path' | 'encoding'>;
  readonly form: { readonly psbt: Psbt } | { readonly tx: Transaction };
  readonly coinOf: (outpoint: Outpoint) => ListedCoin | undefined;
}

/** Reads a PSBT or a transaction. @throws UsageError */
export async function readSent(
  line: CommandLine,
  { listed, outputs }: GivenCoins,
  context: CommandContext,
  io: Io,
): Promise<SentPayment> {
  const input = await readGiven(fileArgument(line), line, io);
  const coins = new Map([...outputs, ...listed].map((coin) => [coin.name, coin]));
  const coinOf = (outpoint: Outpoint): ListedCoin | undefined => coins.get(outpointName(outpoint));
  const opened = openGiven(input, context);
  switch (opened.kind) {
    case 'psbt':
      return { input: { ...input, encoding: opened.encoding }, form: { psbt: opened.psbt }, coinOf };
    case 'transaction':
      return { input: { ...input, encoding: 'base64' }, form: { tx: opened.tx }, coinOf };
    default:
      throw new UsageError(`${input.name} is neither a PSBT nor a transaction${otherForm(opened)}`);
  }
}

export const outpointName = ({ txid, vout }: Outpoint): string => `${formatTxid(txid)}:${vout}`;

function neededCoin({ coinOf }: SentPayment, outpoint: Outpoint, inputIndex: number): ListedCoin {
  const coin = coinOf(outpoint);
  if (coin) return coin;
  throw new UsageError(
    `the coin that input ${inputIndex} spends is not known: give the transaction ${formatTxid(outpoint.txid)}, which paid it, with --tx-file`,
  );
}

/** Returns the payment as a PSBT with its coins, and what the wallet knows of them. @throws UsageError */
export function psbtOf(sent: SentPayment, wallet: Wallet | undefined, { network, ecc }: CommandContext): Psbt {
  const { form } = sent;
  if ('psbt' in form) {
    const psbt = withCoins(form.psbt, sent, network.mweb);
    return wallet ? updateWith(wallet, psbt) : psbt;
  }
  const { version, locktime, inputs: spent, outputs } = form.tx;
  if (!wallet)
    throw new UsageError('a transaction does not say how its coins are spent: pass its wallet with --descriptors-file');
  const txVersion = ([1, 2, 3] as const).find((each) => each === version);
  if (txVersion === undefined) throw new UsageError(`${sent.input.name} has the unknown version ${version}`);
  const inputs = spent.map(({ outpoint, sequence }, i): SpendInput & { readonly value: bigint } => {
    const coin = neededCoin(sent, outpoint, i);
    const { txid, vout, value, scriptPubKey, previousTransaction } = coin;
    const from = sourceOf(coin, wallet) ?? formatAddress(scriptPubKey, network);
    if (from === undefined) throw new UsageError(`the coin that input ${i} spends has no address`);
    return { txid, vout, value, from, sequence, ...(previousTransaction && { previousTransaction }) };
  });
  const fee = total(inputs) - total(outputs);
  const paid = outputs.map(({ scriptPubKey: script, value }) => {
    // Signers recognize own outputs by what these bring along.
    const to = isSilentWallet(wallet) ? undefined : wallet.find(script);
    return to ? { to, value } : { script, value };
  });
  return buildPsbt({ network, ecc, inputs, outputs: paid, fee, txVersion, locktime });
}

/** Adds the previous transactions of inputs that show no coin. */
function withCoins(psbt: Psbt, { coinOf }: SentPayment, mweb: boolean): Psbt {
  const { inputs: spent } = unsignedTransaction(psbt);
  const inputs = psbt.inputs.map((input, index) => {
    const outpoint = spent[index]?.outpoint;
    const bytes = outpoint && !inputCoin(psbt, index) ? coinOf(outpoint)?.previousTransaction : undefined;
    return bytes ? { ...input, nonWitnessUtxo: decodeTransaction(bytes, { mweb }) } : input;
  });
  return { ...psbt, inputs };
}

/** Returns the payment as nodes have it, with the outputs that it spends. @throws UsageError if it is not complete */
export function transactionOf(
  sent: SentPayment,
  { network, ecc }: CommandContext,
): { readonly tx: Transaction; readonly spent: readonly TxOut[] } {
  const { form, input } = sent;
  if ('tx' in form)
    return { tx: form.tx, spent: form.tx.inputs.map(({ outpoint }, index) => neededCoin(sent, outpoint, index)) };
  const psbt = withUsageErrors(() => withCoins(form.psbt, sent, network.mweb));
  const { psbt: final, isComplete } = finalizePsbt(psbt, { ecc });
  const tx = isComplete ? unlessRefused(() => extractTransaction(final, { ecc })) : undefined;
  if (!tx) throw new UsageError(`${input.name} is not signed by all: a child pays for a transaction that was sent`);
  return { tx, spent: final.inputs.flatMap((_, index) => inputCoin(final, index)?.coin ?? []) };
}

export const total = (amounts: readonly { readonly value: bigint }[]): bigint =>
  amounts.reduce((sum, { value }) => sum + value, 0n);
