import { addressText } from '../../../answers/arguments/addressArgument.ts';
import { invalidParameter, RPC_WALLET_INVALID_LABEL_NAME } from '../../../answers/method/errorCodes.ts';
import { optional, string } from '../../../answers/method/parameters.ts';
import { dictionary, list, members, oneOf, text } from '../../../answers/method/results.ts';
import { compareUtf8 } from '../../../core/bytes/utf8.ts';
import { withoutSecrets } from '../../../core/encoding/redaction.ts';
import { RpcError } from '../../../core/errors.ts';
import { destinationOrder } from '../../wallet/queries/destinationOrder.ts';
import { entriesWithLabel, labelledEntries } from '../../wallet/records/addressBook.ts';
import type { WalletContext } from '../context.ts';
import { walletMethod } from '../context.ts';
import { parseLabel } from '../walletArguments.ts';
import { walletMethodRules } from '../walletMethodRules.ts';

export const getaddressesbylabel = walletMethod({
  name: 'getaddressesbylabel',
  checksLate: true,
  about: 'Lists the addresses with a label, whether they belong to the wallet or not.',
  params: [string('label', 'the label')],
  result: dictionary(members({ purpose: oneOf(['receive', 'send']) }), 'by address'),
  examples: ['getaddressesbylabel rent'],
  run: (args, context) => {
    const label = parseLabel(args.label);
    const compare = destinationOrder(context.dialect.templates);
    const entries = [...entriesWithLabel(context.wallet, label)].sort((a, b) => compare(a.script, b.script));
    if (entries.length === 0)
      throw new RpcError(RPC_WALLET_INVALID_LABEL_NAME, `No addresses with label ${withoutSecrets(label)}`);
    return Object.fromEntries(
      entries.map(({ script, purpose }) => [addressText(script, context) ?? '', { purpose }] as const),
    );
  },
});

/** @see Bitcoin Core 31 `PurposeFromString` */
const PURPOSES: ReadonlySet<string> = new Set(['send', 'receive', 'refund']);

export const listlabels = walletMethod({
  name: 'listlabels',
  checksLate: true,
  about: 'Lists the labels of addresses.',
  params: [
    optional(
      string('purpose', 'lists only labels of addresses with this purpose: "receive" or "send"', { default: 'any' }),
    ),
  ],
  result: list(text(), 'the labels'),
  examples: ['listlabels receive'],
  run: (args, context) => {
    const { wallet } = context;
    const { purpose = '' } = args;
    assertPurpose(purpose, context);
    const labels = new Set<string>();
    for (const [label, entry] of labelledEntries(wallet)) {
      if (purpose === '' || entry.purpose === purpose) labels.add(label);
    }
    return [...labels].sort(compareUtf8);
  },
});

/** An empty text stands for all purposes. */
function assertPurpose(purpose: string, { dialect }: WalletContext): void {
  const { refusesUnknownPurposes } = walletMethodRules[dialect.generation];
  if (purpose === '' || PURPOSES.has(purpose) || !refusesUnknownPurposes) return;
  throw invalidParameter("Invalid 'purpose' argument, must be a known purpose string, typically 'send', or 'receive'.");
}
