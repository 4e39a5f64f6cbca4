import fc from 'fast-check';
import { mangled } from '../../support/arbitraries.ts';
import { encodeTransaction, formatHex } from '../../support/library.ts';
import { mostly } from '../scripts/stackItems.ts';
import { oddKeyText } from './keys.ts';
import { argsOf, type Plan, plan } from './plans.ts';
import { type Members, objectText } from './prevtxs.ts';

/** Random calls with invalid parameters, as JSON texts of their `params`. */

/** The arguments of a call, each a JSON text. */
interface Call {
  readonly hex: string;
  readonly privkeys: readonly string[];
  readonly prevtxs: readonly string[];
  /** The remaining arguments. */
  readonly rest: readonly string[];
}

const quote = (text: string): string => JSON.stringify(text);
const junkJson = fc.oneof(
  fc.constantFrom('null', 'true', 'false', '1', '-1.50', '1e5', '[]', '{}', '""', '"00"', '["00"]', '{"txid":1}'),
  fc.json({ maxDepth: 1 }),
);
const junkText = fc.oneof(fc.string({ maxLength: 20 }), fc.string({ unit: 'binary', maxLength: 12 }));

function oddHexText({ unsigned }: Plan): fc.Arbitrary<string> {
  const wire = encodeTransaction(unsigned);
  const hex = formatHex(wire);
  const isHogEx = { ...unsigned, isHogEx: true } as const;
  return fc
    .oneof(
      fc.constantFrom('', '0', 'zz', '00', hex.toUpperCase(), `${hex}00`, ` ${hex}`, `0x${hex}`, `${hex}g`),
      fc.nat({ max: hex.length }).map((size) => hex.slice(0, size)),
      mangled(fc.constant(wire)).map(formatHex),
      fc.constant(formatHex(encodeTransaction({ ...unsigned, inputs: [] }))),
      fc.constant(formatHex(encodeTransaction(isHogEx))),
      junkText,
    )
    .map(quote);
}

/** Unusual values of each field. */
const ODD_VALUES: Readonly<Record<string, readonly string[]>> = {
  txid: ['""', '"ab"', quote('0'.repeat(63)), quote('0'.repeat(65)), quote('z'.repeat(64)), quote('é'.repeat(32))],
  vout: ['-1', '-0', '0.0', '1e0', '2147483647', '2147483648', '4294967295', '-2147483649', '"0"', '1e400', '0.5'],
  scriptPubKey: ['""', '"5"', '"zz"', '"0x51"', '" 51"', '"51 "', '"51"', '"AC"', '"00\\u000000"'],
  redeemScript: ['""', '"5"', '"zz"', '"51"', '7', 'null', '[]', '"0014"'],
  witnessScript: ['""', '"5"', '"zz"', '"51"', '7', 'null', '{}', 'true'],
  amount: [
    ...['-1', '"-1"', '"abc"', '""', '1e-8', '1e-9', '"1e-8"', '0.000000001', '84000000', '84000000.00000001', '-0'],
    ...['"0x1"', 'true', 'null', '[]', '"1."', '".5"', '" 1"', '"1 "', '"+1"', '1e8', '"01"', '1E2', '0.10', '"1,5"'],
    ...['92233720368.54775807', '92233720368.54775808', '1e400', '"٣"', '100000000000000000000', '1.00000000000'],
  ],
};
const MEMBER_NAMES = Object.keys(ODD_VALUES);

/** Makes a prevtx with one field odd, missing or repeated. */
function oddMembers(members: Members): fc.Arbitrary<string> {
  return fc
    .constantFrom(...MEMBER_NAMES)
    .chain((name) => {
      const odd = mostly(fc.constantFrom(...(ODD_VALUES[name] ?? [])), junkJson, 3);
      const others = members.filter(([own]) => own !== name);
      return fc.tuple(fc.constantFrom('put', 'dropped', 'before', 'after'), odd).map(([how, value]): Members => {
        if (how === 'dropped') return others;
        if (how === 'put') return [...others, [name, value]];
        return how === 'before' ? [[name, value], ...members] : [...members, [name, value]];
      });
    })
    .map(objectText);
}

