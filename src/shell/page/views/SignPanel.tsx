import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { PolicyCheck } from '../../../core/review/finding.ts';
import type { DocumentView, Progress } from '../protocol.ts';
import { texts } from '../texts.ts';
import { GoButton } from './GoButton.tsx';
import { usePage, type ViewName } from './page.ts';
import { Card } from './parts.tsx';

interface SignPanelProps {
  readonly document: DocumentView;
  readonly accepted: ReadonlySet<PolicyCheck>;
}

export function SignPanel({ document, accepted }: SignPanelProps): JSX.Element {
  const { client, run, change, wipe } = usePage();
  const [progress, setProgress] = useState<Progress>();
  const reasonId = useId();
  const { review, final, openReason, signature, canSign, kind, musig2 } = document;
  const refused = [...new Set(review.findings.flatMap(({ check, action }) => (action === 'refuse' ? check : [])))];
  const remaining = refused.filter((check) => !accepted.has(check)).length;
  const sign = (): Promise<void> =>
    run(async () => {
      setProgress({ done: 0, total: review.inputs.length });
      try {
        const overrides = refused.filter((check) => accepted.has(check));
        const signed = await client.call('sign', [overrides], { onProgress: setProgress });
        change({ document: signed, view: 'result' });
      } finally {
        setProgress(undefined);
      }
    });

  if (final || openReason || signature !== undefined) {
    const { completeOpen, completeMessage, complete } = texts.review;
    const text = openReason ? completeOpen : signature === undefined ? complete : completeMessage;
    return <Outcome text={text} button={texts.review.toResult} to="result" />;
  }
  if (kind === 'transaction') {
    return <Outcome text={texts.review.cannotSignRaw} button={texts.tools.inspect} to="inspect" />;
  }
  if (!canSign) {
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
  return (
    <Card title={texts.review.signTitle}>
      {musig2.nonces > 0 && <p class="notice warn">{texts.review.nonces(musig2.nonces)}</p>}
      {musig2.partialSignatures > 0 && <p>{texts.review.partialSignatures(musig2.partialSignatures)}</p>}
      <p id={reasonId} role="status">
        {remaining > 0 && texts.review.needsOverride(remaining)}
      </p>
      {progress ? (
        <SigningProgress progress={progress} onStop={wipe} />
      ) : (
        <button type="button" class="main wide" disabled={remaining > 0} aria-describedby={reasonId} onClick={sign}>
          {texts.review.sign}
        </button>
      )}
    </Card>
  );
}

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
