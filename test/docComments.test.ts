import { describe, expect, test } from 'vitest';
import { AsyncFunction, exported, IMPORT, importsOf, withExamples } from './support/docExamples.ts';
import { PRELUDE, valuesIn, withChecks } from './support/snippets.ts';
import { typeErrors } from './support/typecheck.ts';

describe('the doc comments of exports', () => {
  test('say something of every export, types included', () => {
    expect(exported.length).toBeGreaterThan(400);
    expect(exported.filter(({ doc }) => doc.trim() === '').map(({ entry, name }) => `${name} of ${entry}`)).toEqual([]);
  });

  test('show an example of every function of the root', () => {
    const missing = exported.filter(({ entry, isFunction, examples }) => {
      return entry === 'countersign' && isFunction && examples.length === 0;
    });
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  test('have examples that compile', () => {
    const modules = [...withExamples].flatMap(([name, { examples }]) =>
      examples.map((code, i) => [`${name}-${i}.ts`, code]),
    );
    expect(typeErrors(Object.fromEntries(modules))).toEqual([]);
  });

  test.each([...withExamples])('show what %s does', async (_, { examples }) => {
    for (const code of examples) {
      const imported = await importsOf(code);
      const body = `${PRELUDE}\n{\n${withChecks(code.replace(IMPORT, ''))}\n}\nreturn checked;`;
      expect(await new AsyncFunction(...imported.keys(), body)(...imported.values())).toBe(valuesIn(code));
      expect(valuesIn(code)).toBeGreaterThan(0);
    }
  });
});
