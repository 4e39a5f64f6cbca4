import { hash160 } from '../../../core/crypto/hash.ts';
import { payToPubkeyHash, payToWitness } from '../../../core/script/build.ts';
import { classifyScript, type ScriptTemplate, type TemplateRules } from '../../../core/script/template.ts';
import { toScriptId } from '../../../core/script/unwrap.ts';
import type { Ownership } from './keyStore.ts';

/** @see Bitcoin Core 0.21 `IsMineSigVersion` */
type Place = 'top' | 'p2sh' | 'witness';

/** An `invalid` script is never the wallet's, even if watched. @see Bitcoin Core 0.21 `IsMineResult` */
type Rank = Ownership | 'invalid';

/** Hashes are HASH160. */
export interface OwnershipFacts {
  readonly templates: TemplateRules;
  readonly hasKey: (hash: Uint8Array) => boolean;
  readonly isWatched: (script: Uint8Array) => boolean;
  readonly findPublicKey: (hash: Uint8Array) => Uint8Array | undefined;
  readonly findScript: (hash: Uint8Array) => Uint8Array | undefined;
  /** True if every known redeem or witness script counts as the wallet's own. */
  readonly ownsKnownScripts?: true;
}

/** Ranks a scriptPubKey. @see Bitcoin Core 0.21 `IsMine` */
export function ownershipRank(script: Uint8Array, facts: OwnershipFacts): Rank {
  return scriptRank(script, 'top', facts);
}

/** @see Bitcoin Core 0.21 `IsMineInner` */
function scriptRank(script: Uint8Array, place: Place, facts: OwnershipFacts): Rank {
  const template = classifyScript(script, facts.templates);
  const rank = templateRank(template, place, facts);
  return rank === 'no' && facts.isWatched(script) ? 'watched' : rank;
}

function templateRank(template: ScriptTemplate, place: Place, facts: OwnershipFacts): Rank {
  if (isInvalidIn(place, template, facts)) return 'invalid';
  switch (template.type) {
    case 'pubkey':
      return keyRank(hash160(template.pubkey), facts);
    case 'pubkeyhash':
      return keyRank(template.hash, facts);
    case 'multisig':
      return place !== 'top' && template.pubkeys.every((key) => facts.hasKey(hash160(key))) ? 'own' : 'no';
    case 'scripthash':
      return rankInside(template.hash, 'p2sh', facts);
    case 'witness_v0_keyhash':
      if (place === 'top' && !hasProgramScript(template.program, facts)) return 'no';
      return scriptRank(payToPubkeyHash(template.program), 'witness', facts);
    case 'witness_v0_scripthash':
      if (place === 'top' && !hasProgramScript(template.program, facts)) return 'no';
      return rankInside(toScriptId(template.program), 'witness', facts);
    default:
      return 'no';
  }
}

/** Rejects uncompressed keys in witnesses and improperly nested wrappers, which can never be spent. */
function isInvalidIn(place: Place, template: ScriptTemplate, { findPublicKey }: OwnershipFacts): boolean {
  if (template.type === 'scripthash') return place !== 'top';
  if (place !== 'witness') return false;
  switch (template.type) {
    case 'pubkey':
      return template.pubkey.length !== 33;
    case 'pubkeyhash':
      return (findPublicKey(template.hash)?.length ?? 33) !== 33;
    case 'multisig':
      return template.pubkeys.some(({ length }) => length !== 33);
    default:
      return template.type === 'witness_v0_keyhash' || template.type === 'witness_v0_scripthash';
  }
}

const keyRank = (hash: Uint8Array, { hasKey }: OwnershipFacts): Rank => (hasKey(hash) ? 'own' : 'no');

function rankInside(hash: Uint8Array, place: Place, facts: OwnershipFacts): Rank {
  const script = facts.findScript(hash);
  if (!script) return 'no';
  return facts.ownsKnownScripts ? 'own' : scriptRank(script, place, facts);
}

/** Tells whether the witness program itself is a known script: other bare witness outputs are not the wallet's. */
const hasProgramScript = (program: Uint8Array, { findScript }: OwnershipFacts): boolean =>
  findScript(hash160(payToWitness(0, program))) !== undefined;
