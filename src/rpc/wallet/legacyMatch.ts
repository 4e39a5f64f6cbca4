import { byteName, equalBytes } from '../../bytes/compare.ts';
import { hash160 } from '../../crypto/hash.ts';
import { scriptIdOf } from '../../descriptors/scriptId.ts';
import { RpcError } from '../../errors.ts';
import { classifyScript, type ScriptTemplate, type TemplateRules } from '../../script/template.ts';
import { RPC_INVALID_ADDRESS_OR_KEY } from '../errorCodes.ts';

/** What was given to solve an output with, as it is matched with the output's script. */
export interface Match {
  /** Taken away once it was used. */
  redeemScript: Uint8Array | undefined;
  witnessScript: Uint8Array | undefined;
  readonly scripts: Uint8Array[];
  /** Hashes of the keys in scripts, and whether the key must be known. */
  readonly usedKeys: Map<string, boolean>;
}

type Place = 'top' | 'p2sh' | 'witness';

/**
 * Matches what was given with a script and what it wraps.
 * @returns why it cannot be solved; `undefined` where it can
 * @throws RpcError -5 for what can never be
 * @see Bitcoin Core 0.21 `RecurseImportData`
 */
export function matchScript(
  script: Uint8Array,
  match: Match,
  templates: TemplateRules,
  place: Place,
): string | undefined {
  const template = classifyScript(script, templates);
  switch (template.type) {
    case 'pubkey':
      use(match, hash160(template.pubkey), false);
      return undefined;
    case 'pubkeyhash':
      use(match, template.hash, true);
      return undefined;
    case 'multisig':
      for (const key of template.pubkeys) use(match, hash160(key), false);
      return undefined;
    case 'scripthash':
      return matchRedeemScript(template.hash, match, templates, place);
    case 'witness_v0_scripthash':
      return matchWitnessScript(script, template, match, templates, place);
    case 'witness_v0_keyhash':
      if (place === 'witness') throw nested('P2WPKH inside P2WSH');
      use(match, template.program, true);
      if (place === 'top') match.scripts.push(script);
      return undefined;
    case 'nulldata':
      return 'unspendable script';
    default:
      return 'unrecognized script';
  }
}

function use({ usedKeys }: Match, hash: Uint8Array, isRequired: boolean): void {
  const name = byteName(hash);
  usedKeys.set(name, isRequired || usedKeys.get(name) === true);
}

const nested = (what: string): RpcError => new RpcError(RPC_INVALID_ADDRESS_OR_KEY, `Trying to nest ${what}`);

function matchRedeemScript(hash: Uint8Array, match: Match, templates: TemplateRules, place: Place): string | undefined {
  if (place === 'p2sh') throw nested('P2SH inside another P2SH');
  if (place === 'witness') throw nested('P2SH inside a P2WSH');
  const script = match.redeemScript;
  match.redeemScript = undefined;
  if (!script) return 'missing redeemscript';
  if (!equalBytes(hash160(script), hash)) return 'redeemScript does not match the scriptPubKey';
  match.scripts.push(script);
  return matchScript(script, match, templates, 'p2sh');
}

function matchWitnessScript(
  outer: Uint8Array,
  { program }: Extract<ScriptTemplate, { type: 'witness_v0_scripthash' }>,
  match: Match,
  templates: TemplateRules,
  place: Place,
): string | undefined {
  if (place === 'witness') throw nested('P2WSH inside another P2WSH');
  const script = match.witnessScript;
  match.witnessScript = undefined;
  if (!script) return 'missing witnessscript';
  if (!equalBytes(hash160(script), scriptIdOf(program))) {
    return 'witnessScript does not match the scriptPubKey or redeemScript';
  }
  // A wallet of 0.21 counts it as its own only where it is stored itself.
  if (place === 'top') match.scripts.push(outer);
  match.scripts.push(script);
  return matchScript(script, match, templates, 'witness');
}
