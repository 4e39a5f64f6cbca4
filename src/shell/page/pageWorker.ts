import { answer } from './answer.ts';
import { createPageSession } from './pageSession.ts';
import type { RequestMessage, ResponseMessage } from './protocol.ts';

/** Declared here because the library has no types of browsers. */
interface WorkerScope {
  onmessage: ((event: { readonly data: RequestMessage }) => void) | null;
  readonly postMessage: (message: ResponseMessage) => void;
  readonly crypto: { readonly getRandomValues: (bytes: Uint8Array) => Uint8Array };
}

const STEPS = 100;

export function startWorker(): void {
  const scope = globalThis as unknown as WorkerScope;
  let current = -1;
  const session = createPageSession({
    // Never the same twice: a repeated nonce would reveal a private key.
    random: (size) => scope.crypto.getRandomValues(new Uint8Array(size)),
    onProgress: ({ done, total }) => {
      const isShown = done === total || done % Math.max(1, Math.floor(total / STEPS)) === 0;
      if (isShown) scope.postMessage({ id: current, progress: { done, total } });
    },
  });
  scope.onmessage = ({ data }) => {
    current = typeof data?.id === 'number' ? data.id : -1;
    scope.postMessage(answer(session, data));
  };
}
