import fc from 'fast-check';
import { bytes, mangled, script, transaction } from '../../support/arbitraries.ts';
import {
  encodeTransaction,
  formatAddress,
  formatHex,
  type Network,
  networks,
  type Transaction,
} from '../../support/library.ts';
import { sha256 } from '../scripts/bytes.ts';
import { mostly } from '../scripts/stackItems.ts';
import {
  type Call,
  call,
  junkJson,
  junkText,
  listText,
  type Members,
  named,
  objectText,
  otherArgs,
  quote,
} from './requests.ts';

/** Random calls of `createpsbt` and `converttopsbt`. */

const REGTEST = networks['litecoin-regtest'];

const goodTxid = bytes(8).map((seed) => quote(formatHex(sha256(seed))));
const oddTxid = fc.oneof(
  fc.constantFrom(
    '""',
    '"ab"',
    quote('0'.repeat(63)),
    quote('0'.repeat(65)),
    quote('z'.repeat(64)),
    quote('é'.repeat(32)),
  ),
  fc.constantFrom(
    quote('0'.repeat(64)),
    quote('AB'.repeat(32)),
    quote(` ${'0'.repeat(63)}`),
    quote(`0x${'0'.repeat(62)}`),
  ),
  junkJson,
);
const ODD_NUMBERS = [
  ...['-1', '-0', '0.0', '1e0', '2147483647', '2147483648', '4294967295', '4294967296', '-2147483649', '"0"', '1e400'],
  ...['0.5', '9223372036854775807', '9223372036854775808', '-9223372036854775808', '4294967293', '4294967294', '1E1'],
];
const oddNumber = mostly(fc.constantFrom(...ODD_NUMBERS), junkJson, 4);
const number = fc.oneof(fc.nat({ max: 9 }), fc.nat({ max: 0x7fff_ffff })).map(String);
const sequence = fc.oneof(fc.constantFrom('4294967295', '4294967294', '4294967293', '0', '1'), number);

/** Draws from `usual`, and about one time in fifteen from `odd`. */
const rarely = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> => mostly(usual, odd, 15);

const inputText: fc.Arbitrary<string> = fc
  .record({
    txid: rarely<string | undefined>(goodTxid, mostly<string | undefined>(oddTxid, fc.constant(undefined), 5)),
    vout: rarely<string | undefined>(number, mostly<string | undefined>(oddNumber, fc.constant(undefined), 5)),
    sequence: fc.oneof(
      { weight: 8, arbitrary: fc.constant(undefined) },
      { weight: 6, arbitrary: sequence },
      { weight: 1, arbitrary: oddNumber },
    ),
    more: rarely(
      fc.constant<Members>([]),
      fc.constantFrom<Members>([['txid', '"00"']], [['height', '1']], [['vout', '1']]),
    ),
    isTurned: fc.boolean(),
  })
  .map(({ more, isTurned, ...members }) => {
    const given = Object.entries(members).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    return objectText([...(isTurned ? given.reverse() : given), ...more]);
  });
const inputsText = rarely(
  fc.array(rarely(inputText, junkJson), { maxLength: 3 }).map(listText),
  fc.oneof(junkJson, inputText),
);

const addressOn = (network: Network): fc.Arbitrary<string> =>
  script.map((scriptPubKey) => formatAddress(scriptPubKey, network) ?? '').filter((text) => text !== '');
const program = (version: number, size: number) =>
  bytes(size).map(
    (data) => formatAddress(Uint8Array.of(version === 0 ? 0 : 0x50 + version, size, ...data), REGTEST) ?? '',
  );
const goodAddress = fc.oneof(program(0, 20), program(0, 32), addressOn(REGTEST));
const oddAddress = fc.oneof(
  fc.constantFrom(...Object.values(networks)).chain(addressOn),
  fc.oneof(
    program(1, 32),
    program(1, 20),
    program(16, 2),
    program(0, 20).map((text) => text.toUpperCase()),
  ),
  fc.tuple(goodAddress, fc.nat({ max: 80 })).map(([text, at]) => text.replace(/./g, (c, i) => (i === at ? 'q' : c))),
  fc.tuple(goodAddress, fc.constantFrom(' ', '\n', '\0')).map(([text, space]) => `${space}${text}`),
  fc.tuple(goodAddress, fc.constantFrom(' ', '\t', '\0', '1')).map(([text, space]) => `${text}${space}`),
  fc.constantFrom('', 'Data', 'data ', 'DATA'),
  junkText,
);

