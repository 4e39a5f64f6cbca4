export { formatWif, parseWif, type WifKey } from './wif.ts';
