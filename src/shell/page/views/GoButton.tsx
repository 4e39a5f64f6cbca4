import type { ComponentChildren, JSX } from 'preact';
import { usePage, type ViewName } from './page.ts';

export function GoButton({
  to,
  isMain = true,
  children,
}: {
  readonly to: ViewName;
  readonly isMain?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { change } = usePage();
  return (
    <button type="button" class={isMain ? 'main' : undefined} onClick={() => change({ view: to })}>
      {children}
    </button>
  );
}
