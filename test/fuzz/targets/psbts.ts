import {
  asNodeWrites,
  combinePsbts,
  decodePsbtBytes,
  encodePsbt,
  encodeTransaction,
  formatPsbt,
  inNodeOrder,
  type Psbt,
  parsePsbt,
  psbtVersion,
  toPsbtV0,
  toPsbtV2,
  unsignedTransaction,
} from '../../support/library.ts';
import { recordsOf } from '../../support/records.ts';
import { mutateBytes, mutateText } from '../mutate.ts';
import { mutatePsbt } from '../psbtRecords.ts';
import { ALL_PSBTS } from '../psbtSeeds.ts';
import { joined, transaction } from '../shapes.ts';
import type { Source } from '../source.ts';
import { attempt, bytesTarget, holds, outcomeOf, same, sameBytes, type Target, textOf, textTarget } from '../target.ts';

const DECODES = ['psbt/', 'bytes/', 'tx/'];
const VERSION_FIELDS = ['psbt/locktime-conflict', 'psbt/field-required', 'psbt/silent-payment', 'psbt/not-v0'];
const GENERATIONS = ['core-0.21', 'core-32', 'bips'] as const;

/** Takes a PSBT and changes its records, its bytes, or its transaction. */
export function anyPsbt(source: Source, seeds: readonly Uint8Array[] = ALL_PSBTS): Uint8Array {
  const good = source.pick(seeds);
  switch (source.next(8)) {
    case 0:
      return good;
    case 1:
      return mutateBytes(source, good, seeds);
    case 2: {
      const tx = encodeTransaction(transaction(source, source.once(6)), { witness: false });
      const size = tx.length < 0xfd ? [tx.length] : [0xfd, tx.length & 0xff, tx.length >> 8];
      return joined(good.slice(0, 5), [1, 0], size, tx, good.slice(-source.next(good.length)));
    }
    default:
      return mutatePsbt(source, good, source.pick(seeds));
  }
}

/** Requires the records of what was encoded to be those that were decoded. */
function checkEncoding(psbt: Psbt, bytes: Uint8Array): void {
  const encoded = encodePsbt(psbt);
  same(textOf(recordsOf(encoded)), textOf(recordsOf(bytes)), 'the encoding has the same records');
  const again = decodePsbtBytes(encoded);
  same(textOf(again), textOf(psbt), 'decoding the encoding gives the same');
  sameBytes(encodePsbt(again), encoded, 'encoding is a fixed point');
  same(textOf(combinePsbts([psbt, psbt]).psbt), textOf(combinePsbts([psbt]).psbt), 'a copy adds nothing');
  const ordered = inNodeOrder(psbt);
  same(textOf(inNodeOrder(ordered)), textOf(ordered), 'the order of a node is a fixed point');
  const written = attempt(VERSION_FIELDS, () => asNodeWrites(psbt));
  if (written) same(textOf(asNodeWrites(written)), textOf(written), 'what a node writes is a fixed point');
}

/** Requires the other version to hold the same transaction. */
function checkVersions(psbt: Psbt): void {
  const tx = attempt(VERSION_FIELDS, () => unsignedTransaction(psbt));
  const other = attempt(VERSION_FIELDS, () => (psbtVersion(psbt) === 0 ? toPsbtV2(psbt) : toPsbtV0(psbt)));
  holds((tx === undefined) === (other === undefined), 'a PSBT has a transaction if it can change its version');
  if (!tx || !other) return;
  encodePsbt(other);
  same(textOf(unsignedTransaction(other)), textOf(tx), 'both versions have the same transaction');
}

function runPsbt(bytes: Uint8Array): void {
  const outcomes = GENERATIONS.map((generation) => outcomeOf(DECODES, () => decodePsbtBytes(bytes, { generation })));
  const [, , newest] = outcomes;
  const psbt = newest && !newest.refusal ? newest.result : undefined;
  if (!psbt) return;
  checkEncoding(psbt, bytes);
  checkVersions(psbt);
  sameBytes(encodePsbt(parsePsbt(bytes)), encodePsbt(decodePsbtBytes(bytes)), 'parsing bytes is decoding them');
}

function runText(text: string): void {
  const psbt = attempt([...DECODES, 'base64/invalid', 'hex/invalid'], () => parsePsbt(text));
  if (!psbt) return;
  for (const encoding of ['base64', 'hex'] as const) {
    const again = parsePsbt(formatPsbt(psbt, encoding));
    same(textOf(again), textOf(psbt), `what is formatted as ${encoding} is parsed`);
  }
}

const TEXTS = ALL_PSBTS.filter((_, i) => i % 7 === 0).flatMap((psbt) => [
  Buffer.from(psbt).toString('base64'),
  Buffer.from(psbt).toString('hex'),
]);

export const PSBT_TARGETS: readonly Target[] = [
  bytesTarget('psbt', { generate: anyPsbt, run: runPsbt }),
  textTarget('psbt-text', {
    generate: (source) => (source.once(8) ? source.pick(TEXTS) : mutateText(source, source.pick(TEXTS), TEXTS)),
    run: runText,
  }),
];
