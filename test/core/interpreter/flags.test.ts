import { describe, expect, test } from 'vitest';
import {
  completeFlags,
  MANDATORY_FLAGS,
  parseScriptFlags,
  SCRIPT_FLAGS,
  STANDARD_FLAGS,
} from '../../support/library.ts';
import { expectRefusal } from '../../support/refusal.ts';

describe('script flags', () => {
  test("are parsed by Core's names, and completed with the flags they require", () => {
    expect([...parseScriptFlags('NONE')]).toEqual([]);
    expect([...parseScriptFlags('')]).toEqual([]);
    expect([...parseScriptFlags('CLEANSTACK')]).toEqual(['CLEANSTACK', 'WITNESS', 'P2SH']);
    expect([...parseScriptFlags('WITNESS,DERSIG')]).toEqual(['WITNESS', 'DERSIG', 'P2SH']);
    expect([...completeFlags(['TAPROOT'])]).toEqual(['TAPROOT']);
    expect(STANDARD_FLAGS.size).toBe(SCRIPT_FLAGS.length - 1);
    expect([...MANDATORY_FLAGS].every((flag) => STANDARD_FLAGS.has(flag))).toBe(true);
  });

  test('with unknown names are refused', () => {
    const known = SCRIPT_FLAGS.join(',');
    expectRefusal(() => parseScriptFlags('P2SH,WITNES'), 'script/flag-unknown', { name: 'WITNES', known });
    expectRefusal(() => parseScriptFlags('P2SH, WITNESS'), 'script/flag-unknown', { name: ' WITNESS', known });
    expectRefusal(() => parseScriptFlags('p2sh'), 'script/flag-unknown', { name: 'p2sh', known });
  });
});
