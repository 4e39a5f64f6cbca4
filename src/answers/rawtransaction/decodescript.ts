import { scriptHashAddress } from '../../core/address/address.ts';
import { hash160 } from '../../core/crypto/hash.ts';
import { formatDescriptor } from '../../core/descriptors/formatDescriptor.ts';
import { inferDescriptor } from '../../core/descriptors/infer.ts';
import { payToWitness, wrapInWitness } from '../../core/script/build.ts';
import { hasValidOps, isUnspendable } from '../../core/script/instructions.ts';
import { hasOpSuccess } from '../../core/script/opcodeRules.ts';
import { classifyScript, type ScriptTemplate } from '../../core/script/template.ts';
import { parseHexArgument } from '../arguments/argumentValues.ts';
import type { RpcContext } from '../dialect/dialect.ts';
import { method } from '../method/method.ts';
import { hexString } from '../method/parameters.ts';
import type { Draft } from '../method/results.ts';
import { type Answer, maybe, members, text } from '../method/results.ts';
import { addressedDraft, describedDraft, scriptPubKeyDraft } from '../views/scriptJson.ts';
import { scriptPubKeyResult, scriptTypeResult } from '../views/transactionResults.ts';

const decodedScriptResult = members({
  ...scriptTypeResult.members,
  p2sh: maybe(text('the P2SH address of the script')),
  segwit: maybe(
    members(
      { ...scriptPubKeyResult.members, 'p2sh-segwit': text('the P2SH address of this scriptPubKey') },
      'the witness scriptPubKey that wraps the script',
    ),
  ),
});

/** The answer of `decodescript`. */
export type DecodedScriptJson = Answer<typeof decodedScriptResult>;

export const decodescript = method({
  name: 'decodescript',
  category: 'rawtransactions',
  about: 'Shows a script as JSON, with the addresses of its P2SH and segwit forms.',
  params: [hexString('hexstring', 'the script; may be empty')],
  result: decodedScriptResult,
  examples: ['decodescript 76a914...88ac'],
  run: (args, context) => {
    const script = scriptArg(args.hexstring);
    const template = classifyScript(script, context.dialect.templates);
    if (context.dialect.scriptPubKeyShape === 'addresses') {
      return { ...addressedDraft(script, context), ...legacyWrappings(script, template, context) };
    }
    const shown = describedDraft(script, context);
    return canBeWrapped(script, template) ? { ...shown, ...wrappings(script, template, context) } : shown;
  },
});

/** Accepts empty hex, which Core's `IsHex` refuses elsewhere. */
function scriptArg(hex: string): Uint8Array {
  return hex === '' ? new Uint8Array(0) : parseHexArgument('argument', hex);
}

type Wrappings = Pick<Draft<typeof decodedScriptResult>, 'p2sh' | 'segwit'>;

/** Wraps every script but P2SH, as 0.21 does. */
function legacyWrappings(script: Uint8Array, template: ScriptTemplate, context: RpcContext): Wrappings {
  return template.type === 'scripthash' ? {} : wrappings(script, template, context);
}

/** Tells whether the wrapped script could be spent: Core 29 wraps no others. */
function canBeWrapped(script: Uint8Array, { type }: ScriptTemplate): boolean {
  return WRAPPABLE.has(type) && hasValidOps(script) && !isUnspendable(script) && !hasOpSuccess(script);
}

const WRAPPABLE: ReadonlySet<ScriptTemplate['type']> = new Set([
  'multisig',
  'nonstandard',
  'pubkey',
  'pubkeyhash',
  'witness_v0_keyhash',
  'witness_v0_scripthash',
]);

function wrappings(script: Uint8Array, template: ScriptTemplate, context: RpcContext): Wrappings {
  const wrap = (inner: Uint8Array): string => scriptHashAddress(hash160(inner), context.network);
  const segwit = segwitForm(script, template);
  return {
    p2sh: wrap(script),
    segwit: segwit && {
      ...scriptPubKeyDraft(segwit, context),
      desc: describe(segwit, script, context),
      'p2sh-segwit': wrap(segwit),
    },
  };
}

/** Writes the descriptor of a scriptPubKey with the script inside. */
const describe = (scriptPubKey: Uint8Array, script: Uint8Array, { network }: RpcContext): string =>
  formatDescriptor(inferDescriptor(scriptPubKey, { script: () => script }), network);

/** Wraps neither uncompressed keys, which segwit does not allow, nor witness programs, which do not nest. */
function segwitForm(script: Uint8Array, template: ScriptTemplate): Uint8Array | undefined {
  const isCompressed = (pubkey: Uint8Array): boolean => pubkey.length === 33;
  switch (template.type) {
    case 'pubkey':
      return isCompressed(template.pubkey) ? payToWitness(0, hash160(template.pubkey)) : undefined;
    case 'pubkeyhash':
      return payToWitness(0, template.hash);
    case 'multisig':
      return template.pubkeys.every(isCompressed) ? wrapInWitness(script) : undefined;
    case 'nonstandard':
      return wrapInWitness(script);
    default:
      return undefined;
  }
}
