import { RPC_INVALID_ADDRESS_OR_KEY } from '../../../answers/method/errorCodes.ts';
import { bytesKey, equalBytes } from '../../../core/bytes/compare.ts';
import { hash160 } from '../../../core/crypto/hash.ts';
import { RpcError } from '../../../core/errors.ts';
import { classifyScript, type TemplateRules } from '../../../core/script/template.ts';
import { toScriptId } from '../../../core/script/unwrap.ts';

/** The scripts given for an output, and what matching has found so far. */
export interface Match {
  /** Cleared once used. */
  redeemScript: Uint8Array | undefined;
  witnessScript: Uint8Array | undefined;
  readonly scripts: Uint8Array[];
  /** Maps key hashes in scripts to true if the public key must be known. */
  readonly usedKeys: Map<string, boolean>;
  readonly templates: TemplateRules;
}

type Place = 'top' | 'p2sh' | 'witness';

/**
 * Matches the given scripts with a script and those that it wraps.
 * @returns why the script cannot be solved, if so
 * @throws RpcError -5 for a nesting that can never be spent
 * @see Bitcoin Core 0.21 `RecurseImportData`
 */
export function matchScript(script: Uint8Array, match: Match, place: Place): string | undefined {
  const template = classifyScript(script, match.templates);
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
      return matchRedeemScript(template.hash, match, place);
    case 'witness_v0_scripthash':
      // A 0.21 wallet counts P2WSH as its own only if the scriptPubKey itself is stored.
      if (place === 'top') match.scripts.push(script);
      return matchWitnessScript(template.program, match, place);
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
  const key = bytesKey(hash);
  usedKeys.set(key, isRequired || usedKeys.get(key) === true);
}

const nested = (what: string): RpcError => new RpcError(RPC_INVALID_ADDRESS_OR_KEY, `Trying to nest ${what}`);

function matchRedeemScript(hash: Uint8Array, match: Match, place: Place): string | undefined {
  if (place === 'p2sh') throw nested('P2SH inside another P2SH');
  if (place === 'witness') throw nested('P2SH inside a P2WSH');
  const script = match.redeemScript;
  match.redeemScript = undefined;
  if (!script) return 'missing redeemscript';
  if (!equalBytes(hash160(script), hash)) return 'redeemScript does not match the scriptPubKey';
  match.scripts.push(script);
  return matchScript(script, match, 'p2sh');
}

function matchWitnessScript(program: Uint8Array, match: Match, place: Place): string | undefined {
  if (place === 'witness') throw nested('P2WSH inside another P2WSH');
  const script = match.witnessScript;
  match.witnessScript = undefined;
  if (!script) return 'missing witnessscript';
  if (!equalBytes(hash160(script), toScriptId(program))) {
    return 'witnessScript does not match the scriptPubKey or redeemScript';
  }
  match.scripts.push(script);
  return matchScript(script, match, 'witness');
}
