import { describe, expect, test } from 'vitest';
import {
  collectKeys,
  encodeMiniscript,
  mapKeys,
  printMiniscript,
} from '../../../../src/core/descriptors/miniscript/index.ts';
import { keyBytes, rootOf } from '../../../support/miniscript.ts';

describe('the keys of an expression', () => {
  test('are listed and mapped in the order of the text', () => {
    const root = rootOf('andor(pk(A),multi(1,B,C),thresh(1,pkh(D),s:pk(A)))');
    expect(collectKeys(root)).toEqual(['A', 'B', 'C', 'D', 'A']);
    const numbered = mapKeys(root, (key) => key.charCodeAt(0) - 64);
    expect(collectKeys(numbered)).toEqual([1, 2, 3, 4, 1]);
    expect(printMiniscript(numbered, String)).toBe('andor(pk(1),multi(1,2,3),thresh(1,pkh(4),s:pk(1)))');
    expect(numbered.type).toEqual(root.type);
  });

  test('are encoded as x-only keys in a tapscript, even if they have 33 bytes', () => {
    const root = rootOf('and_v(v:pkh(A),multi_a(1,B))', 'tapscript');
    expect(encodeMiniscript(root, (name) => keyBytes(name).slice(1))).toEqual(encodeMiniscript(root, keyBytes));
  });
});
