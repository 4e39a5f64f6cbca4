import { appendFileSync } from 'node:fs';

/** A count of answers or cases that a test compared. */
interface Count {
  /** The heading in docs/conformance.md. */
  readonly group: 'recorded answers' | 'live node' | 'other libraries';
  readonly subject: string;
  readonly passed: number;
  readonly total: number;
  /** The divergences that are kept on purpose. */
  readonly kept?: number;
  readonly note?: string;
}

/** Prints a count, and appends it to the file that `npm run conformance` reads. */
export function report(count: Count): void {
  const { subject, passed, total, kept = 0, note } = count;
  const parts = [`${passed} / ${total}`, ...(kept > 0 ? [`${kept} differ on purpose`] : []), ...(note ? [note] : [])];
  console.log(`${subject}: ${parts.join(', ')}`);
  const file = process.env['COUNTERSIGN_REPORT'];
  if (file) appendFileSync(file, `${JSON.stringify(count)}\n`);
}
