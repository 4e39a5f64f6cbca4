import { assertBytes } from '../bytes/assertBytes.ts';
import { bytesKey, equalBytes } from '../bytes/compare.ts';
import { assertList, invalidOption } from '../bytes/knownOptions.ts';
import { hash160, ripemd160, sha256, sha256d } from '../crypto/hash.ts';
import { listPushes } from '../script/instructions.ts';
import { isFinal } from './format/nodeOrder.ts';
import type { HashPreimage, Psbt, PsbtInput } from './format/types.ts';

const HASHES = [
  ['ripemd160Preimages', ripemd160],
  ['sha256Preimages', sha256],
  ['hash160Preimages', hash160],
  ['hash256Preimages', sha256d],
] as const;

/**
 * Adds preimages to the inputs whose scripts have their hashes.
 * @throws `argument/invalid` for one that no script asks for
 * @see BIP174 PSBT_IN_RIPEMD160, PSBT_IN_SHA256, PSBT_IN_HASH160, PSBT_IN_HASH256
 */
export function addPreimages(psbt: Psbt, preimages: readonly Uint8Array[]): Psbt {
  assertList('preimages', preimages);
  const records = preimages.flatMap((preimage, i) => {
    assertBytes(`preimages[${i}]`, preimage);
    return HASHES.map(([name, digest]) => ({ name, record: { hash: digest(preimage), preimage } }));
  });
  const used = new Set<Uint8Array>();
  const inputs = psbt.inputs.map((input) => {
    if (isFinal(input)) return input;
    const pushed = new Set(scriptsIn(input).flatMap(pushNames));
    const wanted = records.filter(({ record }) => pushed.has(bytesKey(record.hash)));
    for (const { record } of wanted) used.add(record.preimage);
    return { ...input, ...Object.fromEntries(HASHES.flatMap(([name]) => recordsOf(name, wanted, input))) };
  });
  const unused = preimages.findIndex((preimage) => !used.has(preimage));
  if (unused < 0) return { ...psbt, inputs };
  throw invalidOption(`preimages[${unused}]`, 'has none of the hashes in the scripts of the PSBT');
}

type RecordName = (typeof HASHES)[number][0];

function recordsOf(
  name: RecordName,
  wanted: readonly { readonly name: RecordName; readonly record: HashPreimage }[],
  { [name]: held = [] }: PsbtInput,
): readonly (readonly [RecordName, readonly HashPreimage[]])[] {
  const added = wanted.flatMap((each) => (each.name === name ? [each.record] : []));
  if (added.length === 0) return [];
  const others = held.filter(({ hash }) => !added.some((each) => equalBytes(each.hash, hash)));
  return [[name, [...others, ...added]]];
}

const scriptsIn = ({ redeemScript, witnessScript, tapLeafScripts = [] }: PsbtInput): readonly Uint8Array[] =>
  [redeemScript, witnessScript, ...tapLeafScripts.map(({ script }) => script)].flatMap((script) => script ?? []);

const pushNames = (script: Uint8Array): readonly string[] => listPushes(script).map((data) => bytesKey(data));
