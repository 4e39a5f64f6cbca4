import type { JSX } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { openFiles } from '../browser/opening.ts';
import { type Client, STOPPED } from '../browser/pageClient.ts';
import type { OpenedView } from '../protocol.ts';
import { texts } from '../texts.ts';
import { AboutView } from './AboutView.tsx';
import { AddressesView } from './AddressesView.tsx';
import { Header } from './Header.tsx';
import { InspectView } from './InspectView.tsx';
import { KeysView } from './KeysView.tsx';
import { leadTo } from './leadTo.ts';
import { MessagesView } from './MessagesView.tsx';
import { OpenView } from './OpenView.tsx';
import { type Change, EMPTY, type Notice, type Page, PageContext, type PageState, type ViewName } from './page.ts';
import { QuorumView } from './QuorumView.tsx';
import { ResultView } from './ResultView.tsx';
import { ReviewView } from './review/ReviewView.tsx';
import { walletDoubts, walletTone } from './signers.ts';
import { useKeptFocus } from './useKeptFocus.ts';

const VIEWS: Readonly<Record<ViewName, () => JSX.Element>> = {
  open: OpenView,
  keys: KeysView,
  review: ReviewView,
  result: ResultView,
  addresses: AddressesView,
  messages: MessagesView,
  quorum: QuorumView,
  inspect: InspectView,
  about: AboutView,
};

interface AppProps {
  readonly client: Client;
  readonly onReady: (show: (notice: Notice, isForgotten: boolean) => void) => void;
}

export function App({ client, onReady }: AppProps): JSX.Element {
  const [state, setState] = useState<PageState>(EMPTY);
  /** Remounts the views after a wipe, so that they forget their state. */
  const [life, setLife] = useState(0);
  const change = useCallback((update: Change): void => {
    setState((now) => {
      const part = typeof update === 'function' ? update(now) : update;
      return { ...now, ...(part.view && part.view !== now.view && { notice: undefined }), ...part };
    });
  }, []);
  const forget = useCallback((notice: Notice): void => {
    setState(({ view, minutes }) => ({ ...EMPTY, view: view === 'about' ? view : 'open', minutes, notice }));
    setLife((count) => count + 1);
  }, []);
  useEffect(() => {
    onReady((notice, isForgotten) => (isForgotten ? forget(notice) : change({ notice })));
  }, [onReady, forget, change]);

  const page = useMemo((): Omit<Page, 'state'> => createActions(client, change, forget), [client, change, forget]);
  useFilesFromOutside(page);
  useKeptFocus();
  const Shown = VIEWS[state.view];
  return (
    <PageContext.Provider value={{ ...page, state }}>
      <Header onIdle={(minutes) => wipeAll(client, forget, texts.session.wipedIdle(minutes))} />
      <main>
        <NoticeBar notice={state.notice} onDismiss={() => change({ notice: undefined })} />
        <Shown key={`${life} ${state.view}`} />
      </main>
      <p role="status" class={state.working > 0 ? 'working' : 'unseen'}>
        {state.working > 0 && texts.common.working}
      </p>
    </PageContext.Provider>
  );
}

function wipeAll(client: Client, forget: (notice: Notice) => void, text: string): void {
  client.wipe();
  forget({ tone: 'info', text });
}

/** In milliseconds. */
const PATIENCE = 400;

const failureText = (error: unknown): string => (error instanceof Error ? error.message : texts.errors.unexpected);

function createActions(
  client: Client,
  change: (part: Change) => void,
  forget: (notice: Notice) => void,
): Omit<Page, 'state'> {
  const ask: Page['ask'] = async (task) => {
    let isLong = false;
    const timer = setTimeout(() => {
      isLong = true;
      change(({ working }) => ({ working: working + 1 }));
    }, PATIENCE);
    try {
      await task();
    } catch (error) {
      if (error !== STOPPED) change({ notice: { tone: 'bad', text: failureText(error) } });
    }
    clearTimeout(timer);
    if (isLong) change(({ working }) => ({ working: Math.max(0, working - 1) }));
  };
  const run: Page['run'] = (task) => {
    change({ notice: undefined });
    return ask(task);
  };
  const refresh: Page['refresh'] = async (part = {}) => {
    const [wallets, document] = await Promise.all([client.call('wallets', []), client.call('document', [])]);
    change({ wallets, document, ...part });
  };
  const accept: Page['accept'] = (opened) => acceptOpened(opened, refresh, change);
  return {
    client,
    change,
    run,
    ask,
    refresh,
    accept,
    openFiles: (files) =>
      run(async () => {
        // Refusals come last: a change of view would hide them.
        const opened = [...(await openFiles(client, files))];
        opened.sort((a, b) => Number(a.kind === 'refused') - Number(b.kind === 'refused'));
        for (const each of opened) await accept(each);
      }),
    openText: async (text) => {
      let isOpened = false;
      await run(async () => {
        const opened = await client.call('open', [{ content: text }]);
        isOpened = opened.kind !== 'refused';
        await accept(opened);
      });
      return isOpened;
    },
    wipe: () => wipeAll(client, forget, texts.session.wiped),
  };
}

