import { expect, test } from 'vitest';
import { methodHelp } from '../../../src/answers/method/help.ts';
import {
  always,
  amount,
  dictionary,
  either,
  flag,
  hex,
  list,
  maybe,
  members,
  nothing,
  numeric,
  oneOf,
  type Result,
  text,
  tuple,
} from '../../../src/answers/method/results.ts';

/** Returns the section of help about a result. */
function resultSection(result: Result): string {
  const help = methodHelp({
    name: 'demo',
    needs: 'nothing',
    category: 'util',
    params: [],
    about: '',
    result,
    examples: [],
  });
  return help.slice(help.indexOf('Result:\n') + 'Result:\n'.length, help.indexOf('\n\nExamples:'));
}

const coin = members({ txid: hex(), value: maybe(amount('if it has one'), { since: 'core-32' }) });

test.each<[string, Result, string]>([
  ['a text', text('the address'), '(string) the address'],
  ['the only values', oneOf(['a', 'b', 'c']), '(string) "a", "b" or "c"'],
  ['the only value', always(true), '(true)'],
  ['a list', list(list(hex()), 'the ids'), '(array of arrays of hex strings) the ids'],
  ['places', list(tuple([text(), maybe(numeric())])), '(array of [string, number (optional)])'],
  ['several types', members({ a: either(text(), list(text())) }), 'a    (string or array of strings)'],
  [
    'an object',
    members({ coin, ok: flag() }),
    `coin    (object)
  txid     (hex)
  value    (amount in coins, optional, since core-32) if it has one
ok      (boolean)`,
  ],
  [
    'a list of objects',
    list(coin),
    `(array of objects)
  txid     (hex)
  value    (amount in coins, optional, since core-32) if it has one`,
  ],
  [
    'alternatives',
    either(coin, nothing('if it is spent')),
    `txid     (hex)
value    (amount in coins, optional, since core-32) if it has one
or
(null) if it is spent`,
  ],
  [
    'a dictionary of alternatives',
    dictionary(
      either(members({ type: oneOf(['old']) }), members({ type: oneOf(['new']), since: numeric() })),
      'by name',
    ),
    `(object of objects) by name
  type    (string) "old"
  or
  type     (string) "new"
  since    (number)`,
  ],
])('help shows %s', (_, result, section) => {
  expect(resultSection(result)).toBe(section);
});
