import { normalize } from 'node:path';
import type { FindOption } from './optionTable.ts';
import { findSetting, isOn, leadingInteger, listSettings, type Settings, settingText } from './settings.ts';

/** Reads options by name. @see Bitcoin Core `ArgsManager` */
export interface Options {
  readonly settings: Settings;
  readonly section: string;
  readonly isSet: (name: string) => boolean;
  /** True for `-noname`, and false in the settings. */
  readonly isNegated: (name: string) => boolean;
  readonly text: (name: string) => string | undefined;
  readonly flag: <T extends boolean | undefined>(name: string, otherwise: T) => boolean | T;
  readonly integer: (name: string) => number | undefined;
  readonly list: (name: string) => readonly string[];
  /** Returns the empty path for `-noname`. */
  readonly path: (name: string, otherwise: string) => string;
}

/** Core's numbers have 64 bits, and are cut to them. */
const clamped = (value: number): number => Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value));

/** `section`: the name of the chain, empty until it is known. */
export function readOptions(settings: Settings, section: string, find: FindOption): Options {
  const reading = (name: string) => ({
    section,
    isSectioned: find(name)?.isSectioned === true && section !== 'main',
  });
  const setting = (name: string) => {
    const value = findSetting(settings, name, reading(name));
    return value?.type === 'null' ? undefined : value;
  };
  const text = (name: string): string | undefined => {
    const value = setting(name);
    return value && settingText(value);
  };
  const isNegated = (name: string): boolean => {
    const value = setting(name);
    return value?.type === 'bool' && !value.value;
  };
  return {
    settings,
    section,
    isSet: (name) => setting(name) !== undefined,
    isNegated,
    text,
    flag: (name, otherwise) => {
      const value = text(name);
      return value === undefined ? otherwise : isOn(value);
    },
    integer: (name) => {
      const value = text(name);
      return value === undefined ? undefined : clamped(Number(leadingInteger(value)));
    },
    list: (name) => listSettings(settings, name, reading(name)).flatMap((value) => settingText(value) ?? []),
    path: (name, otherwise) => {
      if (isNegated(name)) return '';
      const value = text(name) ?? '';
      return value === '' ? otherwise : withoutLastSlash(normalize(value));
    },
  };
}

const withoutLastSlash = (path: string): string => (path.length > 1 ? path.replace(/[/\\]$/, '') : path);
