export { type Labelled, labelOrigin, labelsOf } from './accountLabels.ts';
export {
  formatLabels,
  type LabelConflict,
  type LabelRecord,
  type MergedLabels,
  mergeLabels,
  parseLabels,
} from './labels.ts';
export {
  readNodeLabels,
  type WalletCall,
  type WriteLabelsOptions,
  type WrittenLabels,
  writeNodeLabels,
} from './nodeLabels.ts';
