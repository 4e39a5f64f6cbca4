import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { WordsView } from '../protocol.ts';
import { texts } from '../texts.ts';
import { usePage } from './page.ts';
import { Field, VERBATIM } from './parts.tsx';

interface WordsProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function WordsField({ value, onChange }: WordsProps): JSX.Element {
  const { client, run } = usePage();
  const [state, setState] = useState<WordsView>();
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    let isLatest = true;
    run(async () => {
      const checked = await client.call('checkWords', [value]);
      if (isLatest) setState(checked);
    });
    return () => {
      isLatest = false;
    };
  }, [client, value]);

  const complete = (word: string): void => {
    onChange(`${value.replace(/(?<!\S)\S*$/, '')}${word} `);
    area.current?.focus();
  };
  return (
    <>
      <Field label={texts.keys.words} help={texts.keys.wordsHelp}>
        {({ id, describedBy }) => (
          <textarea
            id={id}
            ref={area}
            aria-describedby={describedBy}
            class="mono"
            rows={3}
            value={value}
            {...VERBATIM}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
        )}
      </Field>
      <div class="offered">{state && value !== '' && <Completions state={state} onChoose={complete} />}</div>
      <p role="status" class={`words-state ${stateTone(state)}`}>
        {state && value !== '' && stateText(state)}
      </p>
    </>
  );
}

const stateTone = (state: WordsView | undefined): string =>
  state?.isChecksumRight ? 'good' : state?.isChecksumRight === false || state?.unknown.length ? 'bad' : '';

function stateText({ count, unknown, isChecksumRight }: WordsView): string {
  if (unknown.length > 0) return texts.keys.unknownWords(unknown);
  if (isChecksumRight === undefined) return texts.keys.wordsState(count);
  return isChecksumRight ? texts.keys.checksumRight(count) : texts.keys.checksumWrong(count);
}

interface CompletionsProps {
  readonly state: WordsView;
  readonly onChoose: (word: string) => void;
}

/** Shows one row at most. */
function Completions({ state: { completions, lastWords }, onChoose }: CompletionsProps): JSX.Element | null {
  const [label, words] =
    completions.length > 0 ? [texts.keys.completions, completions] : [texts.keys.lastWords, lastWords];
  return words.length === 0 ? null : (
    <fieldset>
      <legend>{label}</legend>
      <div class="chips">
        {words.map((word) => (
          <button key={word} type="button" class="chip" onClick={() => onChoose(word)}>
            {word}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
