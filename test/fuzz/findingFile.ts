import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './campaign.ts';
import type { Input, Json } from './target.ts';

/** A finding as a file of `vectors/fuzz`. Bytes are in `hex`, other inputs in `input`. */
interface FindingFile {
  readonly target: string;
  /** The law that the case broke when it was found. */
  readonly law: string;
  readonly hex?: string;
  readonly input?: Json;
}

/** Writes a finding into a folder, under the name of its target. @returns the path */
export function writeFinding(folder: string, { target, law, input }: Finding): string {
  const shown = input instanceof Uint8Array ? { hex: Buffer.from(input).toString('hex') } : { input };
  const file: FindingFile = { target, law, ...shown };
  const id = createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 8);
  const path = join(folder, `${target}-${id}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`);
  return path;
}

/** Reads a finding. */
export function readFinding(path: string): { readonly target: string; readonly law: string; readonly input: Input } {
  const { target, law, hex, input = null } = JSON.parse(readFileSync(path, 'utf8')) as FindingFile;
  return { target, law, input: hex === undefined ? input : Uint8Array.from(Buffer.from(hex, 'hex')) };
}
