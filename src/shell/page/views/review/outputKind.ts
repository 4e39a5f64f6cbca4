import type { OutputReviewJson } from '../../../../core/review/text/reviewJson.ts';
import { sentence } from '../../refusals.ts';
import { texts } from '../../texts.ts';
import { dataText } from './summary.ts';

/** The tone and title of an output, and what to say of it. */
type Kind = readonly [tone: 'good' | 'warn' | 'plain', title: string, ...help: readonly string[]];

export function outputKind(output: OutputReviewJson): Kind {
  const { role, roleText, stays, owner, silentPayment } = output;
  const { review } = texts;
  const help: readonly string[] = roleText === undefined ? [] : [sentence(roleText)];
  const tone = stays && owner.root !== 'none' ? 'good' : 'warn';
  switch (role) {
    case 'change':
      return [tone, review.change, ...help];
    case 'own':
      return [tone, review.own, ...help];
    case 'wallet':
      return ['warn', review.wallet, ...help];
    case 'data':
      return ['plain', review.opReturn, ...dataHelp(output)];
    default:
      return help.length > 0 ? ['warn', review.otherWallet, ...help] : silentKind(silentPayment);
  }
}

function dataHelp(output: OutputReviewJson): readonly string[] {
  const text = dataText(output);
  return text === undefined ? [] : [texts.review.opReturnText(text)];
}

function silentKind(silentPayment: OutputReviewJson['silentPayment']): Kind {
  const { review } = texts;
  if (!silentPayment) return ['plain', review.payment];
  if (silentPayment.status === 'proven') return ['good', review.silentPayment, review.silentPaymentHelp];
  if (silentPayment.status === 'conditional') {
    return ['warn', review.silentPaymentConditional, review.silentPaymentConditionalHelp];
  }
  if (silentPayment.status === 'open') return ['plain', review.silentPaymentOpen, review.silentPaymentOpenHelp];
  return ['warn', review.silentPaymentClaimed, review.silentPaymentClaimedHelp(silentPayment.address ?? '')];
}
