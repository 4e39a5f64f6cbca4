import { OP, parseHex } from './library.ts';

/** Older test files use the names that two opcodes had before their soft forks. */
const OLD_NAMES = { NOP2: OP.CHECKLOCKTIMEVERIFY, NOP3: OP.CHECKSEQUENCEVERIFY };

const OPCODES: ReadonlyMap<string, number> = new Map(
  Object.entries({ ...OP, ...OLD_NAMES })
    .filter(([, opcode]) => opcode >= OP.NOP || opcode === OP.RESERVED)
    .flatMap(([name, opcode]) => [
      [name, opcode],
      [`OP_${name}`, opcode],
    ]),
);

/** Parses the script notation of Core's test files: numbers, raw `0x…`, quoted text, opcodes with or without `OP_`. */
export function parseScriptText(text: string): Uint8Array {
  return Uint8Array.from(text.split(/\s+/).filter(Boolean).flatMap(wordBytes));
}

function wordBytes(word: string): readonly number[] {
  if (/^-?[0-9]+$/.test(word)) return numberBytes(BigInt(word));
  if (word.startsWith('0x')) return [...parseHex(word.slice(2))];
  if (word.startsWith("'")) return pushBytes([...new TextEncoder().encode(word.slice(1, -1))]);
  const opcode = OPCODES.get(word);
  if (opcode === undefined) throw new Error(`no opcode ${word}`);
  return [opcode];
}

function numberBytes(value: bigint): readonly number[] {
  if (value === -1n || (value >= 1n && value <= 16n)) return [OP.RESERVED + Number(value)];
  const bytes: number[] = [];
  for (let rest = value < 0n ? -value : value; rest > 0n; rest >>= 8n) bytes.push(Number(rest & 0xffn));
  if ((bytes.at(-1) ?? 0) > 0x7f) bytes.push(0);
  const last = bytes.pop();
  if (last === undefined) return [0];
  return pushBytes([...bytes, value < 0n ? last | 0x80 : last]);
}

function pushBytes(data: readonly number[]): readonly number[] {
  const size = data.length;
  if (size < OP.PUSHDATA1) return [size, ...data];
  return size <= 0xff ? [OP.PUSHDATA1, size, ...data] : [OP.PUSHDATA2, size & 0xff, size >> 8, ...data];
}
