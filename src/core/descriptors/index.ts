export { descriptorChecksum, withChecksum } from './checksum.ts';
export {
  createDeriver,
  type Derived,
  hasPrivateKeys,
  isRanged,
  isSolvable,
  singlePaths,
} from './derive.ts';
export type { Aggregate, DerivedKey } from './deriveKey.ts';
export { formatDescriptor } from './formatDescriptor.ts';
export { inferDescriptor } from './infer.ts';
export { parseDescriptor } from './parseDescriptor.ts';
export { type Assets, type Plan, plan } from './plan.ts';
export type { LeafScript, TaprootSpend } from './taprootSpend.ts';
export type { Descriptor, KeyExpression, TreeLeaf } from './types.ts';
