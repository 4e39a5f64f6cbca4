import type { Ecc } from '../../core/crypto/ecc.ts';
import { signingRules } from '../../core/signing/generationSigning.ts';
import type { SigningRules } from '../../core/signing/signingRules.ts';
import { type ByDialect, byDialect, type Dialect, type RpcContext } from './dialect.ts';

export interface SigningDialect {
  /** Adds a code and a hint to input errors, and advice to the texts on keys and descriptors. */
  readonly explainsErrors: boolean;
  /** Core signs for MAX_MONEY if an amount is unknown; such a signature is wrong. */
  readonly signsUnknownAmounts: boolean;
  /** A key signs for the taproot output whose internal key it is; Core needs its descriptor. @see BIP86 */
  readonly tweaksKeys: boolean;
  /** PSBT inputs with SIGHASH_SINGLE and no output of their number. */
  readonly signsLoneSingle: boolean;
  /** Core trusts final fields that it cannot verify. */
  readonly trustsFinalFields: boolean;
  /** `combinepsbt` of Core keeps the sighash types of the first PSBT only. */
  readonly keepsFirstSighashTypes: boolean;
  /** `combinerawtransaction` of Core looks at one coin at a time, cannot verify Schnorr signatures, and drops them. */
  readonly combinesSchnorr: boolean;
  /**
   * `combinerawtransaction` of Core 32 takes two copies or more of one transaction, earlier ones also a single one and
   * unlike transactions, of which the first decides.
   */
  readonly combinesOneTransaction: boolean;
  /** `joinpsbts` of Core keeps taproot signatures, which are void in the new transaction. */
  readonly joinsTaprootSignatures: boolean;
  /** The default. */
  readonly sighash: 'ALL' | 'DEFAULT';
  /** The versions of created PSBTs, the default first; all software reads 0. */
  readonly psbtVersions: readonly [0 | 2, ...(0 | 2)[]];
}

export const signingDialects: ByDialect<SigningDialect> = byDialect<SigningDialect>({
  'core-0.21': {
    explainsErrors: false,
    signsUnknownAmounts: true,
    tweaksKeys: false,
    signsLoneSingle: true,
    trustsFinalFields: true,
    keepsFirstSighashTypes: true,
    combinesSchnorr: false,
    combinesOneTransaction: false,
    joinsTaprootSignatures: true,
    sighash: 'ALL',
    psbtVersions: [0],
  },
  'core-29': { sighash: 'DEFAULT' },
  'core-32': { psbtVersions: [2, 0], combinesOneTransaction: true },
  documented: {
    explainsErrors: true,
    signsUnknownAmounts: false,
    tweaksKeys: true,
    signsLoneSingle: false,
    trustsFinalFields: false,
    keepsFirstSighashTypes: false,
    combinesSchnorr: true,
    combinesOneTransaction: true,
    joinsTaprootSignatures: false,
    sighash: 'ALL',
    psbtVersions: [0, 2],
  },
});

export function signingRulesFor({ name, generation, templates }: Dialect): SigningRules {
  const { tweaksKeys, signsLoneSingle } = signingDialects[name];
  return { ...signingRules[generation], templates, tweaksKeys, signsLoneSingle };
}

export function roleOptions({ dialect, ecc }: RpcContext): { rules: SigningRules; trustsFinal: boolean; ecc?: Ecc } {
  const { trustsFinalFields: trustsFinal } = signingDialects[dialect.name];
  return { rules: signingRulesFor(dialect), trustsFinal, ...(ecc && { ecc }) };
}
