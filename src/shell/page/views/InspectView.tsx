import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { VerdictView } from '../protocol.ts';
import { texts } from '../texts.ts';
import { GoButton } from './GoButton.tsx';
import { usePage, useTask } from './page.ts';
import { Card, CopyButton, Field, saveFile, Title } from './parts.tsx';

export function InspectView(): JSX.Element {
  const { document } = usePage().state;
  return (
    <>
      <Title>{texts.inspect.title}</Title>
      {document ? (
        <>
          <Verifier key={`${document.txid} ${document.parts}`} />
          <Fields key={document.txid} />
        </>
      ) : (
        <>
          <p class="lead">{texts.inspect.none}</p>
          <div class="row">
            <GoButton to="open">{texts.open.title}</GoButton>
          </div>
        </>
      )}
    </>
  );
}

function Verifier(): JSX.Element {
  const { client } = usePage();
  const [isBusy, run] = useTask();
  const [verdict, setVerdict] = useState<VerdictView>();
  const verify = (): Promise<void> => run(async () => setVerdict(await client.call('verify', [])));
  return (
    <Card title={texts.inspect.verifyTitle}>
      <p>{texts.inspect.verifyIntro}</p>
      <button type="button" onClick={verify} disabled={isBusy}>
        {isBusy ? texts.common.working : texts.inspect.verify}
      </button>
      <div role="status">
        {verdict && (
          <div class={`notice ${verdict.isValid ? 'good' : 'bad'}`}>
            <p>{verdict.isValid ? texts.inspect.valid : texts.inspect.invalid}</p>
            {verdict.faults.length > 0 && (
              <ul class="plain-list">
                {verdict.faults.map((fault) => (
                  <li key={fault}>{fault}</li>
                ))}
              </ul>
            )}
          </div>
        )}
      </div>
    </Card>
  );
}

const FILE = { fileName: 'fields.json', mediaType: 'application/json' };

function Fields(): JSX.Element {
  const { client, run } = usePage();
  const [json, setJson] = useState<string>();
  const show = (): Promise<void> => run(async () => setJson(await client.call('nodeJson', [])));
  return (
    <Card title={texts.inspect.jsonTitle}>
      <p>{texts.inspect.jsonIntro}</p>
      {json === undefined ? (
        <button type="button" onClick={show}>
          {texts.inspect.json}
        </button>
      ) : (
        <>
          <Field label={texts.inspect.jsonLabel}>
            {({ id }) => <textarea id={id} class="mono json" rows={24} readOnly wrap="off" value={json} />}
          </Field>
          <div class="row">
            <button type="button" onClick={() => saveFile({ ...FILE, content: new TextEncoder().encode(json) })}>
              {texts.common.save}
            </button>
            <CopyButton text={json} name={texts.inspect.jsonLabel} />
          </div>
        </>
      )}
    </Card>
  );
}
