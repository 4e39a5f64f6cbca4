import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { NetworkName } from '../../../../core/network/networks.ts';
import type { ReportLineJson, ReviewJson } from '../../../../core/report/reviewJson.ts';
import { isSilentPaymentText } from '../../../../core/silentPayments/address.ts';
import { texts } from '../../texts.ts';
import { AddressDialog } from '../AddressDialog.tsx';
import { Amount, Badge, Card, CopyButton, Grouped, useShortened } from '../parts.tsx';
import { addressOf, type Entry, entriesOf, isNamed, satsOf } from './reportLines.ts';

interface ListProps {
  readonly review: ReviewJson;
  readonly network: NetworkName;
}

export function OutputList({ review, network }: ListProps): JSX.Element {
  const entries = entriesOf(review.report, 'output');
  const [shownEntries, more] = useShortened(entries);
  return (
    <Card title={texts.review.outputs(entries.length)}>
      <ul class="money-list">
        {shownEntries.map((entry) => (
          <MoneyItem key={entry.head.outputIndex} entry={entry} review={review} network={network} />
        ))}
      </ul>
      {more}
    </Card>
  );
}

export function InputList({ review, network }: ListProps): JSX.Element {
  const entries = entriesOf(review.report, 'input');
  const [shownEntries, more] = useShortened(entries, 10);
  const title = review.purpose.kind === 'payment' ? texts.review.inputs : texts.review.proven;
  return (
    <Card title={title(entries.length)}>
      <ul class="money-list">
        {shownEntries.map((entry) => (
          <MoneyItem key={entry.head.inputIndex} entry={entry} review={review} network={network} />
        ))}
      </ul>
      {more}
    </Card>
  );
}

const TONES = { good: 'good', warn: 'warn', stop: 'bad', plain: 'plain' } as const;
const LOUDNESS = ['plain', 'good', 'warn', 'stop'] as const;

/** An output or a coin: its badge is as loud as the loudest of its lines. */
function MoneyItem({ entry: { head, notes }, review, network }: ListProps & { readonly entry: Entry }): JSX.Element {
  const { outputIndex, inputIndex } = head;
  const lines = [head, ...notes];
  const loudest = Math.max(...lines.map(({ tone }) => LOUDNESS.indexOf(tone)));
  const tone = LOUDNESS[loudest] ?? 'plain';
  const sats = satsOf(head);
  const badge = outputIndex === undefined ? trustText(lines) : outputTitle(head, review);
  return (
    <li class={tone === 'stop' ? 'money open' : 'money'}>
      <div class="money-head">
        <span>
          {badge !== undefined && <Badge tone={TONES[tone]}>{badge}</Badge>}{' '}
          <span class="help">
            {outputIndex === undefined ? texts.review.input(inputIndex ?? 0) : texts.review.output(outputIndex)}
          </span>
        </span>
        {sats === undefined ? texts.review.unknownAmountShort : <Amount sats={sats} network={network} />}
      </div>
      <Payee line={head} />
      {notes.map((note, i) => (
        <p key={`${note.key} ${i}`} class={`help${note.key === 'outpoint' ? ' break' : ''}`}>
          {noteText(note, review)}
        </p>
      ))}
    </li>
  );
}

/** What an output is; of a false claim what the picture says, as its money goes to whoever made the file. */
const outputTitle = ({ title, outputIndex }: ReportLineJson, { findings }: ReviewJson): string | undefined =>
  findings.some((finding) => finding.check === 'change-refuted' && finding.outputIndex === outputIndex)
    ? texts.review.notYours
    : title;

/** Names findings by their titles, as the page shows no other names of them. */
function noteText({ key, text, data }: ReportLineJson, { report }: ReviewJson): string {
  const { checks } = data as { readonly checks?: readonly string[] };
  if (key !== 'output-refused' || !checks) return text;
  const titleOf = (check: string): string => report.find((line) => line.key === check)?.title ?? check;
  return texts.review.refusedBy(checks.map(titleOf));
}

/** How far the amount of a coin is proven. */
function trustText(lines: readonly ReportLineJson[]): string {
  const trust = lines.find(({ key }) => key === 'owner')?.data['trust'];
  return texts.review.trust[trust === 'proven' || trust === 'claimed' ? trust : 'unknown'];
}

/** Shows what an output pays, or a coin is locked by: an address to compare, with its proven name, or the words of the report. */
function Payee({ line }: { readonly line: ReportLineJson }): JSX.Element {
  const [isComparing, setIsComparing] = useState(false);
  const address = addressOf(line);
  if (address === undefined) return <p class="break">{line.text}</p>;
  const { compare, compareAll } = texts.review;
  return (
    <div class="with-action">
      {isNamed(line) ? <strong class="break">{line.text}</strong> : <Grouped text={address} />}
      <span class="actions">
        <CopyButton text={address} name={address} />
        <button type="button" class="quiet" aria-label={`${compare}: ${address}`} onClick={() => setIsComparing(true)}>
          {isSilentPaymentText(address) ? compareAll : compare}
        </button>
      </span>
      {isComparing && <AddressDialog address={address} onClose={() => setIsComparing(false)} />}
    </div>
  );
}
