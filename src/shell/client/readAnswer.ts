import { parseFixedPoint } from '../../answers/arguments/amountArgument.ts';
import type { JsonMember, JsonValue } from '../../answers/json/jsonValue.ts';
import type { Result } from '../../answers/method/results.ts';
import { BtcError } from '../../core/errors.ts';

/**
 * Turns JSON into values, with the first of members that have one name: what may be an amount by one of the declarations into satoshi, every other number into a
 * number.
 * @throws BtcError `client/failed` for an amount that is not a number of satoshi
 */
export function readAnswer(value: JsonValue, declared: readonly Result[]): unknown {
  const forms = declared.flatMap(formsOf);
  switch (value.type) {
    case 'null':
      return null;
    case 'bool':
    case 'string':
      return value.value;
    case 'number':
      return forms.some(({ isAmount }) => isAmount) ? parseSats(value.text) : Number(value.text);
    case 'array':
      return value.items.map((each, i) =>
        readAnswer(
          each,
          forms.flatMap(({ item, places = [] }) => item ?? places[i] ?? []),
        ),
      );
    case 'object':
      return Object.fromEntries(
        firstOfEachName(value.members).map(([name, member]) => [
          name,
          readAnswer(
            member,
            forms.flatMap(({ members = {}, entry }) => (Object.hasOwn(members, name) ? members[name] : entry) ?? []),
          ),
        ]),
      );
    default:
      return value satisfies never;
  }
}

/** As `findMember` finds them. */
function firstOfEachName(members: readonly JsonMember[]): readonly JsonMember[] {
  const names = new Set<string>();
  return members.filter(([name]) => names.size < names.add(name).size);
}

const formsOf = (declared: Result): readonly Result[] => declared.alternatives?.flatMap(formsOf) ?? [declared];

function parseSats(text: string): bigint {
  const sats = parseFixedPoint(text);
  if (sats !== undefined) return sats;
  throw new BtcError(
    'client/failed',
    { isPassing: false },
    'The node answers with an amount that is not a number of satoshi',
  );
}
