/** A count of answers or cases that a test compared. */
interface Count {
  readonly subject: string;
  readonly passed: number;
  readonly total: number;
  /** The divergences that are kept on purpose. */
  readonly kept?: number;
  readonly note?: string;
}

/** Prints a count. */
export function report({ subject, passed, total, kept = 0, note }: Count): void {
  const parts = [`${passed} / ${total}`, ...(kept > 0 ? [`${kept} differ on purpose`] : []), ...(note ? [note] : [])];
  console.log(`${subject}: ${parts.join(', ')}`);
}
