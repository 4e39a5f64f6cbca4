import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Gives the focus to an element, and brings it into view as a whole, or else its beginning. */
export function leadTo(element: HTMLElement): void {
  element.focus({ preventScroll: true });
  const { top, bottom } = element.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) element.scrollIntoView({ block: 'start' });
}

/** Leads to the element of the reference whenever an action has answered anew; `undefined` stands for no answer. */
export function useLedTo<Target extends HTMLElement>(answer: unknown): RefObject<Target | null> {
  const target = useRef<Target>(null);
  // Comes before `useKeptFocus` looks for a lost focus.
  useLayoutEffect(() => {
    if (answer !== undefined && target.current) leadTo(target.current);
  }, [answer]);
  return target;
}
