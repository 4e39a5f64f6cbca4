import { assertKnownOptions, type OptionNames } from '../bytes/knownOptions.ts';
import type { Ecc } from './ecc.ts';
import { nobleEcc } from './nobleEcc.ts';

/** Options of a function that computes with keys. */
export interface EccOption {
  /** Default `nobleEcc`. */
  readonly ecc?: Ecc | undefined;
}

const ECC_OPTION: OptionNames<EccOption> = { ecc: true };

/** Returns the arithmetic that the caller chose. @throws `argument/invalid` */
export function chosenArithmetic(options: EccOption): Ecc {
  assertKnownOptions(options, ECC_OPTION);
  return options.ecc ?? nobleEcc;
}
