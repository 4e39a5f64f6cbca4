export { decodeMiniscript } from './decode.ts';
export { encodeMiniscript } from './encode.ts';
export type { Context, HashName, Miniscript } from './fragment.ts';
export { type ParsedMiniscript, parseMiniscript } from './parse.ts';
export { printMiniscript } from './print.ts';
export { type FaultReason, faultOf, faultText, maxSatisfactionSize } from './sanity.ts';
export { satisfy } from './satisfy.ts';
export { keysOf, mapKeys, postOrder } from './tree.ts';
