import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { clockText } from '../format.ts';
import { texts } from '../texts.ts';
import { usePage, type ViewName } from './page.ts';
import { Dialog } from './parts.tsx';
import { useIdle } from './useIdle.ts';

const STEPS = ['open', 'keys', 'review', 'result'] as const satisfies readonly ViewName[];
const TOOLS = ['addresses', 'messages', 'quorum', 'inspect', 'about'] as const satisfies readonly ViewName[];
/** Seconds before the end at which a screen reader announces it. */
const SOON = 60;

export function Header({ onIdle }: { readonly onIdle: (minutes: number) => void }): JSX.Element {
  const { state, change } = usePage();
  return (
    <header class="top">
      <div class="brand">
        <p class="name">{texts.name}</p>
        <p class="tagline">{texts.tagline}</p>
        <nav class="tools" aria-label={texts.tools.label}>
          {TOOLS.map((view) => (
            <button
              key={view}
              type="button"
              class="tool"
              aria-current={state.view === view ? 'page' : undefined}
              onClick={() => change({ view })}
            >
              {texts.tools[view]}
            </button>
          ))}
        </nav>
      </div>
      <nav aria-label={texts.steps.label}>
        <ol class="steps">
          {STEPS.map((view, i) => (
            <li key={view}>
              <button
                type="button"
                class="step"
                aria-current={state.view === view ? 'step' : undefined}
                onClick={() => change({ view })}
              >
                <span class="number">{i + 1}</span> {texts.steps[view]}
              </button>
            </li>
          ))}
        </ol>
      </nav>
      <Countdown onIdle={onIdle} />
    </header>
  );
}

function Countdown({ onIdle }: { readonly onIdle: (minutes: number) => void }): JSX.Element | null {
  const { state, wipe } = usePage();
  const { minutes, unsaved } = state;
  const [isAsking, setIsAsking] = useState(false);
  const lost = state.wallets.filter(({ id }) => unsaved.includes(id));
  const holders = state.wallets.filter(({ hasPrivateKeys }) => hasPrivateKeys).length;
  const isArmed = holders > 0 || state.secret !== undefined;
  const secondsLeft = useIdle(minutes, isArmed, () => onIdle(minutes));
  if (!isArmed) return null;
  return (
    <section class={`session ${secondsLeft <= SOON ? 'soon' : ''}`} aria-label={texts.session.label}>
      <p>
        {texts.session.count(holders)}, <span class="clock">{texts.session.forgetIn(clockText(secondsLeft))}</span>
      </p>
      <p role="status" class="unseen">
        {secondsLeft <= SOON && texts.session.soon}
      </p>
      <button type="button" class="danger" onClick={() => (lost.length > 0 ? setIsAsking(true) : wipe())}>
        {texts.session.wipe}
      </button>
      {isAsking && (
        <Dialog title={texts.session.unsavedTitle} onClose={() => setIsAsking(false)}>
          <p>{texts.session.unsaved(lost.map(({ name }) => name))}</p>
          <button type="button" class="danger" onClick={wipe}>
            {texts.session.wipeAnyway}
          </button>
        </Dialog>
      )}
    </section>
  );
}
