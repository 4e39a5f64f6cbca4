export { formatBase64, parseBase64 } from './base64.ts';
export { concatBytes, equalBytes } from './compare.ts';
export { formatHex, parseHex } from './hex.ts';
