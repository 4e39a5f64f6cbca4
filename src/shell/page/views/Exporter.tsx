import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ExportView } from '../protocol.ts';
import { texts } from '../texts.ts';
import { Codes } from './Codes.tsx';
import { type ExportSubject, usePage } from './page.ts';
import { CopyButton, Field, saveFile } from './parts.tsx';

/** `version` changes when the result does. */
export function Exporter({
  form,
  version = '',
}: {
  readonly form: ExportSubject;
  readonly version?: string;
}): JSX.Element {
  const { client, run } = usePage();
  const [view, setView] = useState<ExportView>();
  const { kind, walletId, address } = form;
  useEffect(() => {
    let isLatest = true;
    run(async () => {
      const exported = await client.call('exported', [form]);
      if (isLatest) setView(exported);
    });
    return () => {
      isLatest = false;
    };
  }, [client, kind, walletId, address, version]);
  return (
    <>
      <Codes key={`${kind} ${version}`} form={form} />
      {view && (
        <>
          <div class="row">
            <button type="button" onClick={() => saveFile(view)}>
              {texts.common.save}
            </button>
            <CopyButton text={view.text} name={view.fileName} />
          </div>
          <details>
            <summary>{texts.result.text}</summary>
            <Field label={texts.result.textLabel}>
              {({ id }) => <textarea id={id} class="mono" rows={6} readOnly value={view.text} />}
            </Field>
          </details>
        </>
      )}
    </>
  );
}
