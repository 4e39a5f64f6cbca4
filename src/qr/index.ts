export { type BbqrOptions, type BbqrType, encodeBbqr } from './bbqr.ts';
export {
  createFrameReader,
  type FrameFormat,
  type FrameReader,
  type ScannedContent,
  type ScanState,
} from './frameReader.ts';
export { encodeUr, type UrFrames, type UrOptions, type UrType } from './ur.ts';
