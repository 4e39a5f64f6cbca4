import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DocumentView } from '../protocol.ts';
import { texts } from '../texts.ts';
import { Exporter } from './Exporter.tsx';
import { Opener } from './Opener.tsx';
import { usePage } from './page.ts';
import { Card, CopyButton, Segments, Title } from './parts.tsx';

/** The fourth step: who else must sign, or the final transaction, and ways to carry it away. */
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
  const { final, progress, kind, review, parts, txid } = document;
  const [chosen, setChosen] = useState<Subject>();
  const subject = kind === 'transaction' ? 'transaction' : (chosen ?? (final ? 'transaction' : 'psbt'));
  const signatures = review.inputs.reduce((sum, input) => sum + input.signatures.length + Number(input.isFinal), 0);
  return (
    <>
      <Title key={parts}>
        {final ? texts.result.final : signatures > 0 ? texts.result.partial : texts.result.partialNone}
      </Title>
      <p class="lead">{final ? texts.result.finalHelp : texts.result.partialHelp}</p>
      <Card title={texts.result.progress} {...(final && { tone: 'good' })}>
        <dl class="facts">
          <dt>{texts.result.txid}</dt>
          <dd class="with-action">
            <code class="break">{final?.txid ?? txid}</code>
            <CopyButton text={final?.txid ?? txid} name={texts.result.txid} />
          </dd>
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
      {!final && (
        <Card title={texts.open.combine}>
          <p>{texts.open.combineIntro}</p>
          <Opener />
        </Card>
      )}
    </>
  );
}

const LINES_SHOWN = 20;

function ProgressLines({ lines }: { readonly lines: readonly string[] }): JSX.Element {
  const [isAll, setIsAll] = useState(false);
  const shown = isAll ? lines : lines.slice(0, LINES_SHOWN);
  return (
    <>
      <ul class="plain-list progress-lines">
        {shown.map((line, i) => (
          <li key={i}>{line}</li>
        ))}
      </ul>
      {shown.length < lines.length && (
        <button type="button" class="quiet" onClick={() => setIsAll(true)}>
          {texts.common.more(lines.length - shown.length)}
        </button>
      )}
    </>
  );
}
