import { parseHex } from '../../../core/bytes/hex.ts';
import { shownPath } from '../../../core/encoding/redaction.ts';
import { isBtcError } from '../../../core/errors.ts';
import { type Io, readNamedInput } from '../../terminal/io.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { files } from '../options.ts';

export const preimageOptions = {
  'preimage-file': files(
    'preimages of hashes in the scripts, in hex, one on each line; may be given more than once. They go into the PSBT, for everyone who gets it to see',
  ),
};

/** A preimage, and the line that has it, which is safe to show. */
export interface GivenPreimage {
  readonly preimage: Uint8Array;
  readonly place: string;
}

/** More than any script asks for. */
const MOST_LINES = 1000;

/** Quotes no preimage in errors. @throws UsageError */
export async function readPreimages(paths: readonly string[], io: Io): Promise<readonly GivenPreimage[]> {
  if (paths.filter((path) => path === '-').length > 1) throw new UsageError('standard input can be read only once');
  const given: GivenPreimage[] = [];
  for (const path of paths) {
    const content = await readNamedInput('--preimage-file', path, io);
    const name = `--preimage-file: ${path === '-' ? 'standard input' : shownPath(path)}`;
    given.push(...preimagesIn(new TextDecoder().decode(content), name));
  }
  return given;
}

function preimagesIn(text: string, name: string): readonly GivenPreimage[] {
  const lines = text.replace(/^\ufeff/, '').split('\n', MOST_LINES + 1);
  if (lines.length > MOST_LINES) throw new UsageError(`${name} has more than ${MOST_LINES} lines`);
  const preimages = lines.flatMap((line, i) => {
    const digits = line.trim();
    const place = `${name}, line ${i + 1}`;
    if (digits === '') return [];
    if (!/^(?:[0-9a-f]{2})+$/i.test(digits)) throw new UsageError(`${place} is not a preimage in hex`);
    return [{ preimage: parseHex(digits), place }];
  });
  if (preimages.length === 0) throw new UsageError(`${name} holds no preimages`);
  return preimages;
}

/** Names the line of a preimage that no script asks for. */
export function withPlaces<T>(given: readonly GivenPreimage[], work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isBtcError(error, 'argument/invalid')) throw error;
    const { argument, reason } = error.data;
    const place = given.find((_, i) => argument === `preimages[${i}]`)?.place;
    throw place === undefined ? error : new UsageError(`${place} ${reason}`);
  }
}
