// Reviews two PSBTs in German: an honest one, and one whose change goes to a stranger.
import { accountFromDescriptors, accountFromWords, buildPsbt, type Psbt, reviewWith } from 'countersign';
import { formatQuestion, formatReview } from 'countersign/review';
import { coinTxid, cosigners, destination, seedWords } from '../fixtures.ts';
import { GERMAN } from './words.ts';

const network = 'regtest';
const me = accountFromWords(seedWords, { network });
const stranger = accountFromDescriptors(`wpkh(${cosigners[0].xpub})`, { network });
const coin = { txid: coinTxid, vout: 0, value: 100_000n, from: me.receive(3) };
const payment = { inputs: [coin], outputs: [{ to: destination, value: 60_000n }], feeRate: 2 };
const honest = buildPsbt({ ...payment, change: me.change(0) });
const stealing = buildPsbt({ ...payment, change: stranger.change(0) });
/** Its change goes to a stranger, but has the record that calls it yours. */
const forged: Psbt = { ...stealing, outputs: honest.outputs };

/** Writes the review of a PSBT, and what is asked before it is signed: a refused one is not. */
function write(psbt: Psbt): string {
  const review = reviewWith(me, psbt);
  const report = formatReview(review, { words: GERMAN });
  return review.isRefused ? report : `${report}\n${formatQuestion(review, GERMAN)}\n`;
}

export const texts = { honest: write(honest), forged: write(forged) };
console.log(`${texts.honest}\n${texts.forged}`);
