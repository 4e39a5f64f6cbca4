import { bytesKey } from '../../src/core/bytes/compare.ts';
import { unordered } from './corpus.ts';
import { decodePsbtBytes, encodePsbt, equalBytes, formatBase64, formatHex, type Psbt, parseBase64 } from './library.ts';

/** Where PSBTs in two replies differ: the rules by which such a difference is kept on purpose. */

interface Call {
  readonly method: string;
  readonly params: unknown;
  readonly reply: string;
}

/** A reply around its PSBT, and the PSBT. */
interface PsbtReply {
  readonly rest: string;
  readonly psbt: Psbt;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Takes the PSBT out of a reply: the result itself, or its member `psbt`. */
function psbtReply(text: string): PsbtReply | undefined {
  const { result, ...rest } = JSON.parse(text) as { readonly result?: unknown };
  const { psbt, ...others } = isText(result) ? { psbt: result } : { ...(result as { readonly psbt?: unknown }) };
  // Other methods answer with addresses or hex.
  if (!isText(psbt) || !psbt.startsWith('cHNid')) return undefined;
  return { rest: JSON.stringify([rest, others]), psbt: decodePsbtBytes(parseBase64(psbt)) };
}

const textOf = (psbt: Psbt): string => formatBase64(encodePsbt(psbt));

/** Whether two replies are the same once a rule has been applied to Core's PSBT, and differ before. */
function isSameByRule(call: Call, ours: string, rule: (theirs: Psbt, own: Psbt) => Psbt): boolean {
  const [theirs, own] = [psbtReply(call.reply), psbtReply(ours)];
  if (!theirs || !own || theirs.rest !== own.rest || textOf(theirs.psbt) === textOf(own.psbt)) return false;
  return textOf(rule(theirs.psbt, own.psbt)) === textOf(own.psbt);
}

/** Core has added public nonces of MuSig2, and nothing else. */
export function addsOnlyNonces(call: Call, ours: string): boolean {
  const rule = (theirs: Psbt, own: Psbt): Psbt => ({
    ...theirs,
    inputs: theirs.inputs.map(({ musig2PubNonces, ...input }, i) => {
      const held = own.inputs[i]?.musig2PubNonces;
      const names = new Set(held?.map(({ pubNonce }) => bytesKey(pubNonce)));
      const kept = musig2PubNonces?.filter(({ pubNonce }) => names.has(bytesKey(pubNonce)));
      return { ...input, ...(held && kept && { musig2PubNonces: kept }) };
    }),
  });
  return call.method === 'descriptorprocesspsbt' && isSameByRule(call, ours, rule);
}

/** Core has lost extended public keys and proprietary records of the global map, and nothing else. */
export function losesOnlyGlobals(call: Call, ours: string): boolean {
  const [theirs, own] = [psbtReply(call.reply)?.psbt, psbtReply(ours)?.psbt];
  if (call.method !== 'joinpsbts' || !theirs || !own) return false;
  const { xpubs = [], proprietary = [], ...rest } = own.global;
  if (xpubs.length + proprietary.length === 0) return false;
  const without = textOf({ ...own, global: rest });
  return JSON.stringify(unordered(without)) === JSON.stringify(unordered(textOf(theirs)));
}

type Maps = Psbt['inputs'] | Psbt['outputs'];

/**
 * Core has mixed two origins of one key that descriptors give: under the second fingerprint, the second path before the
 * first one.
 */
export function mixesOnlyOrigins(call: Call, ours: string): boolean {
  const given = JSON.stringify(call.params);
  const isGiven = (fingerprint: Uint8Array): boolean => given.includes(`[${formatHex(fingerprint)}`);
  const unmixed = <M extends Maps>(theirs: M, own: Maps): M =>
    theirs.map((map, i) => ({
      ...map,
      ...(map.bip32Derivations && {
        bip32Derivations: map.bip32Derivations.map((record) => {
          const first = own[i]?.bip32Derivations?.find(({ pubkey }) => equalBytes(pubkey, record.pubkey));
          const isMixed =
            first !== undefined &&
            !equalBytes(first.fingerprint, record.fingerprint) &&
            isGiven(first.fingerprint) &&
            isGiven(record.fingerprint) &&
            record.path.length > first.path.length &&
            `${record.path}`.endsWith(`,${first.path}`);
          return isMixed ? first : record;
        }),
      }),
    })) as unknown as M;
  const rule = (theirs: Psbt, own: Psbt): Psbt => ({
    ...theirs,
    inputs: unmixed(theirs.inputs, own.inputs),
    outputs: unmixed(theirs.outputs, own.outputs),
  });
  return ['descriptorprocesspsbt', 'utxoupdatepsbt'].includes(call.method) && isSameByRule(call, ours, rule);
}
