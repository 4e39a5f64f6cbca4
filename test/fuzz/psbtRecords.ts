import { mutateBytes } from './mutate.ts';
import { joined } from './shapes.ts';
import type { Source } from './source.ts';

// The framing of PSBTs, apart from the codec under test, so that a change of a record keeps the sizes around it right.

interface PsbtRecord {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}
type PsbtMap = readonly PsbtRecord[];

const MAGIC = Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff);

function sized(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  if (length < 0xfd) return joined([length], bytes);
  return length <= 0xffff
    ? joined([0xfd, length & 0xff, length >> 8], bytes)
    : joined([0xfe, length & 0xff, (length >> 8) & 0xff, (length >> 16) & 0xff, length >>> 24], bytes);
}

/** Splits a well-framed PSBT into its maps; undefined for others. */
function splitPsbt(psbt: Uint8Array): readonly PsbtMap[] | undefined {
  const view = new DataView(psbt.buffer, psbt.byteOffset, psbt.length);
  let at = MAGIC.length;
  const take = (): Uint8Array | undefined => {
    const first = psbt[at] ?? 0xff;
    const head = first < 0xfd ? 1 : first === 0xfd ? 3 : 5;
    if (at + head > psbt.length) return undefined;
    const size = first < 0xfd ? first : first === 0xfd ? view.getUint16(at + 1, true) : view.getUint32(at + 1, true);
    at += head + size;
    return at > psbt.length ? undefined : psbt.subarray(at - size, at);
  };
  const maps: PsbtRecord[][] = [[]];
  while (at < psbt.length) {
    const key = take();
    if (!key) return undefined;
    if (key.length === 0) {
      maps.push([]);
      continue;
    }
    const value = take();
    if (!value) return undefined;
    maps.at(-1)?.push({ key, value });
  }
  return maps.slice(0, -1);
}

const joinPsbt = (maps: readonly PsbtMap[]): Uint8Array =>
  joined(
    MAGIC,
    ...maps.flatMap((map) => [...map.flatMap(({ key, value }) => [sized(key), sized(value)]), Uint8Array.of(0)]),
  );

const withMap = (maps: readonly PsbtMap[], at: number, map: PsbtMap): readonly PsbtMap[] =>
  maps.map((old, i) => (i === at ? map : old));

function changeRecords(source: Source, maps: readonly PsbtMap[], donor: readonly PsbtMap[]): readonly PsbtMap[] {
  const at = source.next(maps.length);
  const map = maps[at] ?? [];
  const place = source.next(map.length + 1);
  const record = map[place];
  const other = source.pick(donor.length === 0 ? [map] : donor);
  if (!record || source.once(6)) {
    const added =
      other.length === 0
        ? { key: source.bytes(1 + source.next(3)), value: source.bytes(source.next(9)) }
        : source.pick(other);
    return withMap(maps, at, [...map.slice(0, place), added, ...map.slice(place)]);
  }
  const replaced = (by: PsbtRecord): readonly PsbtMap[] =>
    withMap(
      maps,
      at,
      map.map((old) => (old === record ? by : old)),
    );
  switch (source.next(6)) {
    case 0:
      return withMap(
        maps,
        at,
        map.filter((old) => old !== record),
      );
    case 1:
      return replaced({ key: mutateBytes(source, record.key, [record.key, record.value]), value: record.value });
    case 2:
      return replaced({ key: record.key, value: other.length === 0 ? new Uint8Array(0) : source.pick(other).value });
    case 3:
      return source.once(3) ? maps.filter((_, i) => i !== at) : [...maps.slice(0, at), map, ...maps.slice(at)];
    default:
      return replaced({ key: record.key, value: mutateBytes(source, record.value, [record.value, record.key]) });
  }
}

/** Changes one to three records of a PSBT; `donor`: another, from which records come. */
export function mutatePsbt(source: Source, psbt: Uint8Array, donor: Uint8Array): Uint8Array {
  let maps = splitPsbt(psbt);
  if (!maps || maps.length === 0) return mutateBytes(source, psbt, [donor]);
  const others = splitPsbt(donor) ?? [];
  for (let i = source.next(3); i >= 0 && maps.length > 0; i -= 1) maps = changeRecords(source, maps, others);
  return joinPsbt(maps);
}
