import { isBytes } from '../../bytes/assertBytes.ts';
import { bytesKey, concatBytes, equalBytes } from '../../bytes/compare.ts';
import { BtcError, type PsbtMapKind } from '../../errors.ts';
import { encodeTransaction } from '../../tx/codec.ts';
import type { TxOut } from '../../tx/types.ts';
import type { MapData } from '../format/fieldRules.ts';
import { encodePart, MAP_ROWS, psbtVersion } from '../format/fields.ts';
import { readWitnessUtxo } from '../format/inputCoin.ts';
import { type AnyPsbt, readPsbts } from '../format/parsePsbt.ts';
import type { Psbt, UnknownRecord } from '../format/types.ts';
import { mergedFlags, unsignedTransaction } from '../format/version.ts';

/** A record in which two PSBTs differ: the first value is kept. */
export interface Conflict {
  /** Index of the PSBT whose record was dropped. */
  readonly psbt: number;
  readonly map: PsbtMapKind;
  readonly index: number;
  readonly field: string;
}

/** The combined PSBT, and the records in which its sources differ. */
export interface CombinedPsbt {
  readonly psbt: Psbt;
  readonly conflicts: readonly Conflict[];
}

/**
 * Merges PSBTs for one transaction, unknown records included. Where two differ, keeps the first record and reports a
 * conflict.
 * @throws `psbt/different` if versions or transactions differ; `psbt/empty`, `psbt/locktime-conflict`,
 * `psbt/field-required`
 * @see BIP174 "Combiner", BIP370 and BIP375 "Unique Identification"
 *
 * @example
 * ```ts
 * import { accountFromWords, buildPsbt, combinePsbts, updateWith } from 'countersign';
 *
 * const me = accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
 * const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
 * const payments = { [me.receive(1).address]: 60_000n };
 * const psbt = buildPsbt({ inputs: [coin], outputs: payments, change: me.change(0), feeRate: 2 });
 * combinePsbts([psbt, updateWith(me, psbt)]).conflicts.length; // 0
 * ```
 */
export function combinePsbts(psbts: readonly AnyPsbt[]): CombinedPsbt {
  const [first, ...others] = readPsbts(psbts);
  if (!first) throw new BtcError('psbt/empty', {}, 'Pass at least one PSBT');
  if (others.length === 0) return { psbt: first, conflicts: [] };
  const conflicts: Conflict[] = [];
  const id = identification(first);
  const combined = others.reduce((into, other, i) => {
    const position = i + 1;
    if (!equalBytes(identification(other), id)) {
      const message = `PSBT ${position} has a different transaction or version from PSBT 0: combine copies of one PSBT only`;
      throw new BtcError('psbt/different', { psbt: position }, message);
    }
    return merge(into, other, (map, index, field) => conflicts.push({ psbt: position, map, index, field }));
  }, first);
  return { psbt: combined, conflicts };
}

/**
 * Returns bytes that identify a transaction: version 2 leaves out sequences, and has addresses of silent payments in the
 * place of scripts.
 * @see BIP370, BIP375 "Unique Identification"
 */
function identification(psbt: Psbt): Uint8Array {
  const version = psbtVersion(psbt);
  const outputs = psbt.outputs.map(({ spV0Info, ...output }) =>
    spV0Info ? { ...output, script: concatBytes(Uint8Array.of(0), spV0Info.scanKey, spV0Info.spendKey) } : output,
  );
  const tx = unsignedTransaction({ ...psbt, outputs });
  const inputs = version < 2 ? tx.inputs : tx.inputs.map((input) => ({ ...input, sequence: 0 }));
  const bytes = encodeTransaction({ ...tx, inputs });
  return concatBytes(Uint8Array.of(version), bytes);
}

type Report = (map: PsbtMapKind, index: number, field: string) => void;

function merge(into: Psbt, other: Psbt, report: Report): Psbt {
  const ofGlobal = mergeMaps('global', [into.global, other.global], (field) => report('global', 0, field));
  return {
    global: { ...ofGlobal, ...mergedFlags(into.global, other.global) },
    inputs: into.inputs.map((input, i) =>
      mergeMaps('input', [input, other.inputs[i] ?? {}], (field) => report('input', i, field)),
    ),
    outputs: into.outputs.map((output, i) =>
      mergeMaps('output', [output, other.outputs[i] ?? {}], (field) => report('output', i, field)),
    ),
  };
}

/** Members with a rule of their own, or equal in all PSBTs. */
const MERGED_APART: ReadonlySet<string> = new Set(['unsignedTx', 'txModifiable', 'version']);

/** Adds the records of the second map to those of the first, and reports each conflict. */
export function mergeMaps<M extends object>(
  kind: PsbtMapKind,
  maps: readonly [M, M],
  report: (field: string) => void = () => {},
): M {
  const [a, b] = maps as readonly [MapData, MapData];
  const merged: MapData = { ...a };
  for (const { name, key, value } of MAP_ROWS[kind].rows) {
    const theirs = b[name];
    const ours = a[name];
    if (theirs === undefined || theirs === ours || MERGED_APART.has(name)) continue;
    if (key) {
      const entries = mergeEntries((ours ?? []) as readonly unknown[], theirs as readonly unknown[], {
        toKey: (entry) => bytesKey(encodePart(key, entry)),
        toValue: (entry) => bytesKey(encodePart(value, entry)),
        onConflict: () => report(name),
      });
      merged[name] = entries;
    } else if (ours === undefined || isNothing(name, ours)) merged[name] = theirs;
    else if (!isNothing(name, theirs) && !equalBytes(encodePart(value, ours), encodePart(value, theirs))) report(name);
  }
  if (b.unknown) {
    merged.unknown = [
      ...mergeEntries<UnknownRecord>(a.unknown ?? [], b.unknown, {
        toKey: ({ key }) => bytesKey(key),
        toValue: ({ value }) => bytesKey(value),
        onConflict: () => report('unknown'),
      }),
    ];
  }
  return merged as M;
}

/** Treats empty values and null coins as absent. */
function isNothing(name: string, value: unknown): boolean {
  if (name === 'witnessUtxo') return !readWitnessUtxo({ witnessUtxo: value as TxOut });
  return (isBytes(value) || Array.isArray(value)) && value.length === 0;
}

interface EntryRules<T> {
  readonly toKey: (entry: T) => string;
  readonly toValue: (entry: T) => string;
  readonly onConflict: () => void;
}

function mergeEntries<T>(ours: readonly T[], theirs: readonly T[], rules: EntryRules<T>): readonly T[] {
  const byKey = new Map(ours.map((entry) => [rules.toKey(entry), entry]));
  for (const entry of theirs) {
    const key = rules.toKey(entry);
    const existing = byKey.get(key);
    if (existing === undefined) byKey.set(key, entry);
    else if (rules.toValue(existing) !== rules.toValue(entry)) rules.onConflict();
  }
  return [...byKey.values()];
}
