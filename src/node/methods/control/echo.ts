import { fromJsonValue } from '../../../answers/json/exactNumbers.ts';
import { JSON_NULL, type JsonValue } from '../../../answers/json/jsonValue.ts';
import { optional, string, unread } from '../../../answers/method/parameters.ts';
import { list, typed } from '../../../answers/method/results.ts';
import { nodeMethod } from '../context.ts';

const argument = <const N extends string>(name: N) =>
  optional(unread<N, unknown>(string(name, '', { isUnchecked: true })));

const PARAMS = [
  argument('arg0'),
  argument('arg1'),
  argument('arg2'),
  argument('arg3'),
  argument('arg4'),
  argument('arg5'),
  argument('arg6'),
  argument('arg7'),
  argument('arg8'),
  argument('arg9'),
] as const;

const echoMethod = <const N extends 'echo' | 'echojson'>(name: N) =>
  nodeMethod({
    name,
    category: 'hidden',
    checksLate: true,
    about: 'Returns its arguments, for tests of clients.',
    params: PARAMS,
    result: list(typed<object>('an argument')),
    examples: [`${name} 1 2`],
    run: (args) => {
      const given = PARAMS.map(({ name: at }): JsonValue | undefined => args[at]);
      const count = given.reduce((last, value, i) => (value === undefined ? last : i + 1), 0);
      const items = given.slice(0, count).map((value) => value ?? JSON_NULL);
      return fromJsonValue({ type: 'array', items }) as readonly object[];
    },
  });

export const echo = echoMethod('echo');
export const echojson = echoMethod('echojson');
