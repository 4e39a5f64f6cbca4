import { describe, expect, test } from 'vitest';
import {
  findSetting,
  isOn,
  isOnlyDefault,
  leadingInteger,
  listSettings,
  type Setting,
  type Settings,
  settingText,
} from '../../../src/shell/bitcoind/settings.ts';

const text = (value: string): Setting => ({ type: 'string', value });
const OFF: Setting = { type: 'bool', value: false };

interface Given {
  readonly line?: readonly Setting[];
  readonly saved?: Setting;
  readonly section?: readonly Setting[];
  readonly common?: readonly Setting[];
}

function settingsOf({ line, saved, section, common }: Given): Settings {
  const values = (list: readonly Setting[] | undefined) => new Map(list ? [['name', list]] : []);
  return {
    forced: new Map(),
    commandLine: values(line),
    saved: new Map(saved ? [['name', saved]] : []),
    configured: new Map([
      ['regtest', values(section)],
      ['', values(common)],
    ]),
  };
}

const found = (given: Given, reading = {}): string | undefined => {
  const value = findSetting(settingsOf(given), 'name', { section: 'regtest', ...reading });
  return value && settingText(value);
};

const listed = (given: Given, reading = {}): readonly unknown[] =>
  listSettings(settingsOf(given), 'name', { section: 'regtest', ...reading }).map(settingText);

describe('the value of an option', () => {
  test('comes from the command line, settings.json, the section and the file, in this order', () => {
    const all = { line: [text('1')], saved: text('2'), section: [text('3')], common: [text('4')] };
    expect(found(all)).toBe('1');
    expect(found({ ...all, line: [] })).toBe('2');
    expect(found({ section: [text('3')], common: [text('4')] })).toBe('3');
    expect(found({ common: [text('4')] })).toBe('4');
    expect(found({})).toBeUndefined();
  });

  test('is the last of the command line, and the first of a file', () => {
    expect(found({ line: [text('1'), text('2')] })).toBe('2');
    expect(found({ section: [text('1'), text('2')] })).toBe('1');
    expect(found({ section: [text('1'), OFF, text('2'), text('3')] })).toBe('2');
  });

  test('is false if it is negated last, even outside the section where it counts', () => {
    expect(found({ line: [text('1'), OFF], common: [text('2')] })).toBe('0');
    expect(found({ common: [OFF] }, { isSectioned: true })).toBe('0');
    expect(found({ common: [text('2')] }, { isSectioned: true })).toBeUndefined();
  });

  test('is the last of a file for the choice of a chain, which the command line cannot take back', () => {
    const reading = { choosesChain: true };
    expect(found({ common: [text('1'), text('0')] }, reading)).toBe('0');
    expect(found({ line: [OFF], common: [text('1')] }, reading)).toBe('1');
  });
});

describe('the values of an option', () => {
  test('are those of all places, and the items of a list', () => {
    const saved: Setting = { type: 'array', items: [text('2'), text('3')] };
    expect(listed({ line: [text('1')], saved, common: [text('4')] })).toEqual(['1', '2', '3', '4']);
  });

  test('end where one is negated, unless a value follows on the command line', () => {
    expect(listed({ line: [text('1'), OFF], common: [text('2')] })).toEqual([]);
    expect(listed({ line: [text('1'), OFF, text('3')], common: [text('2')] })).toEqual(['3', '2']);
    expect(listed({ section: [text('1')], common: [text('2')] }, { isSectioned: true })).toEqual(['1']);
  });
});

test('an option outside all sections is told from one with another value', () => {
  const isOnly = (given: Given): boolean => isOnlyDefault(settingsOf(given), 'name', 'regtest');
  expect([isOnly({ common: [text('1')] }), isOnly({ common: [text('1')], line: [text('1')] }), isOnly({})]).toEqual([
    true,
    false,
    false,
  ]);
});

test('texts are read as numbers and flags as a node reads them', () => {
  expect(['', '1', '0', 'true', ' 2x', '+3', '+-3', '-4'].map((value) => [isOn(value), leadingInteger(value)])).toEqual(
    [
      [true, 0n],
      [true, 1n],
      [false, 0n],
      [false, 0n],
      [true, 2n],
      [true, 3n],
      [false, 0n],
      [true, -4n],
    ],
  );
});
