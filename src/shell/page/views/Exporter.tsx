import type { JSX } from 'preact';
import type { ExportSubject } from '../protocol.ts';
import { texts } from '../texts.ts';
import { Codes } from './Codes.tsx';
import { useAnswer, usePage } from './page.ts';
import { CopyButton, Field, SaveButton } from './parts.tsx';

/** `version` changes when the result does. */
export function Exporter({
  form,
  version = '',
}: {
  readonly form: ExportSubject;
  readonly version?: string;
}): JSX.Element {
  const { kind, walletId, address } = form;
  const { change } = usePage();
  const take = (): void => change(({ unsaved }) => ({ unsaved: unsaved.filter((id) => id !== walletId) }));
  const view = useAnswer((call) => call('exported', [form]), [kind, walletId, address, version]);
  return (
    <>
      <Codes key={`${kind} ${version}`} form={form} />
      {view && (
        <>
          <div class="row">
            <SaveButton key={view.fileName} file={view} onSave={take} />
            <CopyButton text={view.text} name={view.fileName} onCopy={take} />
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
