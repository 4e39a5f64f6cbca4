import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { nextStepWords, OPEN_WORDS } from '../../../core/job/jobWords.ts';
import type { DocumentView } from '../protocol.ts';
import { sentence } from '../refusals.ts';
import { texts } from '../texts.ts';
import { Exporter } from './Exporter.tsx';
import { Opener } from './Opener.tsx';
import { usePage } from './page.ts';
import { Card, CopyButton, Segments, Title } from './parts.tsx';

export function ResultView(): JSX.Element {
  const { document } = usePage().state;
  if (document) return <Result document={document} />;
  return (
    <>
      <Title>{texts.result.title}</Title>
      <p class="lead">{texts.review.none}</p>
    </>
  );
}

type Subject = 'psbt' | 'transaction';

function Result({ document }: { readonly document: DocumentView }): JSX.Element {
  const { final, openReason, signature, progress, kind, review, parts, txid } = document;
  const [chosen, setChosen] = useState<Subject>();
  const subject = kind === 'transaction' ? 'transaction' : (chosen ?? (final && !openReason ? 'transaction' : 'psbt'));
  const isReady = signature !== undefined || (final !== undefined && !openReason);
  const signatures = review.inputs.reduce((sum, input) => sum + input.signatures.length + Number(input.isFinal), 0);
  const [heading, lead] = headingFor(document, signatures);
  return (
    <>
      <Title key={parts}>{heading}</Title>
      <p class="lead">{lead}</p>
      <Card title={texts.result.progress} {...(isReady && { tone: 'good' })}>
        <dl class="facts">
          <CopiedFact
            name={signature === undefined ? texts.result.txid : texts.result.signature}
            text={signature ?? final?.txid ?? txid}
          />
          {final && (
            <>
              <dt>{texts.result.size}</dt>
              <dd>{texts.result.vbytes(final.vsize)}</dd>
            </>
          )}
        </dl>
        {parts > 1 && <p>{texts.open.combined(parts)}</p>}
        <ProgressLines lines={progress} />
      </Card>
      <Card title={texts.result.what}>
        {final && kind === 'psbt' && (
          <Segments
            label={texts.result.which}
            value={subject}
            options={[
              ['transaction', texts.result.transaction],
              ['psbt', texts.result.psbt],
            ]}
            onChoose={setChosen}
          />
        )}
        <Exporter form={{ kind: subject }} version={`${parts} ${signatures} ${final?.hex.length}`} />
      </Card>
      {!isReady && (
        <Card title={texts.open.combine}>
          <p>{texts.open.combineIntro}</p>
          <Opener />
        </Card>
      )}
    </>
  );
}

const CopiedFact = ({ name, text }: { readonly name: string; readonly text: string }): JSX.Element => (
  <>
    <dt>{name}</dt>
    <dd class="with-action">
      <code class="break">{text}</code>
      <CopyButton text={text} name={name} />
    </dd>
  </>
);

function headingFor(
  { final, openReason, nextStep, signature, musig2 }: DocumentView,
  signatures: number,
): readonly [string, string] {
  const { result } = texts;
  if (openReason) {
    const { what, next } = OPEN_WORDS[openReason];
    return [result.open, `${sentence(what)} ${sentence(next('the PSBT'))}`];
  }
  if (signature !== undefined) return [result.message, result.messageHelp];
  if (final) return [result.final, result.finalHelp];
  if (musig2.waiting > 0) return [result.nonces, texts.review.noncesWait(musig2.waiting)];
  return [signatures > 0 ? result.partial : result.partialNone, helpText(nextStep)];
}

const helpText = (step: DocumentView['nextStep']): string =>
  step ? sentence(nextStepWords(step).text) : texts.result.partialHelp;

const LINES_SHOWN = 20;

function ProgressLines({ lines }: { readonly lines: readonly string[] }): JSX.Element {
  const [isAll, setIsAll] = useState(false);
  const shownLines = isAll ? lines : lines.slice(0, LINES_SHOWN);
  return (
    <>
      <ul class="plain-list progress-lines">
        {shownLines.map((line, i) => (
          <li key={i}>{line}</li>
        ))}
      </ul>
      {shownLines.length < lines.length && (
        <button type="button" class="quiet" onClick={() => setIsAll(true)}>
          {texts.common.more(lines.length - shownLines.length)}
        </button>
      )}
    </>
  );
}
