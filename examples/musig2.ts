// Spends a taproot coin of two MuSig2 participants, each of whom signs in a process of its own.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import {
  accountFromDescriptors,
  buildPsbt,
  combinePsbts,
  encodeTransaction,
  extractTransaction,
  finalizePsbt,
  formatHex,
  formatPsbt,
  type Psbt,
  parsePsbt,
} from 'countersign';
import { coinTxid, cosigners, destination } from './fixtures.ts';

/** Starts a participant. @returns a function that sends it a PSBT and resolves with its answer, and one that ends it */
function startSigner(name: string) {
  const program = new URL('./musig2Signer.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [program, name], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (psbt: Psbt): Promise<Psbt> => {
    child.stdin.write(`${formatPsbt(psbt)}\n`);
    const { value, done } = await answers.next();
    if (done) throw new Error(`participant ${name} ended`);
    return parsePsbt(value);
  };
  return { ask, end: () => child.stdin.end() };
}

const [first, second] = cosigners;
const account = accountFromDescriptors(`tr(musig(${first.xpub},${second.xpub}))`, { network: 'regtest' });
const coin = { txid: coinTxid, vout: 0, value: 100_000n, from: account.receive(3) };
const payments = { [destination]: 60_000n };
let psbt = buildPsbt({ inputs: [coin], outputs: payments, change: account.change(0), feeRate: 2 });

const signers = ['1', '2'].map(startSigner);
// First the nonces, then the partial signatures: each round needs what all participants said in the round before.
for (const _round of ['nonces', 'signatures']) {
  const copies = await Promise.all(signers.map(({ ask }) => ask(psbt)));
  psbt = combinePsbts(copies).psbt;
}
for (const { end } of signers) end();

const { psbt: final, isComplete } = finalizePsbt(psbt);
if (!isComplete) throw new Error('the aggregate signature is not valid');
console.log(formatHex(encodeTransaction(extractTransaction(final))));
