import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { NetworkName } from '../../../../core/network/networks.ts';
import type { ReportLineJson } from '../../../../core/report/reviewJson.ts';
import type { PolicyCheck } from '../../../../core/review/finding.ts';
import { amountText, networkTitles } from '../../format.ts';
import type { DocumentView } from '../../protocol.ts';
import { texts } from '../../texts.ts';
import { GoButton } from '../GoButton.tsx';
import { usePage } from '../page.ts';
import { Amount, Card, Select, Title } from '../parts.tsx';
import { SignPanel } from '../SignPanel.tsx';
import { FindingList } from './FindingList.tsx';
import { InputList, OutputList } from './MoneyLists.tsx';
import { Picture } from './Picture.tsx';
import { isInSummary, satsOf } from './reportLines.ts';
import { Verdict } from './Verdict.tsx';

export function ReviewView(): JSX.Element {
  const { document } = usePage().state;
  if (document) return <Review key={document.txid} document={document} />;
  return (
    <>
      <Title>{texts.review.title}</Title>
      <p class="lead">{texts.review.none}</p>
      <div class="row">
        <GoButton to="open">{texts.open.title}</GoButton>
      </div>
    </>
  );
}

function Review({ document }: { readonly document: DocumentView }): JSX.Element {
  const { change, client, run } = usePage();
  const [accepted, setAccepted] = useState<ReadonlySet<PolicyCheck>>(new Set());
  const { review, network, name, txid, warnings } = document;
  const isPayment = review.purpose.kind === 'payment';
  const toggle = (check: PolicyCheck): void => {
    const next = new Set(accepted);
    if (!next.delete(check)) next.add(check);
    setAccepted(next);
  };
  const setNetwork = (chosen: NetworkName): Promise<void> =>
    run(async () => change({ document: await client.call('setNetwork', [chosen]) }));
  return (
    <>
      <Title>{texts.review.title}</Title>
      <Verdict report={review.report} />
      <Summary document={document} />
      {warnings.map((warning) => (
        <p key={warning} class="notice warn">
          {warning}
        </p>
      ))}
      <FindingList report={review.report} accepted={accepted} onToggle={toggle} />
      {isPayment && (
        <>
          <Card title={texts.review.flow}>
            <Picture pictures={document.pictures} />
          </Card>
          <OutputList review={review} network={network} />
        </>
      )}
      <InputList review={review} network={network} />
      <Card title={texts.review.details}>
        <ul class="plain-list">
          {review.report
            .filter(({ role }) => role === 'signed' || role === 'mined' || role === 'proof')
            .map(({ key, title, text }) => (
              <li key={key}>{title === undefined ? text : `${title}: ${text}`}</li>
            ))}
          {sizeTexts(review).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        <dl class="facts">
          {name !== undefined && (
            <>
              <dt>{texts.review.file}</dt>
              <dd class="break">{name}</dd>
            </>
          )}
          <dt>{texts.review.txid}</dt>
          <dd>
            <code class="break">{txid}</code>
          </dd>
        </dl>
        <Select label={texts.review.network} value={network} options={networkTitles} onChoose={setNetwork} />
      </Card>
      <SignPanel document={document} accepted={accepted} />
    </>
  );
}

/** Shows what leaves, what is paid and the fee, with data and locks, or what is signed in the place of these. */
function Summary({ document: { review, network } }: { readonly document: DocumentView }): JSX.Element {
  return (
    <section class="card summary" aria-label={texts.review.title}>
      <dl class="sums">
        {review.report.filter(isInSummary).map((line) => (
          <div key={`${line.role} ${line.outputIndex}`} data-role={line.role}>
            <dt>{line.title}</dt>
            <dd class="break">
              <Sum line={line} network={network} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Draws the amount of a line large where its words name it. */
function Sum({ line, network }: { readonly line: ReportLineJson; readonly network: NetworkName }): JSX.Element {
  const sats = satsOf(line);
  const amount = sats === undefined ? undefined : amountText(sats, network);
  const at = amount === undefined ? -1 : line.text.indexOf(amount);
  if (sats === undefined || amount === undefined || at < 0) return <>{shortened(line.text)}</>;
  return (
    <>
      {line.text.slice(0, at)}
      <Amount sats={sats} network={network} size="large" />
      <p class="help">{line.text.slice(at + amount.length).replace(/^, /, '')}</p>
    </>
  );
}

/** In characters: an output may carry data by the page. */
const LONGEST_SUM = 120;

function shortened(text: string): string {
  const characters = [...text];
  return characters.length > LONGEST_SUM ? `${characters.slice(0, LONGEST_SUM).join('')} …` : text;
}

const sizeTexts = ({ vsize, version, txVersion }: DocumentView['review']): readonly string[] => [
  ...(vsize === undefined ? [] : [texts.review.size(Math.ceil(vsize))]),
  texts.review.version(version, txVersion),
];
