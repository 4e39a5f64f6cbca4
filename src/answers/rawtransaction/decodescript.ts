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
import type { Json, Members } from '../json/jsonForm.ts';
import { method } from '../method/method.ts';
import { hexString } from '../method/parameters.ts';
import { type Answer, maybe, members, text } from '../method/results.ts';
import { addressedMembers, describedMembers, scriptPubKeyMembers } from '../views/scriptJson.ts';
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
    const { json } = context;
    const show = (members: Members<DecodedScriptJson>): DecodedScriptJson => json.answer(json.object(members));
    if (context.dialect.scriptPubKeyShape === 'addresses') {
      return show({ ...addressedMembers(script, context), ...legacyWrappings(script, template, context) });
    }
    const { hex: _known, ...shown } = describedMembers(script, context);
    return show(canBeWrapped(script, template) ? { ...shown, ...wrappings(script, template, context) } : shown);
  },
});

/** Accepts empty hex, which Core's `IsHex` refuses elsewhere. */
function scriptArg(hex: string): Uint8Array {
  return hex === '' ? new Uint8Array(0) : parseHexArgument('argument', hex);
}

type Wrappings = Members<Pick<DecodedScriptJson, 'p2sh' | 'segwit'>>;
type SegwitForm = NonNullable<DecodedScriptJson['segwit']>;

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
  const { json } = context;
  const wrap = (inner: Uint8Array): Json<string> => json.text(scriptHashAddress(hash160(inner), context.network));
  const p2sh = wrap(script);
  const segwit = segwitForm(script, template);
  if (!segwit) return { p2sh };
  const segwitMembers = scriptPubKeyMembers(segwit, context, () =>
    formatDescriptor(inferDescriptor(segwit, { script: () => script }), context.network),
  );
  return { p2sh, segwit: json.object<SegwitForm>({ ...segwitMembers, 'p2sh-segwit': wrap(segwit) }) };
}

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
