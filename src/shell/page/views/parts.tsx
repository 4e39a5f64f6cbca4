import type { ComponentChildren, JSX, RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { NetworkName } from '../../../core/network/networks.ts';
import { addressGroups, amountGroups, networkTicker, thousands } from '../format.ts';
import type { ExportView } from '../protocol.ts';
import { texts } from '../texts.ts';
import { useLedTo } from './leadTo.ts';

interface WithChildren {
  readonly children: ComponentChildren;
}

/** Takes the focus at once, so that a screen reader begins at the new view, and before anyone types in it; the view begins at the top. */
export function Title({ children }: WithChildren): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, []);
  return (
    <h1 tabIndex={-1} ref={heading}>
      {children}
    </h1>
  );
}

/** Keeps browsers from storing or changing a text. */
export const VERBATIM = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false } as const;

interface CardProps extends WithChildren {
  readonly title: string;
  readonly tone?: 'good' | 'warn' | 'bad';
  readonly aside?: ComponentChildren;
}

export function Card({ title, tone, aside, children }: CardProps): JSX.Element {
  const id = useId();
  return (
    <section class={`card ${tone ?? ''}`} aria-labelledby={id}>
      <header class="card-head">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

export const Badge = ({
  tone,
  children,
}: WithChildren & { readonly tone: 'good' | 'warn' | 'bad' | 'plain' }): JSX.Element => (
  <span class={`badge ${tone}`}>{children}</span>
);

interface AnswerProps extends WithChildren {
  /** Changes with each answer; `undefined` before there is one. */
  readonly of: unknown;
  /** Names an answer that is too long to be read out at once. */
  readonly label?: string;
}

/** Shows what an action has answered: it takes the focus and comes into view. */
export function Answer({ of, label, children }: AnswerProps): JSX.Element {
  const box = useLedTo<HTMLDivElement>(of);
  const role = label === undefined ? { role: 'status' as const } : { role: 'group' as const, 'aria-label': label };
  return (
    <div ref={box} class="answer" tabIndex={-1} {...role}>
      {children}
    </div>
  );
}

interface FieldProps {
  readonly label: string;
  readonly help?: string | undefined;
  readonly children: (ids: { readonly id: string; readonly describedBy: string | undefined }) => ComponentChildren;
}

export function Field({ label, help, children }: FieldProps): JSX.Element {
  const id = useId();
  const helpId = `${id}-help`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, describedBy: help ? helpId : undefined })}
      {help && (
        <p class="help" id={helpId}>
          {help}
        </p>
      )}
    </div>
  );
}

