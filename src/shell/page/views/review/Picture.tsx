import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { DocumentView } from '../../protocol.ts';

/** Below this, the texts of a wide picture would be too small. */
const NARROW = '(max-width: 640px)';

export function Picture({ pictures: { wide, narrow } }: Pick<DocumentView, 'pictures'>): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const isNarrow = useMatches(NARROW);
  const svg = isNarrow ? narrow : wide;
  useEffect(() => {
    if (frame.current) show(svg, frame.current);
  }, [svg]);
  return <div ref={frame} class={isNarrow ? 'picture narrow' : 'picture'} />;
}

function useMatches(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const read = (): void => setMatches(list.matches);
    list.addEventListener('change', read);
    return () => list.removeEventListener('change', read);
  }, [query]);
  return matches;
}

/** Shows a picture in a tree of its own. The page's policy forbids style elements, but not what a script makes of their text. */
function show(text: string, frame: HTMLElement): void {
  const [before = '', rest = ''] = text.split('<style>');
  const [style = '', after = ''] = rest.split('</style>');
  const sheet = new CSSStyleSheet();
  // The card around it has an edge.
  sheet.replaceSync(`${style}.cs-edge{display:none}`);
  const svg = new DOMParser().parseFromString(`${before}${after}`, 'image/svg+xml').documentElement;
  svg.setAttribute('width', '100%');
  svg.removeAttribute('height');
  const root = frame.shadowRoot ?? frame.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [sheet];
  root.replaceChildren(document.importNode(svg, true));
}
