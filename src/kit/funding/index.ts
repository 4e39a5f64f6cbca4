export { type BumpOptions, bumpFee } from './bumpFee.ts';
export { type ChildFeeOptions, childFee, type UnconfirmedParent } from './childFee.ts';
export { type FundingInput, type FundOptions, fundPsbt } from './fundPsbt.ts';
export { type Scan, type ScannedAddress, type ScanOptions, scan } from './scan.ts';
