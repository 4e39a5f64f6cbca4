export { descriptorChecksum, withChecksum } from './checksum.ts';
export {
  createDeriver,
  type Derived,
  type DeriverOptions,
  hasPrivateKeys,
  isRanged,
  isSolvable,
  singlePaths,
} from './derive.ts';
export type { Aggregate, DerivedKey } from './deriveKey.ts';
export { type FormatDescriptorOptions, formatDescriptor } from './formatDescriptor.ts';
export { type InferKnowledge, inferDescriptor } from './infer.ts';
export { type ParseDescriptorOptions, parseDescriptor } from './parseDescriptor.ts';
export { type Assets, type Lack, lackingAssets, type Plan, plan } from './plan.ts';
export type { LeafScript, TaprootSpend } from './taprootSpend.ts';
export type { Descriptor, KeyExpression, TreeLeaf } from './types.ts';
