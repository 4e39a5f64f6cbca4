import { render } from 'preact';
import { createClient } from './browser/pageClient.ts';
import { readPageFile } from './browser/pageFile.ts';
import { startWorker } from './pageWorker.ts';
import { texts } from './texts.ts';
import { App } from './views/App.tsx';
import type { Notice } from './views/page.ts';

// The page and its worker run this script, so that one hash in the page's policy covers all code.
if ('document' in globalThis) startPage();
else startWorker();

function startPage(): void {
  const root = document.getElementById('page');
  if (!root) return;
  if (self !== top) {
    root.textContent = texts.errors.framed;
    return;
  }
  window.pageFile = readPageFile();

  /** Shows plain text until the page is rendered. */
  let show = ({ text }: Notice, _isForgotten: boolean): void => {
    root.textContent = text;
  };
  const source = new Blob([window.pageFile.script], { type: 'text/javascript' });
  const client = createClient(source, texts.errors.crashed, (crash) => {
    const text = crash === 'later' ? texts.errors.crashed : texts.errors.cannotStart;
    show({ tone: 'bad', text }, true);
  });
  const fail = (event: Event): void => {
    event.preventDefault();
    show({ tone: 'bad', text: texts.errors.unexpected }, false);
  };
  addEventListener('error', fail);
  addEventListener('unhandledrejection', fail);
  // The browser may keep a page that is left, to show it again: wipe its keys.
  addEventListener('pagehide', () => {
    client.wipe();
    show({ tone: 'info', text: texts.session.wiped }, true);
  });
  root.replaceChildren();
  render(<App client={client} onReady={(showNotice) => (show = showNotice)} />, root);
}
