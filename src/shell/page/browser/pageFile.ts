export interface PageFile {
  /** The whole file as browsers write a document, so that it equals the document's text. */
  readonly text: string;
  readonly version: string;
  readonly licenses: string;
  /** The script of the page and its worker. */
  readonly script: string;
}

declare global {
  interface Window {
    pageFile: PageFile;
  }
}

/** Reads the file before the page changes itself, while its script runs for the first time. */
export const readPageFile = (): PageFile => ({
  text: `<!doctype html>${document.documentElement.outerHTML}`,
  version: document.documentElement.dataset['version'] ?? '',
  licenses: document.getElementById('licenses')?.textContent ?? '',
  script: document.currentScript?.textContent ?? '',
});
