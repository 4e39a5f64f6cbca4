import fc from 'fast-check';
import { decodePsbtBytes, encodePsbt, formatHex, parseBase64 } from '../../support/library.ts';
import { mostly } from '../scripts/stackItems.ts';
import { base64Of, oddPsbtText, parts } from './plans.ts';
import { type Call, call, junkJson, listText, otherArgs, quote } from './requests.ts';

/** Random calls of `joinpsbts`; some of the transactions spend the same coin. */
export const joining: fc.Arbitrary<Call> = fc
  .tuple(
    fc.array(parts, { minLength: 2, maxLength: 4 }),
    mostly(fc.constant(0), fc.nat({ max: 3 }), 6),
    mostly<string | undefined>(fc.constant(undefined), fc.oneof(oddPsbtText, junkJson), 12),
  )
  .chain(([groups, doubled, odd]) => {
    const psbts = groups.flatMap((group, i) => group.slice(0, i === 0 && doubled === 3 ? 2 : 1));
    const texts = psbts.map((psbt) => quote(base64Of(psbt)));
    const kept = doubled === 1 ? texts.slice(0, 1) : doubled === 2 ? [] : texts;
    const list = listText(odd === undefined ? kept : [...kept, odd]);
    return mostly(
      fc.constant(call('joinpsbts', list)),
      otherArgs([list]).map((args) => call('joinpsbts', ...args)),
      20,
    );
  });

/** A PSBT as text in which the order of its inputs and outputs does not show. */
export function unordered(base64: string): string {
  const { global, inputs, outputs } = decodePsbtBytes(parseBase64(base64), { generation: 'core-0.21', mweb: true });
  const { unsignedTx } = global;
  if (!unsignedTx) throw new Error('no PSBT of version 0');
  const alone = { ...unsignedTx, inputs: [], outputs: [] };
  const textsOf = [
    ...inputs.map((input, i) => ({
      global: { unsignedTx: { ...alone, inputs: unsignedTx.inputs.slice(i, i + 1) } },
      inputs: [input],
      outputs: [],
    })),
    ...outputs.map((output, i) => ({
      global: { unsignedTx: { ...alone, outputs: unsignedTx.outputs.slice(i, i + 1) } },
      inputs: [],
      outputs: [output],
    })),
  ].map((psbt) => formatHex(encodePsbt(psbt)));
  const head = formatHex(encodePsbt({ global: { ...global, unsignedTx: alone }, inputs: [], outputs: [] }));
  return [head, String(base64.length), ...textsOf.sort()].join('\n');
}
