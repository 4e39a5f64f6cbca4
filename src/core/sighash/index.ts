export { type LegacySighash, type LegacySighashInput, legacySighash } from './legacy.ts';
export { type SighashMidstate, sighashMidstate } from './midstate.ts';
export { type SegwitV0Sighash, type SegwitV0SighashInput, segwitV0Sighash } from './segwitV0.ts';
export { type InputSighash, type SighashRequest, sighashForInput } from './sighashForInput.ts';
export { SIGHASH } from './sighashType.ts';
export { type TaprootSighash, type TaprootSighashInput, type TapscriptPlace, taprootSighash } from './taproot.ts';
