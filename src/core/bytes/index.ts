export { formatBase64, parseBase64 } from './base64.ts';
export { compareBytes, concatBytes, equalBytes } from './compare.ts';
export { formatHex, formatReversedHex, isHex, parseHex } from './hex.ts';