const AMOUNTS = [
  ...['1', '0', '0.00000001', '0.1', '1e-8', '"1"', '"0.5"', '84000000', '1.50000000', '12.345678', '"0.10"', '100e-2'],
];
const ODD_AMOUNTS = [
  ...['-1', '"-1"', '"abc"', '""', '1e-9', '"1e-8"', '0.000000001', '84000000.00000001', '-0', '-0.00000001', '0.00'],
  ...['"0x1"', 'true', 'null', '[]', '{}', '"1."', '".5"', '" 1"', '"1 "', '"+1"', '1e8', '"01"', '1E2', '"1,5"'],
  ...['92233720368.54775807', '92233720368.54775808', '1e400', '"٣"', '100000000000000000000', '1.00000000000', '84e6'],
];
const amount = rarely(
  fc.oneof(
    fc.constantFrom(...AMOUNTS),
    fc.nat({ max: 10_000 }).map((coins) => String(coins / 100)),
  ),
  mostly(fc.constantFrom(...ODD_AMOUNTS), junkJson, 6),
);
const data = rarely(
  bytes(1, 90).map((content) => quote(formatHex(content))),
  fc.oneof(
    fc.constantFrom('""', '"0"', '"zz"', '"AB"', '5', '12', '1.5', 'true', 'null', '" 00"', '"00\\u0000"'),
    junkJson,
  ),
);

const outputMember: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  { weight: 10, arbitrary: fc.tuple(rarely(goodAddress, oddAddress), amount) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('data'), data) },
);
const membersOf = fc.array(outputMember, { maxLength: 4 }).chain((members) =>
  rarely(
    fc.constant(members),
    fc.constantFrom(...members, ['data', '"00"'] as const).map((again) => [...members, again]),
  ),
);
const listedOutputs = rarely(
  membersOf.map((members) => members.map((member) => objectText([member]))),
  fc.tuple(membersOf, junkJson, fc.nat({ max: 4 })).map(([members, odd, at]) => {
    const texts = members.map((member) => objectText([member]));
    return [...texts.slice(0, at), odd, ...texts.slice(at)];
  }),
);
const outputsText = fc.oneof(
  { weight: 7, arbitrary: listedOutputs.map(listText) },
  { weight: 5, arbitrary: membersOf.map(objectText) },
  { weight: 1, arbitrary: fc.tuple(membersOf, membersOf).map(([a, b]) => listText([objectText(a), objectText(b)])) },
  { weight: 1, arbitrary: junkJson },
);

const locktime = rarely(fc.oneof(fc.constantFrom('0', '1', '499999999', '500000000', '4294967295'), number), oddNumber);
const replaceable = rarely(fc.constantFrom('true', 'false', 'null'), junkJson);

const NAMES = ['inputs', 'outputs', 'locktime', 'replaceable'];

export const creation: fc.Arbitrary<Call> = fc
  .tuple(inputsText, outputsText, locktime, replaceable)
  .chain(([inputs, outputs, ...rest]) =>
    fc.nat({ max: 2 }).chain((count) => {
      const args = [inputs, outputs, ...rest.slice(0, count)];
      return rarely(
        fc.constant(call('createpsbt', ...args)),
        fc.oneof(
          otherArgs(args).map((other) => call('createpsbt', ...other)),
          named(NAMES, args).map((params) => ({ method: 'createpsbt', params })),
        ),
      );
    }),
  );

const withoutProofs = (tx: Transaction): Transaction => ({
  ...tx,
  inputs: tx.inputs.map((input) => ({ ...input, scriptSig: new Uint8Array(0), witness: [] })),
});
const wire = fc.oneof(
  { weight: 5, arbitrary: transaction.map((tx) => encodeTransaction(withoutProofs(tx))) },
  { weight: 4, arbitrary: transaction.map((tx) => encodeTransaction(tx)) },
  { weight: 1, arbitrary: transaction.map((tx) => encodeTransaction({ ...withoutProofs(tx), inputs: [] })) },
  { weight: 2, arbitrary: mangled(transaction.map((tx) => encodeTransaction(tx))) },
);
const hexText = rarely(
  wire.map((content) => quote(formatHex(content))),
  fc.oneof(
    junkText.map(quote),
    junkJson,
    wire.map((content) => quote(`${formatHex(content)}0`)),
  ),
);
const flag = rarely(fc.constantFrom('true', 'false'), fc.oneof(fc.constant('null'), junkJson));

export const conversion: fc.Arbitrary<Call> = fc
  .tuple(hexText, flag, flag, fc.nat({ max: 2 }))
  .chain(([hex, permits, isWitness, count]) => {
    const args = [hex, ...[permits, isWitness].slice(0, count)];
    return rarely(
      fc.constant(call('converttopsbt', ...args)),
      fc.oneof(
        otherArgs(args).map((other) => call('converttopsbt', ...other)),
        named(['hexstring', 'permitsigdata', 'iswitness'], args).map((params) => ({ method: 'converttopsbt', params })),
      ),
    );
  });
