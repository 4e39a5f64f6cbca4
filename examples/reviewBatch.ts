// Reviews a thousand PSBTs of one wallet, and lists those that must not be signed.
import { accountFromWords, buildPsbt, createHolder, formatPsbt, parsePsbt, reviewPsbt } from 'countersign';
import { coinTxid, destination, seedWords } from './fixtures.ts';

const me = accountFromWords(seedWords, { network: 'regtest' });

/** Makes the PSBTs: every hundredth pays an absurd fee. */
function makePsbts(count: number): readonly string[] {
  const from = me.receive(0);
  const change = me.change(0);
  return Array.from({ length: count }, (_, i) => {
    const coin = { txid: coinTxid, vout: i, value: 500_000n, from };
    const fee = i % 100 === 99 ? 120_000n : 300n;
    return formatPsbt(buildPsbt({ inputs: [coin], outputs: { [destination]: 300_000n }, change, fee }));
  });
}

/** One line of the report. */
interface Verdict {
  readonly line: number;
  readonly fee: bigint | undefined;
  /** The names of the findings that the policy refuses; for a PSBT that cannot be read, why. */
  readonly refused: readonly string[];
}

/** Reviews PSBTs in base64, one by one, so that memory stays bounded; a broken one does not stop the others. */
function* reviewAll(lines: Iterable<string>): Generator<Verdict> {
  let line = 0;
  for (const text of lines) {
    line += 1;
    try {
      const { fee, findings } = reviewPsbt(parsePsbt(text), { holder: createHolder(me.holds) });
      const refused = findings.filter(({ action }) => action === 'refuse').map(({ check }) => check);
      yield { line, fee, refused };
    } catch (error) {
      yield { line, fee: undefined, refused: [error instanceof Error ? error.message : 'not a PSBT'] };
    }
  }
}

const lines = [...makePsbts(1000), 'cHNidP8A'];
export const verdicts = [...reviewAll(lines)];
export const refused = verdicts.filter((verdict) => verdict.refused.length > 0);
