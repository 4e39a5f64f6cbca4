import { editDistance } from '../../core/encoding/editDistance.ts';
import { printable } from '../../core/encoding/printable.ts';
import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { BtcError, RpcError } from '../../core/errors.ts';

/** A fault that the user can fix: its text is printed, and the exit code is 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Turns each BtcError and RpcError into a UsageError. */
export function withUsageErrors<T>(work: () => T, toText: (reason: string) => string = (reason) => reason): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RpcError || error instanceof BtcError) throw new UsageError(toText(error.message));
    throw error;
  }
}

/** Allows two edits, or one in a short text. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const distances = names.map((name) => ({ name, distance: editDistance(text, name) }));
  distances.sort((a, b) => a.distance - b.distance);
  const [nearest] = distances;
  const most = text.length > 5 ? 2 : 1;
  return nearest && nearest.distance <= most && nearest.distance < nearest.name.length ? nearest.name : undefined;
}

/** Returns "; did you mean NAME?" or the empty string. */
export function nearestAdvice(text: string, names: readonly string[]): string {
  const nearest = nearestName(text, names);
  return nearest ? `; did you mean ${nearest}?` : '';
}

/** `kind` says what the names are for: `network`. */
export const unknownName = (kind: string, name: string, names: readonly string[]): string =>
  `unknown ${kind} "${printable(withoutSecrets(name))}"${nearestAdvice(name, names)} (known: ${names.join(', ')})`;
