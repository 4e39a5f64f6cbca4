import { withoutSecrets } from '../encoding/redaction.ts';
import { reviewTransaction } from '../review/transactionReview.ts';
import type { Rpc } from '../rpc/createRpc.ts';
import type { JsonValue } from '../rpc/json/jsonValue.ts';
import { chainCoins, coinsSpentBy, parsePrevtxs, withoutMark } from '../rpc/rawtransaction/prevtxs.ts';
import { transactionToSign } from '../rpc/rawtransaction/rawTransaction.ts';
import { sighashTypeOf } from '../rpc/rawtransaction/sighashArgument.ts';
import type { Io } from '../terminal/io.ts';
import { UsageError } from '../terminal/usageError.ts';
import type { CommandLine } from './options.ts';
import { reviewText } from './transactionReviewText.ts';

/**
 * Prints a review of the transaction to standard error and asks whether to sign it. Without a terminal, only `--yes`
 * confirms.
 * @throws UsageError for any method but `signrawtransactionwithkey`; RpcError for malformed arguments
 */
export async function isApproved(
  [hex, , prevtxs, sighash]: readonly JsonValue[],
  line: CommandLine,
  { rpc, io }: { readonly rpc: Rpc; readonly io: Io },
): Promise<boolean> {
  const { command } = line;
  if (command !== 'signrawtransactionwithkey')
    throw new UsageError(`--review does not apply to ${withoutSecrets(command ?? 'nothing')}`);
  const { context } = rpc;
  const { network, dialect, ecc } = context;
  const tx = transactionToSign(hex?.type === 'string' ? hex.value : '', context);
  const scripts: Uint8Array[] = [];
  const before = chainCoins(
    tx.inputs.map(({ outpoint }) => outpoint),
    context,
  );
  const coins = parsePrevtxs(prevtxs, context, { scripts, before });
  const prevouts = coinsSpentBy(tx, coins).map((coin) => withoutMark(coin, network));
  const review = reviewTransaction({
    tx,
    prevouts,
    scripts,
    sighashType: sighashTypeOf(sighash, dialect),
    ...(ecc && { ecc }),
  });
  io.writeError(reviewText(review, network));
  return askYes(line, io);
}

/** Asks whether to sign. Without a terminal, only `--yes` confirms. */
export async function askYes({ yes }: CommandLine, io: Io): Promise<boolean> {
  if (yes) return true;
  if (io.isInteractive) return askPerson(io);
  io.writeError('not signed: no terminal to confirm on; pass --yes once you have reviewed it\n');
  return false;
}

async function askPerson(io: Io): Promise<boolean> {
  const answer = await io.ask('Sign it? Type yes: ');
  if (answer.trim().toLowerCase() === 'yes') return true;
  io.writeError('not signed\n');
  return false;
}
