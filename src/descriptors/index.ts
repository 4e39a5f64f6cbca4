export { descriptorChecksum, withChecksum } from './checksum.ts';
export { inferDescriptor } from './infer.ts';
