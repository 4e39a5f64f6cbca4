import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { NetworkName } from '../../../../core/network/networks.ts';
import type { PolicyCheck } from '../../../../core/review/policy.ts';
import { networkTitles } from '../../format.ts';
import type { DocumentView } from '../../protocol.ts';
import { texts } from '../../texts.ts';
import { GoButton } from '../GoButton.tsx';
import { usePage } from '../page.ts';
import { Amount, Card, Select, Title } from '../parts.tsx';
import { SignPanel } from '../SignPanel.tsx';
import { FindingList } from './FindingList.tsx';
import { FlowPicture } from './FlowPicture.tsx';
import { InputList, OutputList } from './MoneyLists.tsx';
import { computeTotals, lockTexts } from './summary.ts';

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
      {review.purpose.kind === 'payment' ? <Summary document={document} /> : <Signs title={review.purpose.title} />}
      {warnings.map((warning) => (
        <p key={warning} class="notice warn">
          {warning}
        </p>
      ))}
      <FindingList
        findings={review.findings}
        isListed={review.inputs.some(({ owner }) => owner.root === 'listed')}
        accepted={accepted}
        onToggle={toggle}
      />
      {isPayment && (
        <>
          <Card title={texts.review.flow}>
            <FlowPicture review={review} network={network} />
          </Card>
          <OutputList review={review} network={network} />
        </>
      )}
      <InputList review={review} network={network} />
      <Card title={isPayment ? texts.review.locks : texts.review.txid}>
        {isPayment && (
          <ul class="plain-list">
            {lockTexts(review).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
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

/** Shows a message or a proof in the place of what a payment moves. */
const Signs = ({ title }: { readonly title: string }): JSX.Element => (
  <section class="card summary" aria-label={texts.review.title}>
    <p class="lead break">{texts.review.signs(title)}</p>
    <p class="help">{texts.review.movesNothing}</p>
  </section>
);

function Summary({ document }: { readonly document: DocumentView }): JSX.Element {
  const { review, network } = document;
  const { paid, paidCount, fee, spent } = computeTotals(review);
  const { feeRate, feeShare, feeTrust, feeReason } = review;
  return (
    <section class="card summary" aria-label={texts.review.title}>
      <dl class="sums">
        {spent !== undefined && (
          <div>
            <dt>{spent < 0n ? texts.review.comes : texts.review.leaves}</dt>
            <dd>
              <Amount sats={spent < 0n ? -spent : spent} network={network} size="large" />
            </dd>
          </div>
        )}
        <div>
          <dt>{texts.review.pays}</dt>
          <dd>
            {paidCount === 0 ? texts.review.noPayments : <Amount sats={paid} network={network} size="large" />}
            {paidCount > 0 && <p class="help">{texts.review.paysTo(paidCount)}</p>}
          </dd>
        </div>
        <div>
          <dt>{texts.review.fee}</dt>
          <dd>
            {fee === undefined ? texts.review.feeUnknown : <Amount sats={fee} network={network} size="large" />}
            <p class="help">
              {feeRate !== undefined &&
                `${texts.review.feeRate(feeRate.toLocaleString('en', { maximumFractionDigits: 1 }))}, `}
              {feeShare && `${texts.review.feeShares[feeShare.of](feeShare.percent.toFixed(2))}, `}
              <strong>{texts.review.trust[feeTrust]}</strong>
            </p>
          </dd>
        </div>
      </dl>
      <p class="help">{texts.review.feeReasons[feeReason]}</p>
    </section>
  );
}
