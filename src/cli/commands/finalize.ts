import { formatHex } from '../../bytes/hex.ts';
import { nobleEcc } from '../../crypto/nobleEcc.ts';
import { extractTransaction } from '../../psbt/roles/extractor.ts';
import { progressText, standingOf } from '../../review/progress.ts';
import type { Io } from '../../terminal/io.ts';
import { encodeTransaction } from '../../tx/codec.ts';
import { formatTxid, txid } from '../../tx/txid.ts';
import { openDestination } from '../destination.ts';
import { filesOf, readPsbt } from '../givenFiles.ts';
import { openRpc } from '../openRpc.ts';
import type { CommandLine } from '../options.ts';
import { completeText, NOT_COMPLETE, withReasons } from '../psbtJob.ts';

/**
 * `countersign finalize`: verifies all signatures, and writes the transaction.
 * @returns the exit code: 2 if signatures are missing
 */
export async function runFinalize(line: CommandLine, io: Io): Promise<number> {
  const { context } = await openRpc(line, io);
  const { ecc = nobleEcc } = context;
  const [file = ''] = filesOf(line, { most: 1 });
  const given = await readPsbt(file, line, context, io);
  const destination = await openDestination(line, given, { makes: 'transaction' }, io);
  const { inputs, finalized } = withReasons(() => standingOf(given.psbt, { ecc }));
  if (!finalized.isComplete) {
    for (const input of inputs) io.writeError(`${progressText(input)}\n`);
    io.writeError(
      'not complete yet: nothing was written. Next: sign with the keys that are still wanted, or pass the PSBT on\n',
    );
    return NOT_COMPLETE;
  }
  const tx = withReasons(() => extractTransaction(finalized.psbt, { ecc }));
  const id = formatTxid(txid(tx));
  const name = await destination.write({ psbt: finalized.psbt, hex: formatHex(encodeTransaction(tx)), txid: id });
  io.writeError(`${completeText(id, name)}\n`);
  return 0;
}
