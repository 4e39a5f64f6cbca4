/** The contents of the page's file, read by `unpack.ts` before the page changes itself. */
export interface PageFile {
  /** The whole file: it is written as browsers write a document, so that its text is that of the document. */
  readonly text: string;
  readonly version: string;
  readonly licenses: string;
  /** The script of the worker, which is unpacked while the page is shown. */
  readonly worker: Promise<Blob>;
}

declare global {
  interface Window {
    pageFile: PageFile;
  }
}
