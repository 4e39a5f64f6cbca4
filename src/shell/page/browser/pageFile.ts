/** The contents of the page's file. */
export interface PageFile {
  /** The whole file: it is written as browsers write a document, so that its text is that of the document. */
  readonly text: string;
  readonly version: string;
  readonly licenses: string;
  /** The script that runs: the worker's, too. */
  readonly script: string;
}

declare global {
  interface Window {
    pageFile: PageFile;
  }
}

/** Reads the page's file while its script runs for the first time, before the page changes itself. */
export const readPageFile = (): PageFile => ({
  text: `<!doctype html>${document.documentElement.outerHTML}`,
  version: document.documentElement.dataset['version'] ?? '',
  licenses: document.getElementById('licenses')?.textContent ?? '',
  script: document.currentScript?.textContent ?? '',
});
