import { UsageError } from '../terminal/usageError.ts';

/** The reason why a sync cannot continue, as a text for the user. What was fed before is kept. */
export class SyncFault extends UsageError {
  /** True if a retry may succeed: the node is unreachable, busy or slow. */
  readonly isPassing: boolean;

  constructor(message: string, { isPassing = false }: { readonly isPassing?: boolean } = {}) {
    super(message);
    this.isPassing = isPassing;
  }
}
