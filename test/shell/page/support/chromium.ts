import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeEach, expect, inject } from 'vitest';
import { recordedFaults, recordFaults } from './inPage.ts';
import { CHROMIUM, CHROMIUM_ARGUMENTS } from './installed.ts';

// Without the browser, tests are skipped and say so.
beforeEach(({ skip }) => skip(!existsSync(CHROMIUM), `${CHROMIUM} is missing: install Debian's package chromium`));

/** How the page is opened. */
export interface Opening {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'light' | 'dark';
  readonly reducedMotion?: 'reduce';
  /** Default: that of the built file. */
  readonly url?: string;
  /** Further arguments of Chromium, which then is a process of its own. */
  readonly args?: readonly string[];
  /** The faults that the test causes. */
  readonly expected?: RegExp;
  /** Called before the page loads. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

let shared: Promise<Browser> | undefined;
const launch = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: [...CHROMIUM_ARGUMENTS, ...args] });
afterAll(async () => (await shared)?.close());

/**
 * Opens the page without a network, passes it to `use`, and expects that until its end it made no request, violated no
 * policy, and wrote no error.
 */
export async function withPage<Result>(opening: Opening, use: (page: Page) => Promise<Result>): Promise<Result> {
  const own = opening.args ? await launch(opening.args) : undefined;
  shared ??= own ? undefined : launch();
  const browser = own ?? (await shared);
  if (!browser) throw new Error('Chromium was not started');
  const { width = 1280, height = 900, theme = 'light', reducedMotion } = opening;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    ...(reducedMotion && { reducedMotion }),
  });
  context.setDefaultTimeout(30_000);
  try {
    return await useWatched(context, opening, use);
  } finally {
    await context.close();
    await own?.close();
  }
}

/** The address of the page as a file. */
const fileUrl = (): string => pathToFileURL(inject('pageFile')).href;

async function useWatched<Result>(
  context: BrowserContext,
  { url = fileUrl(), prepare, expected }: Opening,
  use: (page: Page) => Promise<Result>,
): Promise<Result> {
  const faults = watch(context, url);
  await context.addInitScript(recordFaults);
  const page = await context.newPage();
  await prepare?.(page);
  // A server on this computer is a network, too: only the document itself may come from it.
  if (url.startsWith('file:')) await context.setOffline(true);
  await page.goto(url);
  await context.setOffline(true);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const result = await use(page);
  const inPage = page.isClosed() ? [] : await page.evaluate(recordedFaults);
  expect([...faults, ...inPage].filter((fault) => !expected?.test(fault))).toEqual([]);
  return result;
}

/** Lists requests other than the document's own, errors and warnings of the console, and exceptions. */
function watch(context: BrowserContext, url: string): readonly string[] {
  const faults: string[] = [];
  let documents = 0;
  context.on('request', (request) => {
    documents += Number(request.url() === url);
    const isOwn = request.url() === url && documents === 1;
    if (!isOwn && !/^(?:blob|data):/.test(request.url())) faults.push(`request ${request.url()}`);
  });
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`console ${message.text()}`);
  });
  context.on('weberror', (error) => faults.push(`exception ${error.error().message}`));
  context.on('page', (page) => page.on('websocket', (socket) => faults.push(`socket ${socket.url()}`)));
  return faults;
}
