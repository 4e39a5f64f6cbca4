import { withoutSecrets } from '../../core/encoding/redaction.ts';
import { hasKeyForm, writtenSecret } from '../../core/encoding/writtenSecrets.ts';

/** Masks the texts of a JSON value that are a key or seed words: people paste them into labels and messages by mistake. */
export function withoutSecretTexts<T>(value: T): T {
  return masked(value) as T;
}

function masked(value: unknown): unknown {
  if (typeof value === 'string') return isSecretText(value) ? withoutSecrets(value) : value;
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, masked(member)]));
}

function isSecretText(text: string): boolean {
  const secret = writtenSecret(text.trim());
  // Hex may be a transaction id.
  return (secret !== undefined && secret.kind !== 'hex') || hasKeyForm(text);
}
