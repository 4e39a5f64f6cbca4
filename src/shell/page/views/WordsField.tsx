import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { WordsView } from '../protocol.ts';
import { texts } from '../texts.ts';
import { useAnswer } from './page.ts';
import { TextArea } from './parts.tsx';

interface WordsProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function WordsField({ value, onChange }: WordsProps): JSX.Element {
  const state = useAnswer((call) => call('checkWords', [value]), [value]);
  const area = useRef<HTMLTextAreaElement>(null);
  const complete = (word: string): void => {
    onChange(`${value.replace(/(?<!\S)\S*$/, '')}${word} `);
    area.current?.focus();
  };
  return (
    <>
      <TextArea
        label={texts.keys.words}
        help={texts.keys.wordsHelp}
        area={area}
        rows={3}
        value={value}
        onChange={onChange}
      />
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
