import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { english, wholeWord } from '../../../core/keys/seedWords.ts';
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
  const [isHidden, setIsHidden] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const change = (text: string): void => {
    onChange(text);
    area.current?.focus();
  };
  const complete = (word: string): void => change(`${value.replace(/(?<!\S)\S*$/, '')}${word} `);
  const replace = (position: number, word: string): void => change(replaceWord(value, position, word));
  /** Selects a word, so that typing replaces it. */
  const goTo = ({ start, end }: TypedWord): void => {
    area.current?.focus();
    area.current?.setSelectionRange(start, end);
  };
  const isShown = state !== undefined && value !== '';
  return (
    <>
      <TextArea
        label={texts.keys.words}
        help={texts.keys.wordsHelp}
        area={area}
        rows={3}
        isMasked={isHidden}
        value={value}
        onChange={onChange}
      />
      <button type="button" class="quiet" aria-pressed={isHidden} onClick={() => setIsHidden(!isHidden)}>
        {isHidden ? texts.keys.showWords : texts.keys.hideWords}
      </button>
      {isShown && <WordChips value={value} state={state} isHidden={isHidden} onGo={goTo} />}
      {isShown && !isHidden && (
        <div class="offered">
          <Offered state={state} onComplete={complete} onReplace={replace} />
        </div>
      )}
      <p role="status" class={`words-state ${stateTone(state)}`}>
        {isShown && stateText(state)}
      </p>
    </>
  );
}

interface WordChipsProps {
  readonly value: string;
  readonly state: WordsView;
  readonly isHidden: boolean;
  readonly onGo: (word: TypedWord) => void;
}

/** Shows each word with its number and a mark. No attribute holds a word: it stays in texts that go with the form. */
function WordChips({ value, state, isHidden, onGo }: WordChipsProps): JSX.Element {
  const words = typedWords(value);
  const inRow = useRow(words.length);
  return (
    <ol class="word-chips" aria-label={texts.keys.wordChips}>
      {words.map((word, i) => {
        const kind = wordKind(i, words.length, state);
        return (
          <li key={i}>
            <button type="button" class={`word-chip ${kind}`} {...inRow(i)} onClick={() => onGo(word)}>
              <span class="index">{i + 1}</span>{' '}
              <span translate={false}>{isHidden ? '•••' : wholeWord(word.text, english)}</span>{' '}
              <span aria-hidden="true">{MARKS[kind]}</span>
              <span class="unseen">{texts.keys.wordKinds[kind]}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Makes a list of buttons one stop of the Tab key: the arrow keys go from one to the next. @returns what each button takes */
function useRow(count: number) {
  const [at, setAt] = useState(0);
  const stop = Math.min(at, count - 1);
  return (index: number) => ({
    tabIndex: index === stop ? 0 : -1,
    onFocus: () => setAt(index),
    onKeyDown: (event: TargetedKeyboardEvent<HTMLButtonElement>) => {
      const step = STEPS[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const buttons = event.currentTarget.closest('ol, fieldset')?.querySelectorAll('button');
      buttons?.[(index + step + count) % count]?.focus();
    },
  });
}

type WordKind = 'known' | 'unknown' | 'open';

const MARKS: Readonly<Record<WordKind, string>> = { known: '✓', unknown: '✗', open: '…' };

function wordKind(index: number, count: number, { unknown, completions }: WordsView): WordKind {
  if (unknown.includes(index + 1)) return 'unknown';
  return index === count - 1 && completions.length > 1 ? 'open' : 'known';
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
    completions.length > 0
      ? [texts.keys.completions, completions.length > 1 ? completions : []]
      : [texts.keys.lastWords, lastWords];
  return <Chips label={label} chips={words.map((word) => ({ label: word, onChoose: () => onComplete(word) }))} />;
}

interface ChipsProps {
  readonly label: string;
  readonly chips: readonly { readonly label: string; readonly onChoose: () => void }[];
}

function Chips({ label, chips }: ChipsProps): JSX.Element | null {
  const inRow = useRow(chips.length);
  return chips.length === 0 ? null : (
    <fieldset>
      <legend>{label}</legend>
      <div class="chips">
        {chips.map((chip, i) => (
          <button key={chip.label} type="button" class="chip" {...inRow(i)} onClick={chip.onChoose}>
            {chip.label}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

interface TypedWord {
  /** As `checkWords` reads it. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const typedWords = (value: string): readonly TypedWord[] =>
  [...value.matchAll(/[\p{L}\p{M}]+/gu)].map(({ 0: typed, index }) => ({
    text: typed.normalize('NFKD').toLowerCase(),
    start: index,
    end: index + typed.length,
  }));

/** `position` counts from 1. */
function replaceWord(value: string, position: number, word: string): string {
  const { start = value.length, end = value.length } = typedWords(value)[position - 1] ?? {};
  return `${value.slice(0, start)}${word}${value.slice(end)}`;
}
