import { useEffect } from 'preact/hooks';
import { leadTo } from './leadTo.ts';

const REGIONS = '.card, dialog, main';

/**
 * Leads the focus on when its element was removed or locked, since a keyboard would begin at the top: to the heading of the
 * innermost card around it that is still there.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | undefined;
    let regions: readonly Element[] = [];
    const remember = ({ target }: FocusEvent): void => {
      last = target instanceof Element ? target : undefined;
      regions = last ? regionsAround(last) : [];
    };
    const observer = new MutationObserver(() => {
      const { activeElement, body } = document;
      const isLost = activeElement === body || activeElement === last;
      if (!last || !isLost || (last.isConnected && !last.matches(':disabled'))) return;
      const headings = regions.flatMap((region) => (region.isConnected ? [...region.querySelectorAll('h1, h2')] : []));
      if (headings[0] instanceof HTMLElement) leadTo(headings[0]);
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, []);
}

/** Lists the regions that an element lies in, the innermost first. */
function regionsAround(element: Element): readonly Element[] {
  const region = element.closest(REGIONS);
  return region?.parentElement ? [region, ...regionsAround(region.parentElement)] : [];
}
