export {
  deriveChild,
  derivePath,
  type ExtendedKey,
  formatXprv,
  formatXpub,
  keyFingerprint,
  masterKey,
  neuter,
  parseExtendedKey,
} from './bip32.ts';
export { type DecryptKeyOptions, decryptKey } from './bip38.ts';
export { type Codex32Seed, parseCodex32 } from './codex32.ts';
export {
  type ElectrumSeed,
  type ElectrumSeedOptions,
  masterOfElectrumSeed,
  parseElectrumSeed,
} from './electrumSeed.ts';
export type { ElectrumSeedType } from './electrumVersion.ts';
export { formatPath, HARDENED, type KeyOrigin, parsePath } from './path.ts';
export { type CompletedWords, type CompletionOptions, completeSeedWords } from './seedCompletion.ts';
export { type SeedWordsOptions, wordsFromEntropy } from './seedWords.ts';
export { formatWif, parseWif, type WifKey } from './wif.ts';
export { suggestWords } from './wordSuggestions.ts';