interface NumberFieldProps extends Omit<FieldProps, 'children'> {
  readonly min: number;
  readonly max: number;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function NumberField({ label, help, min, max, value, onChange }: NumberFieldProps): JSX.Element {
  return (
    <Field label={label} help={help}>
      {({ id, describedBy }) => (
        <input
          id={id}
          aria-describedby={describedBy}
          type="number"
          inputMode="numeric"
          min={min}
          max={max}
          required
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface TextAreaProps extends Pick<FieldProps, 'label' | 'help'> {
  readonly area?: RefObject<HTMLTextAreaElement | null>;
  readonly rows: number;
  /** Shows a dot in the place of each character. */
  readonly isMasked?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export const TextArea = ({ label, help, area, rows, isMasked, value, onChange }: TextAreaProps): JSX.Element => (
  <Field label={label} help={help}>
    {({ id, describedBy }) => (
      <textarea
        id={id}
        {...(area && { ref: area })}
        aria-describedby={describedBy}
        class={isMasked ? 'mono masked' : 'mono'}
        rows={rows}
        value={value}
        {...VERBATIM}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )}
  </Field>
);

/** A field for an address, which may be longer than a line of it. The key Enter presses the button of its form. */
export const AddressField = ({
  label,
  help,
  value,
  onChange,
}: Pick<TextAreaProps, 'label' | 'help' | 'value' | 'onChange'>): JSX.Element => (
  <Field label={label} help={help}>
    {({ id, describedBy }) => (
      <textarea
        id={id}
        aria-describedby={describedBy}
        class="mono address"
        rows={2}
        value={value}
        {...VERBATIM}
        onInput={({ currentTarget }) => onChange(currentTarget.value.replace(/[\r\n]/g, ''))}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          event.currentTarget.form?.querySelector<HTMLButtonElement>('[type=submit]')?.click();
        }}
      />
    )}
  </Field>
);

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [Value, string])[];
  readonly onChoose: (value: Value) => void;
}

export const Select = <Value extends string>({
  label,
  value,
  options,
  onChoose,
  help,
}: ChoiceProps<Value> & { readonly help?: string }): JSX.Element => (
  <Field label={label} help={help}>
    {({ id, describedBy }) => (
      <select
        id={id}
        aria-describedby={describedBy}
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = options.find(([option]) => option === currentTarget.value);
          if (chosen) onChoose(chosen[0]);
        }}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);

export function Segments<Value extends string>({ label, value, options, onChoose }: ChoiceProps<Value>): JSX.Element {
  const name = useId();
  return (
    <fieldset class="segments">
      <legend>{label}</legend>
      <div class="segments-row">
        {options.map(([option, text]) => (
          <label key={option}>
            <input type="radio" name={name} checked={option === value} onChange={() => onChoose(option)} />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Spaces groups by style, so that a copy has no spaces. */
const Groups = ({ groups }: { readonly groups: readonly string[] }): JSX.Element => (
  <>
    {groups.map((group, i) => (
      <span class="group" key={i}>
        {group}
      </span>
    ))}
  </>
);

export const Amount = ({
  sats,
  network,
  size = 'plain',
}: {
  readonly sats: bigint;
  readonly network: NetworkName;
  readonly size?: 'plain' | 'large';
}): JSX.Element => (
  <span class={`amount ${size}`}>
    <span class="coins">
      <Groups groups={amountGroups(sats)} /> <span class="ticker">{networkTicker(network)}</span>
    </span>{' '}
    <span class="sats">
      <Groups groups={thousands(String(sats))} /> sat
    </span>
  </span>
);

export const Grouped = ({
  text,
  size = 'plain',
}: {
  readonly text: string;
  readonly size?: 'plain' | 'large';
}): JSX.Element => (
  <code class={`grouped ${size}`} translate={false}>
    <Groups groups={addressGroups(text)} />
  </code>
);

interface CopyProps {
  readonly text: string;
  /** For screen readers. */
  readonly name: string;
  readonly onCopy?: () => void;
}

export function CopyButton({ text, name, onCopy }: CopyProps): JSX.Element {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  const copy = async (): Promise<void> => {
    const isCopied = await copyText(text);
    setState(isCopied ? 'copied' : 'failed');
    if (isCopied) onCopy?.();
    setTimeout(() => setState('ready'), 2500);
  };
  return (
    <>
      <button type="button" class="quiet" aria-label={`${texts.common.copy}: ${name}`} onClick={copy}>
        {state === 'copied' ? texts.common.copied : texts.common.copy}
      </button>
      <span role="status" class={state === 'failed' ? 'help' : 'unseen'}>
        {state === 'copied' && texts.common.copied}
        {state === 'failed' && texts.common.copyFailed}
      </span>
    </>
  );
}

type SavedFile = Pick<ExportView, 'fileName' | 'mediaType' | 'content'>;

/** Saves a file, and says so, as a browser may save it without a sign. */
export function SaveButton({ file, onSave }: { readonly file: SavedFile; readonly onSave?: () => void }): JSX.Element {
  const [isSaved, setIsSaved] = useState(false);
  const note = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (isSaved) note.current?.scrollIntoView({ block: 'nearest' });
  }, [isSaved]);
  const save = (): void => {
    saveFile(file);
    setIsSaved(true);
    onSave?.();
  };
  return (
    <>
      <button type="button" onClick={save}>
        {texts.common.save}
      </button>
      <span ref={note} role="status" class={isSaved ? 'help break' : 'unseen'}>
        {isSaved && texts.common.saved(file.fileName)}
      </span>
    </>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Only secure contexts have a clipboard.
    return false;
  }
}

function saveFile({ fileName, mediaType, content }: SavedFile): void {
  const url = URL.createObjectURL(new Blob([new Uint8Array(content)], { type: mediaType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

interface DialogProps extends WithChildren {
  readonly title: string;
  readonly isFull?: boolean;
  readonly onClose: () => void;
}

export function Dialog({ title, isFull = false, onClose, children }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isFull ? 'full' : undefined}
      aria-labelledby={id}
      onClose={(event) => event.target === dialog.current && onClose()}
    >
      <header class="card-head">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
          {texts.common.close}
        </button>
      </header>
      {children}
    </dialog>
  );
}

const FIRST_SHOWN = 20;

export function useShortened<Item>(items: readonly Item[], step = FIRST_SHOWN): [readonly Item[], JSX.Element | null] {
  const [shownCount, setShownCount] = useState(step);
  const remaining = items.length - shownCount;
  const button = remaining > 0 && (
    <button type="button" class="quiet" onClick={() => setShownCount(shownCount + 10 * step)}>
      {texts.common.more(Math.min(remaining, 10 * step))}
    </button>
  );
  return [items.slice(0, shownCount), button || null];
}
