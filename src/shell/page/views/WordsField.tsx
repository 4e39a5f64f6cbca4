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
  const change = (text: string): void => {
    onChange(text);
    area.current?.focus();
  };
  const complete = (word: string): void => change(`${value.replace(/(?<!\S)\S*$/, '')}${word} `);
  const replace = (position: number, word: string): void => change(replaceWord(value, position, word));
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
      <div class="offered">
        {state && value !== '' && <Offered state={state} onComplete={complete} onReplace={replace} />}
      </div>
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

interface OfferedProps {
  readonly state: WordsView;
  readonly onComplete: (word: string) => void;
  readonly onReplace: (position: number, word: string) => void;
}

/** Shows one row at most. A word with one continuation needs none. */
function Offered({ state, onComplete, onReplace }: OfferedProps): JSX.Element | null {
  const { completions, near, lastWords } = state;
  if (completions.length < 2 && near.length > 0) {
    const chips = near.map(({ position, word }) => ({
      label: texts.keys.nearWord(position, word),
      onChoose: () => onReplace(position, word),
    }));
    return <Chips label={texts.keys.near} chips={chips} />;
  }
  const [label, words] =
    completions.length > 0 ? [texts.keys.completions, completions] : [texts.keys.lastWords, lastWords];
  return <Chips label={label} chips={words.map((word) => ({ label: word, onChoose: () => onComplete(word) }))} />;
}

interface ChipsProps {
  readonly label: string;
  readonly chips: readonly { readonly label: string; readonly onChoose: () => void }[];
}

function Chips({ label, chips }: ChipsProps): JSX.Element | null {
  return chips.length === 0 ? null : (
    <fieldset>
      <legend>{label}</legend>
      <div class="chips">
        {chips.map((chip) => (
          <button key={chip.label} type="button" class="chip" onClick={chip.onChoose}>
            {chip.label}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

/** Counts words as `checkWords` does, from 1. */
function replaceWord(text: string, position: number, word: string): string {
  let count = 0;
  return text.normalize('NFKD').replace(/[\p{L}\p{M}]+/gu, (typed) => {
    count += 1;
    return count === position ? word : typed;
  });
}
