import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exists, readFile, writeFile } from '../../../src/shell/terminal/wholeFile.ts';
import { temporaryPaths } from '../../support/temporary.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('readFile', () => {
  const nextPath = temporaryPaths();

  async function contentOf(path: string): Promise<readonly [size: number, sum: number]> {
    let [size, sum] = [0, 0];
    for await (const chunk of readFile(path)) {
      size += chunk.length;
      for (const byte of chunk) sum += byte;
    }
    return [size, sum];
  }

  test.each([0, 1, 1 << 20, (1 << 20) + 1])('reads a file of %i bytes', async (size) => {
    const path = nextPath();
    writeFileSync(path, new Uint8Array(size).fill(3));
    expect(await contentOf(path)).toEqual([size, 3 * size]);
  });

  test('reads what is no regular file', async () => {
    expect(await contentOf('/dev/null')).toEqual([0, 0]);
  });

  test.each([
    ['ENOENT', '/none'],
    ['ENOTDIR', '/file/below'],
    ['EISDIR', ''],
  ])('fails at the first chunk: %s', async (code, name) => {
    const path = nextPath();
    mkdirSync(path);
    writeFileSync(`${path}/file`, 'text');
    await expect(contentOf(path + name)).rejects.toMatchObject({ code });
  });
});

describe('writeFile', () => {
  const nextPath = temporaryPaths();
  const folder = (): string => {
    const path = nextPath();
    mkdirSync(path);
    return path;
  };

  test('writes a file that only its owner can read, and leaves nothing else', async () => {
    const path = folder();
    await writeFile(`${path}/a`, bytes('one'), { overwrites: false });
    expect([readFileSync(`${path}/a`, 'utf8'), statSync(`${path}/a`).mode & 0o777]).toEqual(['one', 0o600]);
    expect(readdirSync(path)).toEqual(['a']);
    expect([await exists(`${path}/a`), await exists(`${path}/b`)]).toEqual([true, false]);
  });

  test('replaces only regular files, and only if it may', async () => {
    const path = folder();
    writeFileSync(`${path}/a`, 'old');
    symlinkSync(`${path}/a`, `${path}/link`);
    mkdirSync(`${path}/directory`);
    const write = (name: string, overwrites: boolean) => writeFile(`${path}/${name}`, bytes('new'), { overwrites });
    await expect(write('a', false)).rejects.toThrow(/exists: pass --force to replace it$/);
    expect(readFileSync(`${path}/a`, 'utf8')).toBe('old');
    for (const name of ['link', 'directory']) {
      await expect(write(name, true)).rejects.toThrow(
        /is not a regular file, and was not replaced: name another file$/,
      );
      await expect(write(name, false)).rejects.toThrow(/exists: /);
    }
    await expect(writeFile('/dev/null', bytes('new'), { overwrites: true })).rejects.toThrow(/is not a regular file/);
    await write('a', true);
    expect(readFileSync(`${path}/a`, 'utf8')).toBe('new');
    await expect(writeFile(`${path}/none/a`, bytes(''), { overwrites: false })).rejects.toThrow(/no such directory$/);
    expect(readdirSync(path).sort()).toEqual(['a', 'directory', 'link']);
  });

  test('lets one of several writers win', async () => {
    const path = `${folder()}/a`;
    const writers = Array.from({ length: 10 }, (_, i) => writeFile(path, bytes(`${i}`), { overwrites: false }));
    const outcomes = await Promise.allSettled(writers);
    const winners = outcomes.flatMap(({ status }, i) => (status === 'fulfilled' ? [`${i}`] : []));
    expect(winners).toEqual([readFileSync(path, 'utf8')]);
  });
});
