import { addressRules } from '../../core/address/addressRules.ts';
import { formatHex } from '../../core/bytes/hex.ts';
import { classifyScript, type ScriptTemplate } from '../../core/script/template.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { type Answer, flag, hex, maybe, members, numeric } from '../method/results.ts';

export const addressKindMembers = {
  isscript: maybe(flag('whether it is the hash of a script')),
  iswitness: maybe(flag('whether it is a segwit address')),
  witness_version: maybe(numeric('of a segwit address')),
  witness_program: maybe(hex('of a segwit address')),
  ismweb: maybe(flag('whether it belongs to the extension block'), { onlyInDialect: 'litecoin-0.21' }),
};

const addressKindResult = members(addressKindMembers);

/** The kind of an address. */
export type AddressKindJson = Answer<typeof addressKindResult>;

/** @see Core `DescribeAddress` */
export function addressKind(script: Uint8Array, dialect: Dialect): AddressKindJson {
  const kind = classifyAddress(classifyScript(script, dialect.templates), dialect);
  return dialect.showsMweb ? { ...kind, ismweb: false } : kind;
}

function classifyAddress(template: ScriptTemplate, dialect: Dialect): AddressKindJson {
  switch (template.type) {
    case 'pubkeyhash':
      return { isscript: false, iswitness: false };
    case 'scripthash':
      return { isscript: true, iswitness: false };
    case 'witness_v0_keyhash':
      return { isscript: false, ...witnessMembers(0, template.program) };
    case 'witness_v0_scripthash':
      return { isscript: true, ...witnessMembers(0, template.program) };
    case 'witness_v1_taproot':
      return {
        ...(addressRules[dialect.generation].callsTaprootScript && { isscript: true }),
        ...witnessMembers(1, template.program),
      };
    case 'anchor':
      return { isscript: true, iswitness: true };
    case 'witness_unknown':
      return {
        ...(dialect.classifiesUnknownPrograms && { isscript: false }),
        ...witnessMembers(template.version, template.program),
      };
    default:
      return {};
  }
}

const witnessMembers = (version: number, program: Uint8Array): AddressKindJson => ({
  iswitness: true,
  witness_version: version,
  witness_program: formatHex(program),
});
