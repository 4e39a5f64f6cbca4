import type { JSX } from 'preact';
import { visibleParts } from '../format.ts';
import { texts } from '../texts.ts';
import { FileButton } from './Opener.tsx';
import { usePage } from './page.ts';
import { Grouped, TextArea } from './parts.tsx';

interface TextProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field for a text that may be in a file. */
export const FileText = ({
  label,
  help,
  value,
  onChange,
}: TextProps & { readonly label: string; readonly help: string }): JSX.Element => (
  <>
    <TextArea label={label} help={help} rows={6} value={value} onChange={onChange} />
    <TextFile onRead={onChange} />
  </>
);

/** Reads a text from a file, with its line breaks as they are: a field changes them only when it is typed in. */
function TextFile({ onRead }: { readonly onRead: (text: string) => void }): JSX.Element {
  const { run } = usePage();
  const pick = ([file]: readonly File[]): Promise<void> =>
    run(async () => {
      if (file) onRead(await file.text());
    });
  return <FileButton label={texts.messages.file} onPick={pick} />;
}

/** Shows a text as it is, with a mark for each character that a screen leaves out or that reorders others. */
export function MessageFacts({
  address,
  message,
}: {
  readonly address: string;
  readonly message: string;
}): JSX.Element {
  const parts = visibleParts(message);
  return (
    <dl class="facts">
      <dt>{texts.messages.address}</dt>
      <dd>
        <Grouped text={address} />
      </dd>
      <dt>{texts.messages.messageOf(message)}</dt>
      <dd>
        <pre class="message">
          {parts.map(({ text, isHidden }, i) => (isHidden ? <mark key={i}>{text}</mark> : text))}
        </pre>
        {message === '' && <p>{texts.messages.empty}</p>}
        {parts.some(({ isHidden }) => isHidden) && <p class="notice warn">{texts.messages.hidden}</p>}
      </dd>
    </dl>
  );
}
