export { type BbqrOptions, type BbqrType, encodeBbqr } from './bbqr.ts';
export {
  type AccountUrOptions,
  type DescriptorUrOptions,
  encodeAccountUr,
  encodeDescriptorUr,
} from './encodeWalletUr.ts';
export {
  createFrameReader,
  type FrameFormat,
  type FrameReader,
  type ScannedContent,
  type ScanState,
} from './frameReader.ts';
export { encodeUr, type UrFrames, type UrOptions, type UrType } from './ur.ts';
export { decodeWalletUr, type UrWallet } from './walletUr.ts';
