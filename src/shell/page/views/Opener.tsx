import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { texts } from '../texts.ts';
import { usePage } from './page.ts';
import { TextArea } from './parts.tsx';
import { Scanner } from './Scanner.tsx';

export function Opener(): JSX.Element {
  const { openText } = usePage();
  const [text, setText] = useState('');
  return (
    <>
      <FileDrop />
      <Scanner />
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          if (await openText(text)) setText('');
        }}
      >
        <TextArea label={texts.open.pasteLabel} rows={3} value={text} onChange={setText} />
        <button type="submit" disabled={text.trim() === ''}>
          {texts.open.pasteButton}
        </button>
      </form>
    </>
  );
}

function FileDrop(): JSX.Element {
  const [isOver, setIsOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only a hint for those who drag; the button does the same
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={() => setIsOver(true)}
      onDragLeave={() => setIsOver(false)}
      onDrop={() => setIsOver(false)}
    >
      <p class="drop-text">{texts.open.drop}</p>
      <FileButton label={texts.open.choose} help={texts.open.chooseHelp} />
    </div>
  );
}

interface FileButtonProps {
  readonly label: string;
  readonly help?: string;
  /** Default: opens them. */
  readonly onPick?: (files: readonly File[]) => Promise<void>;
}

export function FileButton({ label, help, onPick }: FileButtonProps): JSX.Element {
  const { openFiles } = usePage();
  const id = useId();
  return (
    <div class="file">
      <input
        id={id}
        type="file"
        multiple
        class="unseen"
        aria-describedby={help && `${id}-help`}
        onChange={async ({ currentTarget }) => {
          await (onPick ?? openFiles)([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      <label for={id} class="button">
        {label}
      </label>
      {help && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  );
}
