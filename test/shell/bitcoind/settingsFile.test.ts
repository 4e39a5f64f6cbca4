import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { GENERATIONS } from '../../../src/core/generations.ts';
import { readSettingsFile, writeSettingsFile } from '../../../src/shell/bitcoind/settingsFile.ts';

const directory = mkdtempSync(join(tmpdir(), 'countersign-settings-'));
const path = join(directory, 'settings.json');
afterAll(() => rmSync(directory, { recursive: true }));

describe('settings.json', () => {
  test('is read as it was written, without the warning to its readers', () => {
    const settings = new Map([['wallet', { type: 'array', items: [{ type: 'string', value: 'w' }] } as const]]);
    writeSettingsFile(path, settings, 'Bitcoin Core');
    expect(readSettingsFile(path, 'core-32')).toEqual(settings);
  });

  test.each(GENERATIONS)('without valid JSON is refused in the words of %s', (generation) => {
    writeFileSync(path, 'invalid json');
    const words = {
      'core-0.21': `Unable to parse settings file ${path}`,
      'core-29': 'probably caused by disk corruption',
      'core-30': 'probably caused by disk corruption',
      'core-31': 'probably caused by disk corruption',
      'core-32': 'may be caused by a crash, power loss, full disk',
    };
    expect(() => readSettingsFile(path, generation)).toThrow(words[generation]);
  });

  test('with something else than options, or an option twice, is refused', () => {
    writeFileSync(path, '"string"');
    expect(() => readSettingsFile(path, 'core-32')).toThrow('Found non-object value "string" in settings file');
    writeFileSync(path, '{"key": 1, "key": 2}');
    expect(() => readSettingsFile(path, 'core-32')).toThrow('Found duplicate key key in settings file');
  });
});
