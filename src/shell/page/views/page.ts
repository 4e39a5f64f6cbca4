import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { SecretKind } from '../../../kit/open/open.ts';
import type { Client } from '../browser/pageClient.ts';
import type { DocumentView, OpenedView, PaymentView, SearchView, SignerView, WalletView } from '../protocol.ts';

export type ViewName =
  | 'open'
  | 'keys'
  | 'review'
  | 'result'
  | 'addresses'
  | 'messages'
  | 'quorum'
  | 'inspect'
  | 'about';

export interface Notice {
  readonly tone: 'info' | 'good' | 'bad';
  readonly text: string;
}

/** Holds no secret. */
export interface PageState {
  readonly view: ViewName;
  readonly wallets: readonly WalletView[];
  readonly document: DocumentView | undefined;
  /** A secret whose use the user has yet to choose. */
  readonly secret: SecretKind | undefined;
  readonly sought: SearchView | undefined;
  /** What was opened for the view of messages: a request to sign one, or a signed one. */
  readonly message: { readonly request?: string; readonly block?: string } | undefined;
  /** Of the multisig wallet that is being made. */
  readonly signers: readonly SignerView[];
  /** The payment URI that was opened last. */
  readonly payment: PaymentView | undefined;
  readonly walletId: number | undefined;
  /** The wallets that were made or registered here, and not taken away since. */
  readonly unsaved: readonly number[];
  readonly notice: Notice | undefined;
  readonly working: number;
  /** Minutes without use after which keys are wiped. */
  readonly minutes: number;
}

export const EMPTY: PageState = {
  view: 'open',
  wallets: [],
  document: undefined,
  secret: undefined,
  sought: undefined,
  message: undefined,
  signers: [],
  payment: undefined,
  walletId: undefined,
  unsaved: [],
  notice: undefined,
  working: 0,
  minutes: 10,
};

export type Change = Partial<PageState> | ((now: PageState) => Partial<PageState>);

/** Shows the reason if the task fails. */
type Task = (task: () => Promise<void>) => Promise<void>;

export interface Page {
  readonly client: Client;
  readonly state: PageState;
  readonly change: (part: Change) => void;
  /** Runs what a person has asked for, without the notice of what was asked before. */
  readonly run: Task;
  /** Runs what the page asks for by itself. */
  readonly ask: Task;
  readonly accept: (opened: OpenedView) => Promise<void>;
  readonly openFiles: (files: readonly File[]) => Promise<void>;
  /** @returns false for what it refuses */
  readonly openText: (text: string) => Promise<boolean>;
  readonly refresh: (part?: Partial<PageState>) => Promise<void>;
  readonly wipe: () => void;
}

export const PageContext = createContext<Page | undefined>(undefined);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('A view is outside the page');
  return page;
}

/** Runs one task at a time: a control need not be locked meanwhile, which would take the focus from it. */
export function useTask(): readonly [isBusy: boolean, run: Page['run']] {
  const { run } = usePage();
  const [isBusy, setIsBusy] = useState(false);
  const isRunning = useRef(false);
  const runTask: Page['run'] = async (task) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setIsBusy(true);
    await run(task);
    isRunning.current = false;
    setIsBusy(false);
  };
  return [isBusy, runTask];
}

/** Asks the worker again when `inputs` change. An earlier answer never replaces a later one. */
export function useAnswer<T>(
  question: (call: Client['call']) => Promise<T>,
  inputs: readonly unknown[],
): T | undefined {
  const { client, ask } = usePage();
  const [answer, setAnswer] = useState<T>();
  useEffect(() => {
    let isLatest = true;
    ask(async () => {
      const latest = await question(client.call);
      if (isLatest) setAnswer(latest);
    });
    return () => {
      isLatest = false;
    };
  }, [client, ...inputs]);
  return answer;
}
