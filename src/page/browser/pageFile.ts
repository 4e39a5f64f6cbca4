/** The contents of the page's file, read before the page changes itself. */
interface PageFile {
  /** The whole file: it is written as browsers write a document, so that its text is that of the document. */
  readonly text: string;
  readonly version: string;
  /** The script of the worker, which no browser runs as a part of the page. */
  readonly worker: string;
  readonly licenses: string;
}

const textOf = (id: string): string => document.getElementById(id)?.textContent ?? '';

export const pageFile: PageFile = {
  text: `<!doctype html>${document.documentElement.outerHTML}`,
  version: document.documentElement.dataset['version'] ?? '',
  worker: textOf('worker'),
  licenses: textOf('licenses'),
};
