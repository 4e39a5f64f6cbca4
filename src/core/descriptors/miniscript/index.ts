export { decodeMiniscript } from './decode.ts';
export { encodeMiniscript } from './encode.ts';
export type { Context, HashName, Miniscript } from './fragment.ts';
export type { Lock, Way } from './inputStack.ts';
export { type ParsedMiniscript, parseMiniscript } from './parse.ts';
export { printMiniscript } from './print.ts';
export { type FaultReason, faultText, findFault, maxSatisfactionSize } from './sanity.ts';
export { findWay, type Ingredients, satisfy } from './satisfy.ts';
export { collectKeys, mapKeys, postOrder } from './tree.ts';
