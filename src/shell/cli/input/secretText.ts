import { writtenSecret } from '../../../core/encoding/writtenSecrets.ts';
import type { SecretKind } from '../../../kit/recognize/recognize.ts';

export const SECRETS: Readonly<Record<SecretKind, string>> = {
  words: 'seed words; give them with --seed-file',
  'extended-key': 'an extended private key; give it with --keys-file',
  wif: 'a private key; give it with --keys-file',
  descriptors: 'descriptors with private keys; give them with --descriptors-file',
  'wallet-file': 'a wallet file with private keys; give it with --descriptors-file',
};

/** Continues "it is" with the name of a secret that a text is, whatever else it may be read as. */
export function secretText(text: string): string | undefined {
  const secret = writtenSecret(text);
  if (!secret || secret.kind === 'hex') return undefined;
  return secret.kind === 'unread' ? secret.form : SECRETS[secret.kind];
}
