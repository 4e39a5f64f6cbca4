export { labelOrigin, labelsOf } from './accountLabels.ts';
export {
  formatLabels,
  type LabelConflict,
  type LabelRecord,
  type MergedLabels,
  mergeLabels,
  parseLabels,
} from './labels.ts';
export { readNodeLabels, type WalletCall, type WrittenLabels, writeNodeLabels } from './nodeLabels.ts';
