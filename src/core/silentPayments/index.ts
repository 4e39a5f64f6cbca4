export {
  formatSilentPaymentAddress,
  parseSilentPaymentAddress,
  type SilentPaymentAddress,
} from './address.ts';
export { type PayingKey, type SilentPayer, silentPaymentScripts } from './outputs.ts';
export {
  createReceiver,
  type FoundPayment,
  type ScanKeys,
  type SilentPaymentReceiver,
  tweakData,
} from './receiver.ts';
