export { type FoundPayment, findPayment } from './findPayment.ts';
export {
  formatPaymentUri,
  type OtherParameter,
  type PaymentRequest,
  type PaymentUri,
  type PaymentUriOptions,
  parsePaymentUri,
} from './paymentUri.ts';
