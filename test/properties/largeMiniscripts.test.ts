import { expect, test } from 'vitest';
import {
  decodeMiniscript,
  encodeMiniscript,
  findFault,
  mapKeys,
  printMiniscript,
  satisfy,
} from '../../src/core/descriptors/miniscript/index.ts';
import { rounds } from '../support/campaign.ts';
import { formatHex } from '../support/library.ts';
import { asIs, keyBytes, rootOf } from '../support/miniscript.ts';

/** Shortens the longest expression that a script may hold, which takes a second for each of several steps. */
const repeat = (text: string, most: number): string => text.repeat(rounds(most));

test('a large expression is parsed, encoded and decoded at any depth', () => {
  const texts = [
    `${repeat('n', 329_481)}:1`,
    `${repeat('or_i(0,', 82_370)}1${repeat(')', 82_370)}`,
    `thresh(1,0${repeat(',a:0', 82_369)})`,
    `thresh(2,pk(A)${repeat(',sdv:older(1)', 41_000)})`,
    `${repeat('and_v(v:1,', 164_740)}1${repeat(')', 164_740)}`,
  ];
  for (const text of texts) {
    const root = rootOf(text, 'tapscript');
    const script = encodeMiniscript(root, keyBytes);
    expect(script.length).toBe(root.scriptSize);
    expect(printMiniscript(root, asIs).length).toBeLessThanOrEqual(text.length);
    expect(findFault(root, asIs)).toBeDefined();
    const decoded = decodeMiniscript(script, () => undefined, 'tapscript');
    const same = decoded && mapKeys(decoded, (key) => key.slice());
    // As hex: comparing byte arrays would take seconds.
    expect(same && formatHex(encodeMiniscript(same, (key) => key))).toBe(formatHex(script));
    expect(
      decoded && satisfy(decoded, { sign: () => new Uint8Array(64), preimage: () => undefined, isMet: () => true }),
    ).toBeUndefined();
  }
});