const oddSighashText = fc
  .oneof(
    fc.constantFrom(
      '',
      'all',
      'ALL ',
      ' ALL',
      'DEFAULT',
      'ALL|',
      '|ALL',
      'ANYONECANPAY',
      'ALL|NONE',
      'NONE |ANYONECANPAY',
    ),
    fc.constantFrom(
      'ANYONECANPAY|ALL',
      'ALL|ANYONECANPAY|NONE',
      'DEFAULT|ANYONECANPAY',
      '1',
      'SINGLE|anyonecanpay',
      'Größe',
    ),
    fc.constantFrom('ALL\0', 'A\0B', '\0', '"ALL"', "it's \\ \t\u007f", '𝔸LL'),
    junkText,
  )
  .map(quote);

/** Replaces an element, or appends one. */
function placed(elements: readonly string[], element: string, at: number): readonly string[] {
  const index = at % (elements.length + 1);
  return [...elements.slice(0, index), element, ...elements.slice(index + 1)];
}

/** Puts one fault into a call. */
function faulty(call: Call, good: Plan, members: readonly Members[]): fc.Arbitrary<Call> {
  const at = fc.nat({ max: 5 });
  const oddCoin = fc.oneof(
    junkJson,
    ...members.map((own) => oddMembers(own)),
    ...members.map((own) => oddMembers(own)),
  );
  return fc.oneof(
    { weight: 3, arbitrary: oddHexText(good).map((hex) => ({ ...call, hex })) },
    {
      weight: 4,
      arbitrary: fc.tuple(oddKeyText, at).map(([odd, i]) => ({ ...call, privkeys: placed(call.privkeys, odd, i) })),
    },
    {
      weight: 8,
      arbitrary: fc.tuple(oddCoin, at).map(([odd, i]) => ({ ...call, prevtxs: placed(call.prevtxs, odd, i) })),
    },
    { weight: 3, arbitrary: oddSighashText.map((odd) => ({ ...call, rest: [odd] })) },
    { weight: 1, arbitrary: fc.array(junkJson, { maxLength: 3 }).map((rest) => ({ ...call, rest })) },
  );
}

const textsOf = ({ hex, privkeys, prevtxs, rest }: Call): readonly string[] => [
  hex,
  `[${privkeys.join()}]`,
  `[${prevtxs.join()}]`,
  ...rest,
];

/** Drops trailing arguments, or replaces one with junk. */
function otherArgs(args: readonly string[]): fc.Arbitrary<readonly string[]> {
  return fc.oneof(
    fc.nat({ max: args.length }).map((count) => args.slice(0, count)),
    fc.tuple(fc.nat({ max: 3 }), junkJson).map(([i, odd]) => args.map((arg, own) => (own === i ? odd : arg))),
  );
}

const NAMES = ['hexstring', 'privkeys', 'prevtxs', 'sighashtype'];
const oddNames = fc.oneof(
  fc.constantFrom('hex', 'args', '', 'hexString', 'privkeys ', ...NAMES),
  fc.string({ maxLength: 5 }),
);

/** Makes named arguments; some may be missing, unknown or repeated. */
function named(args: readonly string[]): fc.Arbitrary<string> {
  const members: Members = args.slice(0, NAMES.length).map((arg, i) => [NAMES[i] ?? '', arg]);
  const some = mostly(
    fc.shuffledSubarray([...members], { minLength: members.length }),
    fc.shuffledSubarray([...members]),
    1,
  );
  const more = mostly(fc.constant<Members>([]), fc.array(fc.tuple(oddNames, junkJson), { maxLength: 1 }), 2);
  return fc.tuple(some, more).map((parts) => objectText(parts.flat()));
}

const listed = (args: readonly string[]): string => `[${args.join()}]`;

/** The `params` of a valid call with faults added; few stay valid. */
export const wrongParams: fc.Arbitrary<string> = plan.chain((good) => {
  const [round] = good.rounds;
  if (!round) return fc.constant('[]');
  const [hex = '', , , ...rest] = argsOf(formatHex(encodeTransaction(good.unsigned)), good.coins, {
    ...round,
    changes: [],
  });
  const call: Call = { hex, privkeys: round.privkeys, prevtxs: round.prevtxs.map(objectText), rest };
  const once = faulty(call, good, round.prevtxs);
  const often = mostly(
    once,
    once.chain((other) => faulty(other, good, round.prevtxs)),
    3,
  );
  const args = mostly(often.map(textsOf), otherArgs(textsOf(call)), 7);
  return args.chain((texts) => mostly(fc.constant(listed(texts)), named(texts)));
});
