export {
  deriveChild,
  derivePath,
  type ExtendedKey,
  fingerprintOf,
  formatXprv,
  formatXpub,
  masterKey,
  neuter,
  parseExtendedKey,
} from './bip32.ts';
export type { KeyOrigin } from './origin.ts';
export { formatPath, HARDENED, isHardened, parsePath } from './path.ts';
export { formatWif, parseWif, type WifKey } from './wif.ts';
