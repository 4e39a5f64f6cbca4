/** The contents of the page's file, read before the page changes itself. */
interface PageFile {
  /** The whole file: it is written as browsers write a document, so that its text is that of the document. */
  readonly text: string;
  readonly version: string;
  /** Returns the script of the worker, which is in the file compressed, in base64. */
  readonly readWorker: () => Promise<Blob>;
  readonly licenses: string;
}

const textOf = (id: string): string => document.getElementById(id)?.textContent ?? '';

async function readWorker(): Promise<Blob> {
  const packed = Uint8Array.from(atob(textOf('worker')), (unit) => unit.charCodeAt(0));
  const script = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Blob([await new Response(script).arrayBuffer()], { type: 'text/javascript' });
}

export const pageFile: PageFile = {
  text: `<!doctype html>${document.documentElement.outerHTML}`,
  version: document.documentElement.dataset['version'] ?? '',
  readWorker,
  licenses: textOf('licenses'),
};
