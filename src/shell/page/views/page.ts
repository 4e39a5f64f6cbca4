import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { Client } from '../browser/pageClient.ts';
import type { DocumentView, ExportForm, OpenedView, OwnerView, SecretKind, WalletView } from '../protocol.ts';

/** The views of the page: the four steps, and the tools. */
export type ViewName = 'open' | 'keys' | 'review' | 'result' | 'addresses' | 'inspect' | 'about';

/** A message above the view. */
export interface Notice {
  readonly tone: 'info' | 'good' | 'bad';
  readonly text: string;
}

/** An address that was opened, and its place in a wallet, if any has it. */
export interface SoughtAddress {
  readonly address: string;
  readonly owner: OwnerView | undefined;
}

/** The subject of an export, without its form. */
export type ExportSubject = Omit<ExportForm, 'code' | 'density'>;

/** The state that the views show; it holds no secret. */
export interface PageState {
  readonly view: ViewName;
  readonly wallets: readonly WalletView[];
  readonly document: DocumentView | undefined;
  /** Secrets that were opened; the user has yet to choose how to use them. */
  readonly secret: SecretKind | undefined;
  readonly sought: SoughtAddress | undefined;
  /** The wallet that the addresses are shown of. */
  readonly walletId: number | undefined;
  readonly notice: Notice | undefined;
  /** The number of slow tasks in progress. */
  readonly working: number;
  /** The time without use after which keys are wiped. */
  readonly minutes: number;
}

export const EMPTY: PageState = {
  view: 'open',
  wallets: [],
  document: undefined,
  secret: undefined,
  sought: undefined,
  walletId: undefined,
  notice: undefined,
  working: 0,
  minutes: 10,
};

/** The state of the page, and all that its views do to it. */
export interface Page {
  readonly client: Client;
  readonly state: PageState;
  readonly change: (part: Partial<PageState>) => void;
  /** Runs a task, and shows the reason if it fails. */
  readonly run: (task: () => Promise<void>) => Promise<void>;
  /** Shows what was opened. */
  readonly accept: (opened: OpenedView) => Promise<void>;
  readonly openFiles: (files: readonly File[]) => Promise<void>;
  readonly openText: (text: string) => Promise<void>;
  /** Fetches wallets and document again after the session changed. */
  readonly refresh: (part?: Partial<PageState>) => Promise<void>;
  readonly wipe: () => void;
}

/** Provides the page to the views. */
export const PageContext = createContext<Page | undefined>(undefined);

/** Returns the page around a view. */
export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('A view is outside the page');
  return page;
}

/** Runs tasks as the page does. @returns whether one is under way, and the function that runs one */
export function useTask(): readonly [isBusy: boolean, run: Page['run']] {
  const { run } = usePage();
  const [isBusy, setIsBusy] = useState(false);
  const runTask: Page['run'] = async (task) => {
    setIsBusy(true);
    await run(task);
    setIsBusy(false);
  };
  return [isBusy, runTask];
}