async function acceptOpened(
  opened: OpenedView,
  refresh: Page['refresh'],
  change: (part: Change) => void,
): Promise<void> {
  switch (opened.kind) {
    case 'psbt': {
      const { document, isCombined } = opened;
      // A copy may bring the nonces that a key at hand waited for.
      const isDone = document.final !== undefined || (isCombined && !document.canSign);
      const view = isDone ? 'result' : document.canSign ? 'review' : 'keys';
      const notice: Notice | undefined = isCombined
        ? { tone: 'good', text: texts.open.combined(document.parts) }
        : undefined;
      return refresh({ view, notice });
    }
    case 'transaction':
      return refresh({ view: 'review', notice: undefined });
    case 'previous-transaction':
      return refresh({ view: 'review', notice: { tone: 'good', text: texts.open.previous(opened.inputs) } });
    case 'wallet': {
      const doubts = walletDoubts(opened.wallet);
      const text = [texts.open.walletAdded(opened.wallet.name), ...doubts].join(' ');
      const tone = walletTone(opened.wallet) === 'bad' ? 'bad' : doubts.length > 0 ? 'info' : 'good';
      const notice: Notice = { tone, text };
      return refresh({ view: 'keys', notice });
    }
    case 'secret':
      return change({ view: 'keys', secret: opened.secret, notice: undefined });
    case 'address':
      return change({
        view: 'addresses',
        sought: opened.search,
        payment: undefined,
        notice: undefined,
      });
    case 'payment':
      return change({ view: 'addresses', payment: opened.payment, sought: undefined, notice: undefined });
    case 'signed-message':
      return change({ view: 'messages', message: { block: opened.text }, notice: undefined });
    case 'message-request':
      return change({ view: 'messages', message: { request: opened.text }, notice: undefined });
    case 'signer': {
      const { signer } = opened;
      return change(({ signers }) => ({ view: 'quorum', signers: [...signers, signer], notice: undefined }));
    }
    case 'refused':
      return change({ notice: { tone: 'bad', text: opened.reason } });
    default:
      return opened satisfies never;
  }
}

function useFilesFromOutside(page: Omit<Page, 'state'>): void {
  const { openFiles: open, openText } = page;
  useEffect(() => {
    const allow = (event: DragEvent): void => event.preventDefault();
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) open(files);
    };
    const paste = (event: ClipboardEvent): void => {
      if (event.target instanceof Element && event.target.matches('input, textarea')) return;
      const files = [...(event.clipboardData?.files ?? [])];
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (files.length > 0) open(files);
      else if (text.trim() !== '') openText(text);
    };
    document.addEventListener('dragover', allow);
    document.addEventListener('drop', drop);
    document.addEventListener('paste', paste);
    return () => {
      document.removeEventListener('dragover', allow);
      document.removeEventListener('drop', drop);
      document.removeEventListener('paste', paste);
    };
  }, [open, openText]);
}

/** Scrolls what has the focus to between a bar at the top and the end of the screen. */
function uncover(bar: Element | null): void {
  const { activeElement, body } = document;
  if (!bar || !activeElement || activeElement === body) return;
  const { top, bottom } = activeElement.getBoundingClientRect();
  const covered = bar.getBoundingClientRect().bottom - top;
  if (covered > 0) scrollBy(0, -covered);
  else if (bottom > innerHeight) scrollBy(0, Math.min(bottom - innerHeight, -covered));
}

/** Keeps both regions mounted, so that a screen reader notices their changes. */
function NoticeBar({
  notice,
  onDismiss,
}: {
  readonly notice: Notice | undefined;
  readonly onDismiss: () => void;
}): JSX.Element {
  const bar = useRef<HTMLDivElement>(null);
  const asker = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (!notice) return;
    const { activeElement } = document;
    asker.current = activeElement;
    // Browsers keep what is seen in its place only once the bar is drawn.
    const frame = requestAnimationFrame(() => requestAnimationFrame(() => uncover(bar.current)));
    return () => cancelAnimationFrame(frame);
  }, [notice]);
  const dismiss = (): void => {
    onDismiss();
    if (asker.current instanceof HTMLElement) leadTo(asker.current);
  };
  const noticeBox = notice && (
    <div class={`notice ${notice.tone}`}>
      <p>{notice.text}</p>
      <button type="button" class="quiet" onClick={dismiss}>
        {texts.common.dismiss}
      </button>
    </div>
  );
  return (
    <div class={`notices ${notice?.tone ?? ''}`} ref={bar}>
      <div role="alert">{notice?.tone === 'bad' && noticeBox}</div>
      <div role="status">{notice?.tone !== 'bad' && noticeBox}</div>
    </div>
  );
}
