import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isPicture } from '../browser/pictures.ts';
import { networkTitle } from '../format.ts';
import type { IdentifiedView, TraceView, VerdictView } from '../protocol.ts';
import { texts } from '../texts.ts';
import { FileButton } from './Opener.tsx';
import { usePage, useTask } from './page.ts';
import { Answer, Card, CopyButton, Field, Grouped, NumberField, SaveButton, TextArea, Title } from './parts.tsx';

export function InspectView(): JSX.Element {
  const { document } = usePage().state;
  const [openings, setOpenings] = useState(0);
  return (
    <>
      <Title>{texts.inspect.title}</Title>
      <Identifier onOpened={() => setOpenings(openings + 1)} />
      {document && (
        <Answer of={openings || undefined} label={texts.inspect.verifyTitle}>
          <Verifier key={`${document.txid} ${document.parts}`} />
          <Tracer key={`${document.txid} ${document.parts} trace`} />
          <Fields key={document.txid} />
        </Answer>
      )}
    </>
  );
}

/** Says what a text or a file is; a PSBT or a transaction is opened, and shown below. */
function Identifier({ onOpened }: { readonly onOpened: () => void }): JSX.Element {
  const { client, refresh, openText, openFiles } = usePage();
  const [, run] = useTask();
  const [text, setText] = useState('');
  const [identified, setIdentified] = useState<IdentifiedView>();
  const type = (typed: string): void => {
    setText(typed);
    setIdentified(undefined);
  };
  const inspect = (content: string | Uint8Array, name?: string): Promise<void> =>
    run(async () => {
      const found = await client.call('identify', [content]);
      if (found.kind !== 'document') return setIdentified(found);
      const opened = await client.call('open', [{ content, ...(name !== undefined && { name }) }]);
      if (opened.kind === 'refused') throw new Error(opened.reason);
      type('');
      await refresh();
      onOpened();
    });
  const pick = async (files: readonly File[]): Promise<void> => {
    const [file] = files;
    if (!file || isPicture(file)) return openFiles(files);
    return inspect(new Uint8Array(await file.arrayBuffer()), file.name);
  };
  return (
    <Card title={texts.inspect.what}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          inspect(text);
        }}
      >
        <TextArea label={texts.inspect.whatLabel} help={texts.inspect.whatHelp} rows={3} value={text} onChange={type} />
        <div class="row">
          <button type="submit" disabled={text.trim() === ''}>
            {texts.inspect.whatButton}
          </button>
          <FileButton label={texts.open.choose} onPick={pick} />
        </div>
      </form>
      <Answer of={identified}>{identified && <Identified identified={identified} />}</Answer>
      {identified?.kind === 'other' && text !== '' && (
        <button type="button" onClick={() => openText(text)}>
          {texts.inspect.open}
        </button>
      )}
    </Card>
  );
}

function Identified({ identified }: { readonly identified: IdentifiedView }): JSX.Element | null {
  if (identified.kind === 'document') return null;
  if (identified.kind !== 'address') {
    return <p class={`notice ${identified.kind === 'other' ? 'info' : 'warn'}`}>{identified.text}</p>;
  }
  const { address, type, networks } = identified;
  const { addressKinds, otherKind } = texts.inspect;
  return (
    <div class="notice info">
      <Grouped text={address} />
      <p>{texts.inspect.address(addressKinds[type] ?? otherKind, networks.map(networkTitle))}</p>
    </div>
  );
}

const TONES = { valid: 'good', invalid: 'bad', incomplete: 'info', unknown: 'warn' } as const;

function Verifier(): JSX.Element {
  const { client } = usePage();
  const [isBusy, run] = useTask();
  const [verdict, setVerdict] = useState<VerdictView>();
  const verify = (): Promise<void> => run(async () => setVerdict(await client.call('verify', [])));
  return (
    <Card title={texts.inspect.verifyTitle}>
      <p>{texts.inspect.verifyIntro}</p>
      <button type="button" onClick={verify}>
        {isBusy ? texts.common.working : texts.inspect.verify}
      </button>
      <Answer of={verdict}>
        {verdict && (
          <div class={`notice ${TONES[verdict.kind]}`}>
            <p>{texts.inspect.verdicts[verdict.kind]}</p>
            {verdict.reasons.length > 0 && (
              <ul class="plain-list">
                {verdict.reasons.map((reason) => (
                  <li key={reason}>{reason}</li>
                ))}
              </ul>
            )}
          </div>
        )}
      </Answer>
    </Card>
  );
}

/** More inputs than a transaction can have. */
const MOST_INPUTS = 100_000;

function Tracer(): JSX.Element {
  const { client } = usePage();
  const [isBusy, run] = useTask();
  const [input, setInput] = useState('0');
  const [trace, setTrace] = useState<TraceView>();
  const show = (event: Event): Promise<void> => {
    event.preventDefault();
    return run(async () => setTrace(await client.call('trace', [Number(input)])));
  };
  const change = (value: string): void => {
    setInput(value);
    setTrace(undefined);
  };
  return (
    <Card title={texts.inspect.traceTitle}>
      <p>{texts.inspect.traceIntro}</p>
      <form onSubmit={show}>
        <NumberField label={texts.inspect.traceInput} min={0} max={MOST_INPUTS} value={input} onChange={change} />
        <button type="submit">{isBusy ? texts.common.working : texts.inspect.trace}</button>
      </form>
      <Answer of={trace}>
        {trace && (
          <>
            <div class={`notice ${trace.isValid ? 'good' : 'warn'}`}>
              {trace.explanation.map((sentence) => (
                <p key={sentence} class="break">
                  {sentence}
                </p>
              ))}
            </div>
            <Field label={texts.inspect.traceLabel}>
              {({ id }) => <textarea id={id} class="mono json" rows={24} readOnly wrap="off" value={trace.steps} />}
            </Field>
            <div class="row">
              <SaveButton file={{ ...TRACE_FILE, content: new TextEncoder().encode(trace.steps) }} />
              <CopyButton text={trace.steps} name={texts.inspect.traceLabel} />
            </div>
          </>
        )}
      </Answer>
    </Card>
  );
}

const TRACE_FILE = { fileName: 'trace.txt', mediaType: 'text/plain' };

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
            <SaveButton file={{ ...FILE, content: new TextEncoder().encode(json) }} />
            <CopyButton text={json} name={texts.inspect.jsonLabel} />
          </div>
        </>
      )}
    </Card>
  );
}
