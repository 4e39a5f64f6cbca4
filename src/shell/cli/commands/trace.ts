import { createSignatureCache, withSignatureCache } from '../../../core/crypto/signatureCache.ts';
import { mayHoldPrivateKey } from '../../../core/encoding/redaction.ts';
import { unlessRefused } from '../../../core/errors.ts';
import { MANDATORY_FLAGS, parseScriptFlags, STANDARD_FLAGS } from '../../../core/interpreter/flags.ts';
import type { TraceResult } from '../../../core/interpreter/traceEvents.ts';
import { type VerifyInputInput, verifyInput } from '../../../core/interpreter/verifyTransaction.ts';
import { progressText, psbtProgress } from '../../../core/job/progress.ts';
import { inputCoin } from '../../../core/psbt/format/inputCoin.ts';
import { isFinal } from '../../../core/psbt/format/nodeOrder.ts';
import type { Psbt } from '../../../core/psbt/format/types.ts';
import { unsignedTransaction } from '../../../core/psbt/format/version.ts';
import { assemble } from '../../../core/psbt/roles/extractor.ts';
import { formatTxid } from '../../../core/tx/txid.ts';
import type { Transaction, TxOut } from '../../../core/tx/types.ts';
import { knownPrevouts } from '../../../kit/trace/knownPrevouts.ts';
import { writeTraceJson } from '../../../kit/trace/traceJson.ts';
import { formatEnding, type TraceTextOptions, writeSteps } from '../../../kit/trace/traceText.ts';
import type { Io } from '../../terminal/io.ts';
import { UsageError, withUsageErrors } from '../../terminal/usageError.ts';
import { declareCommand } from '../declareCommand.ts';
import { coinOptions, otherForm, readCoins } from '../input/coinFiles.ts';
import { assertNoWords, openGiven, readGiven } from '../input/givenFiles.ts';
import { type CommandContext, openContext } from '../openContext.ts';
import { type CommandLine, flag, text } from '../options.ts';
import { writeNote } from '../output/writeNote.ts';
import { NOT_COMPLETE } from '../psbtJob.ts';

const options = {
  ...coinOptions,
  flags: text(
    'NAMES',
    'the rules: "standard", those by which nodes relay (default), "consensus", those of blocks, or names of script flags, such as P2SH,WITNESS,TAPROOT',
  ),
  'all-steps': flag('show all steps, not the first 1000 and the last'),
  json: flag('an object on each line: each step as it runs, and how it ended'),
};
type Line = CommandLine<typeof options>;

export const trace = declareCommand({
  synopsis: 'trace FILE [INPUT]',
  about: `Runs the scripts of an input step by step: each opcode with what it changed on the stack, each signature with its key and
digest, the branches, and how it ended. Of a failure it shows the step, Core's error, what that means and what helps. FILE is a
transaction, whose coins --tx-file or --coins-file name, or a PSBT, of which an input that has all signatures is finalized.
INPUT counts from 0. Keys play no part.`,
  options,
  exitCode: '2 if the input is not valid.',
  examples: ['countersign trace spend.txn 0 --tx-file paid.txn', 'countersign trace spend.psbt 1 --flags consensus'],
  run: runTrace,
});

async function runTrace(line: Line, io: Io): Promise<number> {
  const context = await openContext(line, io);
  const { name, index } = argumentsOf(line);
  const input = await readGiven(name, line, io);
  const opened = openGiven(input, context);
  if (opened.kind !== 'psbt' && opened.kind !== 'transaction') {
    throw new UsageError(`${input.name} is not a transaction or a PSBT${otherForm(opened)}`);
  }
  const count = (opened.kind === 'psbt' ? opened.psbt : opened.tx).inputs.length;
  const inputIndex = index ?? (count === 1 ? 0 : -1);
  if (inputIndex < 0 || inputIndex >= count) {
    throw new UsageError(`name an input of ${input.name}, which has ${count === 1 ? 'only 0' : `0 to ${count - 1}`}`);
  }
  const { tx, coins } =
    opened.kind === 'psbt'
      ? finalizedSpend(opened.psbt, { name: input.name, inputIndex, context })
      : { tx: opened.tx, coins: [] };
  const prevouts = await prevoutsOf(tx, { line, coins, inputIndex, context }, io);
  const flags = flagsOf(line.flags);
  const spend: VerifyInputInput = { tx, inputIndex, prevouts, flags, ecc: context.ecc };
  const pieces = createPieces();
  const steps = line.allSteps ? { maxSteps: Number.POSITIVE_INFINITY } : {};
  const { outcome } = line.json ? writeTraceJson(spend, steps, pieces.add) : addText(spend, steps, pieces.add);
  await pieces.print(io);
  if (outcome.kind === 'valid') return 0;
  if (flags === STANDARD_FLAGS && verifyInput({ ...spend, flags: MANDATORY_FLAGS }).kind === 'valid') {
    writeNote('only nodes that relay refuse it: by the rules of blocks (--flags consensus) it is valid', io);
  }
  return NOT_COMPLETE;
}

