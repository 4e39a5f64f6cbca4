// Functions that run inside the page, in every browser: each must be whole by itself.

/** Lists what a thumb would miss, and what lies beside the screen. */
export function layoutFindings(): string[] {
  const found: string[] = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`${scrollWidth - clientWidth} pixels wider than the screen`);
  for (const element of document.querySelectorAll(
    'button, select, summary, label.button, input:not(.unseen), textarea',
  )) {
    const target = element.matches('input[type=checkbox], input[type=radio]') ? element.closest('label') : element;
    const { width, height } = (target ?? element).getBoundingClientRect();
    if (width > 0 && (height < 43.5 || width < 43.5))
      found.push(`${width.toFixed(0)}x${height.toFixed(0)}: ${element.outerHTML.slice(0, 120)}`);
  }
  return found;
}

/** Returns the name of what has the focus, and whether that is seen. */
export function readFocus(): { readonly name: string; readonly isSeen: boolean } {
  const element = document.activeElement as HTMLInputElement | null;
  if (!element) return { name: '', isSeen: false };
  const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
  // What stands for a radio button or a file that is hidden shows its focus.
  const shown = getComputedStyle(element).opacity === '0' ? element.nextElementSibling : element;
  const { outlineStyle = 'none', outlineWidth = '0' } = shown ? getComputedStyle(shown) : {};
  // A browser draws no focus in a window that has none, as on a screen without a window manager.
  const isSeen = !document.hasFocus() || (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2);
  return { name: label?.trim() ?? '', isSeen };
}

/** Everything that the browser keeps for the page, and all texts that the document holds. */
export interface Traces {
  /** How much there is in the local storage, the session storage, and how many databases there are. */
  readonly stored: readonly number[];
  readonly cookie: string;
  readonly text: string;
}

/** Reads the traces that the page has left. */
export async function readTraces(): Promise<Traces> {
  const count = (name: 'localStorage' | 'sessionStorage'): number => {
    try {
      return globalThis[name].length;
    } catch {
      return 0;
    }
  };
  const fields = [...document.querySelectorAll('input, textarea')].map((field) => (field as HTMLInputElement).value);
  return {
    stored: [count('localStorage'), count('sessionStorage'), (await indexedDB.databases()).length],
    cookie: document.cookie,
    text: [document.body.outerHTML, document.title, location.href, ...fields].join('\n'),
  };
}

/** The review on the screen, as it is written. */
export interface ReviewTexts {
  readonly fee: string;
  readonly feeTrust: string;
  /** The outputs, then the inputs: number, badge, satoshi and address of each. */
  readonly lists: readonly (readonly (readonly string[])[])[];
  readonly findings: readonly string[];
}

/** Reads the review that the page shows. */
export function readReviewTexts(): ReviewTexts {
  const textIn = (element: Element | undefined, selector: string): string =>
    element?.querySelector(selector)?.textContent?.trim() ?? '';
  const fee = document.querySelector('.sums > [data-role=fee]') ?? undefined;
  const parts = ['.money-head .help', '.badge', '.sats', 'code.grouped'];
  return {
    fee: textIn(fee, '.sats'),
    feeTrust: textIn(fee, '.help').split(', ').at(-1) ?? '',
    lists: [...document.querySelectorAll('ul.money-list')].map((list) =>
      [...list.querySelectorAll('li.money')].map((item) => parts.map((part) => textIn(item, part))),
    ),
    findings: [...document.querySelectorAll('article.finding h3')].map((title) => title.textContent?.trim() ?? ''),
  };
}

/** The picture of the review on the screen. */
export interface ShownPicture {
  readonly texts: readonly string[];
  /** In pixels of the screen. */
  readonly letterHeight: number;
  readonly background: string;
}

/** Reads the picture that the page shows. */
export function readPicture(): ShownPicture {
  const svg = document.querySelector('.picture')?.shadowRoot?.querySelector('svg');
  const back = svg?.querySelector('.cs-back');
  if (!svg || !back) throw new Error('no picture is shown');
  const texts = [...svg.querySelectorAll('text')];
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  const sizes = texts.map((text) => Number.parseFloat(getComputedStyle(text).fontSize) * scale);
  return {
    texts: texts.map(({ textContent }) => textContent ?? ''),
    letterHeight: Math.min(...sizes),
    background: getComputedStyle(back).fill,
  };
}

interface Recorder {
  faultsOfPage?: string[];
}

/** Records violations of the policy and uncaught errors from now on. */
export function recordFaults(): void {
  const recorder = globalThis as unknown as Recorder;
  if (recorder.faultsOfPage) return;
  const faults: string[] = [];
  recorder.faultsOfPage = faults;
  addEventListener('securitypolicyviolation', (event) => faults.push(`violated ${event.violatedDirective}`));
  addEventListener('error', (event) => faults.push(`error ${event.message}`), true);
  addEventListener('unhandledrejection', (event) => faults.push(`rejection ${event.reason}`), true);
}

/** Lists what was recorded. */
export const recordedFaults = (): string[] => (globalThis as unknown as Recorder).faultsOfPage ?? ['nothing recorded'];

/** Where the focus is: what has it, and whether it begins in view, not below a notice. */
export function readFocusPlace(): { readonly element: string; readonly isInView: boolean } {
  const { activeElement } = document;
  const element = activeElement?.matches('dialog, dialog *') ? 'dialog' : (activeElement?.tagName ?? '');
  const { top = -1, left = 0 } = activeElement?.getBoundingClientRect() ?? {};
  const notice = document.querySelector('.notices')?.getBoundingClientRect();
  const isCovered = notice !== undefined && notice.height > 0 && top >= notice.top && top < notice.bottom - 1;
  return { element, isInView: top >= 0 && top < innerHeight && left >= 0 && !isCovered };
}
