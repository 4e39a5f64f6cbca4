import { render } from 'preact';
import { createClient } from './browser/pageClient.ts';
import { texts } from './texts.ts';
import { App } from './views/App.tsx';
import type { Notice } from './views/page.ts';

const root = document.getElementById('page');

/** Shows a notice; until the page is there, as plain text. */
let show = ({ text }: Notice, _isForgotten: boolean): void => {
  if (root) root.textContent = text;
};

function start(source: Promise<Blob>): void {
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
  // A page that is left may be kept, to be shown again: without its keys.
  addEventListener('pagehide', () => {
    client.wipe();
    show({ tone: 'info', text: texts.session.wiped }, true);
  });
  if (!root) return;
  root.replaceChildren();
  render(<App client={client} onReady={(given) => (show = given)} />, root);
}

if (self === top) {
  start(window.pageFile.worker);
} else {
  show({ tone: 'bad', text: texts.errors.framed }, true);
}
