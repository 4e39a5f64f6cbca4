// Pays what a payment link asks for: shows it, reviews the PSBT, signs it, checks that it pays the link, and labels it.
import { accountFromWords, buildPsbt, formatReview, reviewWith, signWith } from 'countersign';
import { formatLabels, labelOrigin } from 'countersign/labels';
import { findPayment, parsePaymentUri } from 'countersign/payment';
import { coinTxid, destination, seedWords } from './fixtures.ts';

const link = parsePaymentUri(`bitcoin:${destination}?amount=0.0006&label=Coffee`, { network: 'regtest' });
const me = accountFromWords(seedWords, { network: 'regtest' });
const coin = { txid: coinTxid, vout: 0, value: 100_000n, from: me.receive(3) };
const psbt = buildPsbt({ inputs: [coin], outputs: [{ to: link }], change: me.change(0), feeRate: 2 });
export const shown = formatReview(reviewWith(me, psbt));
const signed = signWith(me, psbt);
if (findPayment(signed.review, link).kind !== 'paid') throw new Error('the PSBT does not pay the link');
export const { txid = '' } = signed;
export const labels = formatLabels([{ type: 'tx', ref: txid, label: link.label ?? '', origin: labelOrigin(me) }]);
