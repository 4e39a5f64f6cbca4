import { assertPrefix, type KeyOfFile, multisigDescriptor, networksOfKeys, readKey } from './keyText.ts';
import { contentLines, type Line, type MultisigScript, refuseFile, type WalletDraft } from './walletFile.ts';

const FORMAT = 'coldcard-multisig';

const SCRIPTS: ReadonlyMap<string, MultisigScript> = /* @__PURE__ */ new Map([
  ['p2sh', 'p2sh'],
  ['p2wsh', 'p2wsh'],
  ['p2sh-p2wsh', 'p2sh-p2wsh'],
  ['p2wsh-p2sh', 'p2sh-p2wsh'],
]);

/** Electrum before 4.1 and Cobo Vault write the path of each key as a comment. */
const COMMENTED_PATH = /^[ \t]*#[ \t]*(derivation[ \t]*:)/gim;

interface Read {
  name?: string;
  policy?: { readonly required: number; readonly total: number; readonly place: string };
  path?: string;
  script?: MultisigScript;
  readonly keys: KeyOfFile[];
}

type ReadValue = (read: Read, value: string, place: string) => void;

/** In lower case. */
const LABELS: ReadonlyMap<string, ReadValue> = /* @__PURE__ */ new Map<string, ReadValue>([
  ['name', (read, value) => Object.assign(read, { name: value })],
  ['policy', readPolicy],
  [
    'derivation',
    (read, value, place) => {
      if (value === '') refuseFile(FORMAT, `${place} has no derivation path`);
      read.path = value;
    },
  ],
  [
    'format',
    (read, value, place) => {
      const script = SCRIPTS.get(value.toLowerCase());
      read.script =
        script ?? refuseFile(FORMAT, `${place} has an unsupported format; P2SH, P2WSH and P2SH-P2WSH are supported`);
    },
  ],
]);

export function isColdcardMultisig(text: string): boolean {
  return /^[ \t]*(?:policy|derivation|format|[0-9a-f]{8})[ \t]*:/im.test(text);
}

/** A key has the last derivation path that precedes it. @see https://coldcard.com/docs/multisig */
export function parseColdcardMultisig(text: string): WalletDraft {
  const read: Read = { keys: [] };
  for (const line of contentLines(text.replace(COMMENTED_PATH, '$1'))) readLine(read, line);
  const { name, policy, script, keys } = read;
  if (!policy) return refuseFile(FORMAT, 'it has no line such as "Policy: 2 of 3"');
  if (!script) {
    return refuseFile(
      FORMAT,
      'it has no line such as "Format: P2WSH"; a file of an old Coldcard without one means P2SH',
    );
  }
  if (policy.total !== keys.length) {
    refuseFile(FORMAT, `${policy.place} asks for ${policy.total} keys, but the file has ${keys.length}`);
  }
  const descriptor = multisigDescriptor(FORMAT, { required: policy.required, script, keys });
  return {
    ...(name && { name }),
    networks: networksOfKeys(FORMAT, keys),
    descriptors: [{ text: descriptor, place: policy.place }],
  };
}

function readLine(read: Read, { text, place }: Line): void {
  // `#` begins a comment, unless a digit follows, as in names.
  const [label = '', ...values] = text.replace(/#(?!\d).*/s, '').split(':');
  const value = values.join(':').trim();
  const readLabelled = LABELS.get(label.trim().toLowerCase());
  if (readLabelled) readLabelled(read, value, place);
  else if (/^[0-9a-f]{8}$/i.test(label.trim())) readKeyLine(read, label.trim(), { text: value, place });
  else refuseFile(FORMAT, `${place} is neither a labelled line nor a key with its fingerprint`);
}

function readPolicy(read: Read, value: string, place: string): void {
  const [, required = '', total = ''] = /^(\d{1,3})\D+(\d{1,3})$/.exec(value) ?? [];
  if (total === '') refuseFile(FORMAT, `${place} has no policy such as "2 of 3"`);
  read.policy = { required: Number(required), total: Number(total), place };
}

function readKeyLine({ path, keys, script }: Read, fingerprint: string, { text, place }: Line): void {
  if (path === undefined) {
    refuseFile(
      FORMAT,
      `${place} has a key without a derivation path; a line such as "Derivation: m/48h/0h/0h/2h" must come before it`,
    );
  }
  const key = readKey({ format: FORMAT, place, text, origin: { fingerprint, path } });
  if (key.isPrivate) refuseFile(FORMAT, `${place} has a private key; such a file holds extended public keys only`);
  if (script !== undefined) assertPrefix(key, script, { format: FORMAT, place });
  keys.push(key);
}
