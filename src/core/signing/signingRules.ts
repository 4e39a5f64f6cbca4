import { NEWEST } from '../generations.ts';
import { CURRENT_TEMPLATES, type TemplateRules } from '../script/template.ts';
import { type GenerationSigningRules, signingRules } from './generationSigning.ts';

/** The rules for signing: those of a node generation, and those that its dialects choose. */
export interface SigningRules extends GenerationSigningRules {
  readonly templates: TemplateRules;
  /** A key signs for the taproot output whose internal key it is, if that has no scripts. @see BIP86 */
  readonly tweaksKeys: boolean;
  /** Signs PSBT inputs with SINGLE and no output at their index, whose legacy digest is the number one. */
  readonly signsLoneSingle: boolean;
}

/** The newest Bitcoin Core, and BIP86. */
export const CURRENT_RULES: SigningRules = {
  ...signingRules[NEWEST],
  templates: CURRENT_TEMPLATES,
  tweaksKeys: true,
  signsLoneSingle: false,
};
