import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { PolicyCheck } from '../../../core/review/finding.ts';
import type { DocumentView, Progress } from '../protocol.ts';
import { texts } from '../texts.ts';
import { GoButton } from './GoButton.tsx';
import { usePage, type ViewName } from './page.ts';
import { Card } from './parts.tsx';
import { type CheckFindings, findingsOf } from './review/reportLines.ts';

interface SignPanelProps {
  readonly document: DocumentView;
  readonly accepted: ReadonlySet<PolicyCheck>;
}

export function SignPanel({ document, accepted }: SignPanelProps): JSX.Element {
  const { final, openReason, signature, canSign, kind, musig2 } = document;
  if (final || openReason || signature !== undefined) {
    const { completeOpen, completeMessage, complete } = texts.review;
    const text = openReason ? completeOpen : signature === undefined ? complete : completeMessage;
    return <Outcome text={text} button={texts.review.toResult} to="result" />;
  }
  if (kind === 'transaction') {
    return <Outcome text={texts.review.cannotSignRaw} button={texts.tools.inspect} to="inspect" />;
  }
  if (canSign) return <Signing document={document} accepted={accepted} />;
  return (
    <Outcome
      text={musig2.waiting > 0 ? texts.review.noncesWait(musig2.waiting) : texts.review.cannotSign}
      button={texts.review.addKeys}
      to="keys"
    >
      <GoButton to="result" isMain={false}>
        {texts.review.toResult}
      </GoButton>
    </Outcome>
  );
}

function Signing({ document: { review, musig2 }, accepted }: SignPanelProps): JSX.Element {
  const { client, run, change, wipe } = usePage();
  const [progress, setProgress] = useState<Progress>();
  const reasonId = useId();
  const refusals = findingsOf(review.report).filter(({ first }) => first.tone === 'stop');
  const refused = refusals.map(({ first }) => first.key as PolicyCheck);
  const remaining = refused.filter((check) => !accepted.has(check)).length;
  const isAgainst = refused.length > 0;
  const sign = (): Promise<void> =>
    run(async () => {
      setProgress({ done: 0, total: review.inputs.length });
      try {
        const signed = await client.call('sign', [refused], { onProgress: setProgress });
        change({ document: signed, view: 'result' });
      } finally {
        setProgress(undefined);
      }
    });
  return (
    <Card title={texts.review.signTitle}>
      {musig2.nonces > 0 && <p class="notice warn">{texts.review.nonces(musig2.nonces)}</p>}
      {musig2.partialSignatures > 0 && <p>{texts.review.partialSignatures(musig2.partialSignatures)}</p>}
      <div id={reasonId} role="status">
        {remaining > 0 && <p>{texts.review.needsOverride(remaining)}</p>}
        {isAgainst && remaining === 0 && <Risks refusals={refusals} />}
      </div>
      {progress ? (
        <SigningProgress progress={progress} onStop={wipe} />
      ) : (
        <button
          type="button"
          class={isAgainst ? 'danger wide' : 'main wide'}
          disabled={remaining > 0}
          aria-describedby={reasonId}
          onClick={sign}
        >
          {isAgainst ? texts.review.signAnyway : texts.review.sign}
        </button>
      )}
    </Card>
  );
}

/** Says again, at the button, what a signature accepts. */
const Risks = ({ refusals }: { readonly refusals: readonly CheckFindings[] }): JSX.Element => (
  <div class="notice bad">
    <p>{texts.review.accepted(refusals.length)}</p>
    <ul class="plain-list">
      {refusals.map(({ first: { key, title, risk } }) => (
        <li key={key}>
          <strong>{title}.</strong> {risk}
        </li>
      ))}
    </ul>
  </div>
);

interface OutcomeProps {
  readonly text: string;
  readonly button: string;
  readonly to: ViewName;
  readonly children?: JSX.Element;
}

const Outcome = ({ text, button, to, children }: OutcomeProps): JSX.Element => (
  <Card title={texts.review.signTitle}>
    <p>{text}</p>
    <div class="row">
      <GoButton to={to}>{button}</GoButton>
      {children}
    </div>
  </Card>
);

const SigningProgress = ({
  progress: { done, total },
  onStop,
}: {
  readonly progress: Progress;
  readonly onStop: () => void;
}): JSX.Element => (
  <>
    <p role="status">{done > 0 ? texts.review.signingProgress(done, total) : texts.review.signing}</p>
    <progress aria-label={texts.review.signing} value={done > 0 ? done : undefined} max={total} />
    <button type="button" class="quiet" onClick={onStop}>
      {texts.review.stop}
    </button>
  </>
);
