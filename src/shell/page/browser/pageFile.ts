export interface PageFile {
  /** The whole file, as browsers write a document. */
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

/** Runs with the script, before the page changes itself. */
export const readPageFile = (): PageFile => ({
  text: `<!doctype html>${document.documentElement.outerHTML}`,
  version: document.documentElement.dataset['version'] ?? '',
  licenses: document.getElementById('licenses')?.textContent ?? '',
  script: document.currentScript?.textContent ?? '',
});
