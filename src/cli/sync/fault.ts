import { UsageError } from '../usageError.ts';

/** What keeps a sync from going on, in words for a person. What was fed before stays fed. */
export class SyncFault extends UsageError {
  /** Whether it may be over soon: a node that is away, busy or slow. */
  readonly isPassing: boolean;

  constructor(message: string, { isPassing = false }: { readonly isPassing?: boolean } = {}) {
    super(message);
    this.isPassing = isPassing;
  }
}