function argumentsOf(line: Line): { readonly name: string; readonly index: number | undefined } {
  assertNoWords(line);
  const [name, number, ...more] = line.file === undefined ? line.args : [line.file, ...line.args];
  if (name === undefined || more.length > 0) {
    throw new UsageError(
      'trace takes a transaction or PSBT, and the number of an input: "countersign trace spend.psbt 0"',
    );
  }
  if (number === undefined) return { name, index: undefined };
  if (mayHoldPrivateKey(number))
    throw new UsageError(
      'the second argument looks like a private key: clear the history of your shell, which keeps it',
    );
  if (!/^\d{1,6}$/.test(number)) throw new UsageError('the number of the input must be a whole number, counted from 0');
  return { name, index: Number(number) };
}

function flagsOf(names: string | undefined): VerifyInputInput['flags'] & object {
  if (names === undefined || names === 'standard') return STANDARD_FLAGS;
  return names === 'consensus' ? MANDATORY_FLAGS : withUsageErrors(() => parseScriptFlags(names));
}

interface Spent {
  readonly tx: Transaction;
  /** One for each input that the PSBT shows. */
  readonly coins: readonly (TxOut | undefined)[];
}

/** Finalizes what has all signatures. @throws UsageError if that leaves the input open */
function finalizedSpend(
  psbt: Psbt,
  of: { readonly name: string; readonly inputIndex: number; readonly context: CommandContext },
): Spent {
  const { name, inputIndex, context } = of;
  const ecc = withSignatureCache(context.ecc, createSignatureCache());
  const { inputs, finalized } = withUsageErrors(() => psbtProgress(psbt, { ecc }));
  const tx = assemble(
    withUsageErrors(() => unsignedTransaction(psbt)),
    finalized.psbt.inputs,
  );
  const progress = inputs[inputIndex];
  if (progress && !isFinal(finalized.psbt.inputs[inputIndex] ?? {})) {
    throw new UsageError(
      `${name} does not have all signatures of the input: ${progressText(progress)}; "countersign review" shows what is missing`,
    );
  }
  return { tx, coins: psbt.inputs.map((_, i) => unlessRefused(() => inputCoin(psbt, i))?.coin) };
}

async function prevoutsOf(
  tx: Transaction,
  given: {
    readonly line: Line;
    readonly coins: Spent['coins'];
    readonly inputIndex: number;
    readonly context: CommandContext;
  },
  io: Io,
): Promise<readonly TxOut[]> {
  const { line, coins, inputIndex, context } = given;
  const { listed, outputs } = await readCoins(line, context, io);
  const byName = new Map([...outputs, ...listed].map((coin) => [coin.name, coin]));
  const names = tx.inputs.map(({ outpoint }) => `${formatTxid(outpoint.txid)}:${outpoint.vout}`);
  const prevouts = knownPrevouts(
    names.map((name, i) => coins[i] ?? byName.get(name)),
    inputIndex,
  );
  if (typeof prevouts !== 'number') return prevouts;
  throw new UsageError(
    `input ${prevouts} spends the coin ${names[prevouts]}, which is not given: name the transaction that paid it with --tx-file, or list it with --coins-file`,
  );
}

/** In characters: larger texts are written in pieces. */
const PIECE = 1 << 16;

/** Gathers texts, of which a long script makes more than one text can hold. */
function createPieces() {
  const pieces: string[] = [];
  let piece = '';
  return {
    add: (text: string): void => {
      piece += text;
      if (piece.length < PIECE) return;
      pieces.push(piece);
      piece = '';
    },
    print: async (io: Io): Promise<void> => {
      for (const each of [...pieces, piece]) await io.writeOut(each);
    },
  };
}

function addText(spend: VerifyInputInput, options: TraceTextOptions, add: (text: string) => void): TraceResult {
  const { result, ending } = writeSteps(spend, options, add);
  add(formatEnding(ending));
  return result;
}
