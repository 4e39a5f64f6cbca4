import { bytesKey, concatBytes } from '../bytes/compare.ts';
import { withSecretKey } from '../crypto/concealed.ts';
import { assertSecretKey, type Ecc } from '../crypto/ecc.ts';
import { isValidPublicKey } from '../crypto/publicKey.ts';
import { formatVersionedText, parseVersionedText } from '../encoding/silentPaymentText.ts';
import { NEWEST } from '../generations.ts';
import { formatOrigin } from '../keys/path.ts';
import type { Network } from '../network/networks.ts';
import { hasSilentPayments } from '../silentPayments/address.ts';
import { originsBelow, type SilentPaymentKeys } from '../silentPayments/keys.ts';
import { type Annotations, splitAnnotations } from './annotations.ts';
import { splitChecksum, withChecksum } from './checksum.ts';
import { createKeyDeriver, type DerivedKey } from './deriveKey.ts';
import { descriptorRules } from './descriptorRules.ts';
import { countPaths, parseKey, splitOrigin } from './parseKey.ts';
import { refuse } from './refuse.ts';
import { callArgument, takeExpression, takeText } from './scan.ts';
import type { KeyExpression, Reading } from './types.ts';

/** The names of the two encodings, which on test networks begin with a t. */
const SCAN = 'spscan';
const SPEND = 'spspend';
const SECRET_SIZE = 32;
const PUBLIC_SIZE = 33;

/** What an `sp()` descriptor says. */
export interface AnnotatedKeys extends SilentPaymentKeys {
  readonly annotations: Annotations;
}

/**
 * Parses the descriptor of a wallet of silent payments: `sp(spscan1...)`, `sp(spspend1...)`, or `sp(SCAN,SPEND)` with key
 * expressions, of which the first is private. Bitcoin Core has no such descriptors.
 * @throws `descriptor/invalid`, `descriptor/checksum`; the error omits anything that might be a private key
 * @see BIP392, BIP393
 */
export function parseSilentPaymentDescriptor(text: string, network: Network, ecc: Ecc): AnnotatedKeys {
  const { text: plain, annotations } = splitAnnotations(text);
  const { body } = splitChecksum(plain, false);
  const argument = callArgument('sp', body);
  if (argument === undefined) refuse('it does not have the form sp(KEY) or sp(KEY,KEY)');
  const reading: Reading = { network, rules: descriptorRules[NEWEST], ecc };
  const rest = { text: argument };
  const first = takeExpression(rest, reading.rules);
  if (rest.text === '') return { ...parseEncoded(first, reading), annotations };
  const second = takeText(rest, ',') ? takeExpression(rest, reading.rules) : '';
  if (rest.text !== '') refuse('sp() takes one or two keys');
  return { ...parsePair(first, second, reading), annotations };
}

function prefixOf(network: Network): string {
  if (!hasSilentPayments(network)) refuse(`the network ${network.name} has no silent payments`);
  return network.isMain ? '' : 't';
}

const ONE_KEY =
  'with one key, sp() takes one that begins with spscan1 or spspend1 (on test networks tspscan1, tspspend1)';

function parseEncoded(text: string, reading: Reading): SilentPaymentKeys {
  const { ecc, network } = reading;
  const { key, origin } = splitOrigin(text, { ...reading, mark: 'h' });
  const prefix = prefixOf(network);
  if (!/^t?sp(?:scan|spend)1/i.test(key)) refuse(ONE_KEY);
  const { version, payload, ...parsed } =
    parseVersionedText(key) ?? refuse('a character of its key is wrong or missing');
  const kind = [SCAN, SPEND].find((name) => parsed.prefix === prefix + name);
  if (kind === undefined)
    refuse(
      `its key is for another network than ${network.name}, where it would begin with ${prefix}spscan1 or ${prefix}spspend1`,
    );
  if (version !== 0) refuse(`version ${version} of its key is unknown`);
  const [scanSecretKey, spend] = [payload.slice(0, SECRET_SIZE), payload.slice(SECRET_SIZE)];
  if (spend.length !== (kind === SCAN ? PUBLIC_SIZE : SECRET_SIZE)) refuse('its key has a wrong length');
  if (kind === SCAN && !isValidPublicKey(spend)) refuse('its spend key is not a point of the curve');
  for (const secret of kind === SCAN ? [scanSecretKey] : [scanSecretKey, spend]) assertSecretKey(secret);
  const pairOf = (secretKey: Uint8Array) => withSecretKey({ publicKey: ecc.publicKey(secretKey) }, secretKey);
  return {
    scan: pairOf(scanSecretKey),
    spend: kind === SCAN ? { publicKey: spend } : pairOf(spend),
    ...(origin && { origin, spendOrigin: originsBelow(origin).spend }),
  };
}

function parsePair(scanText: string, spendText: string, reading: Reading): SilentPaymentKeys {
  const scan = derived(parseKey(scanText, 'wpkh', reading), reading.ecc);
  if (!scan.secretKey) refuse('the scan key of sp() must be private, as only that finds payments');
  const spend = derived(parseKey(spendText, spendText.startsWith('musig(') ? 'tr' : 'wpkh', reading), reading.ecc);
  const { secretKey, publicKey, origin } = spend;
  return {
    scan: withSecretKey({ publicKey: scan.publicKey }, scan.secretKey),
    spend: secretKey ? withSecretKey({ publicKey }, secretKey) : { publicKey },
    spendOrigin: origin,
  };
}

function derived(key: KeyExpression, ecc: Ecc): DerivedKey {
  if (countPaths(key) > 1 || (key.kind !== 'fixed' && key.wildcard !== 'none')) {
    refuse('each key of sp() must be a single one, without /* or <>');
  }
  const expansion = { keys: new Map<string, DerivedKey>(), aggregates: new Map(), scripts: [] };
  const publicKey = createKeyDeriver(key, ecc)(0, expansion);
  return expansion.keys.get(bytesKey(publicKey)) ?? refuse('a key of sp() cannot be derived');
}

/**
 * Formats keys as a descriptor that finds payments, or with `isPrivate` one that spends them, too.
 * @throws `descriptor/invalid` for a network without silent payments, or if the private spend key is unknown
 * @see BIP392
 */
export function formatSilentPaymentDescriptor(
  { scan, spend, origin }: SilentPaymentKeys,
  network: Network,
  { isPrivate = false }: { readonly isPrivate?: boolean } = {},
): string {
  const second = isPrivate ? spend.secretKey : spend.publicKey;
  if (!second) refuse('the private spend key is not known');
  const payload = concatBytes(scan.secretKey, second);
  const key = formatVersionedText({ prefix: prefixOf(network) + (isPrivate ? SPEND : SCAN), version: 0, payload });
  return withChecksum(`sp(${origin ? formatOrigin(origin) : ''}${key})`);
}
