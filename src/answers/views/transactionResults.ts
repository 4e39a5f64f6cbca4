import { type Answer, amount, flag, hex, list, maybe, members, numeric, text, time } from '../method/results.ts';

export const scriptResult = members({ asm: text(), hex: hex(), type: text() });

/** A redeem or witness script. */
export type ScriptJson = Answer<typeof scriptResult>;

export const scriptSigResult = members({ asm: text('with the sighash type of each signature'), hex: hex() });

/** A scriptSig, whose `asm` shows the sighash type of signatures. */
export type ScriptSigJson = Answer<typeof scriptSigResult>;

const asmMembers = {
  asm: text(),
  desc: maybe(text('a descriptor inferred from the script'), { since: 'core-29' }),
};

const typeMembers = {
  reqSigs: maybe(numeric('the number of signatures that a spend needs'), { until: 'core-0.21' }),
  address: maybe(text('if it has one')),
  type: text(),
  addresses: maybe(list(text()), { until: 'core-0.21' }),
};

/** A script read as a scriptPubKey, without its hex. */
export const scriptTypeResult = members({ ...asmMembers, ...typeMembers });

export const scriptPubKeyResult = members({ ...asmMembers, hex: hex(), ...typeMembers });

/** Of a coin in a PSBT, where 0.21 shows the address alone, and last. */
export const utxoScriptPubKeyResult = {
  ...scriptPubKeyResult,
  orders: [{ until: 'core-0.21', first: ['asm', 'hex', 'type', 'address'] }],
} as const;

/** A scriptPubKey, in the shape of either generation. */
export type ScriptPubKeyJson = Answer<typeof scriptPubKeyResult>;

const prevoutResult = members(
  {
    generated: flag('whether a coinbase made it'),
    height: numeric(),
    value: amount(),
    scriptPubKey: scriptPubKeyResult,
  },
  'the output being spent',
);

/** A coin that an input spends. */
export type PrevoutJson = Answer<typeof prevoutResult>;

const mwebMember = { ismweb: maybe(flag(), { onlyInDialect: 'litecoin-0.21' }) } as const;

const inputMembers = {
  ...mwebMember,
  coinbase: maybe(hex('of a coinbase input, instead of txid, vout and scriptSig')),
  txid: maybe(hex()),
  vout: maybe(numeric()),
  scriptSig: maybe(scriptSigResult),
  txinwitness: maybe(list(hex())),
};
const sequenceMember = { sequence: numeric() };

const inputResult = members({ ...inputMembers, ...sequenceMember });

/** An input of a decoded transaction. */
export type InputJson = Answer<typeof inputResult>;

const foundInputResult = members({
  ...inputMembers,
  prevout: maybe(prevoutResult, { since: 'core-29' }),
  ...sequenceMember,
});

const outputResult = members({
  ...mwebMember,
  value: amount(),
  n: numeric('its index'),
  scriptPubKey: scriptPubKeyResult,
});

/** An output of a decoded transaction. */
export type OutputJson = Answer<typeof outputResult>;

export const transactionResult = members({
  txid: hex(),
  hash: hex('the wtxid'),
  version: numeric(),
  size: numeric(),
  vsize: numeric(),
  weight: numeric(),
  locktime: numeric(),
  vin: list(inputResult),
  vout: list(outputResult),
});

/** The answer of `decoderawtransaction`. */
export type TransactionJson = Answer<typeof transactionResult>;

const ownedOutputResult = members({
  ...outputResult.members,
  ischange: maybe(flag('true for change'), { since: 'core-31' }),
});

export const ownedTransactionResult = members({ ...transactionResult.members, vout: list(ownedOutputResult) });

const feeMember = { fee: maybe(amount('if the node has the coins'), { since: 'core-29' }) };

export const blockTransactionResult = members({ ...transactionResult.members, ...feeMember, hex: hex() });

/** With the coins that it spends, where the node has them. */
export const spendingTransactionResult = members({
  ...transactionResult.members,
  vin: list(foundInputResult),
  ...feeMember,
  hex: hex(),
});

/** A transaction of a block. */
export type BlockTransactionJson = Answer<typeof spendingTransactionResult>;

const firstFoundMembers = {
  in_active_chain: maybe(flag('whether the named block is in the active chain')),
  vsize_adjusted: maybe(numeric('of an unconfirmed transaction: adjusted for signature operations'), {
    since: 'core-32',
  }),
};
const lastFoundMembers = {
  blockhash: maybe(hex()),
  confirmations: maybe(numeric()),
  time: maybe(time('of the block')),
  blocktime: maybe(time('the same')),
};

export const foundTransactionResult = members({
  ...firstFoundMembers,
  ...transactionResult.members,
  hex: hex(),
  ...lastFoundMembers,
});

/** With the coins that it spends, where the node has them. */
export const foundSpendingResult = members({
  ...firstFoundMembers,
  ...spendingTransactionResult.members,
  ...lastFoundMembers,
});

/** A transaction as the chain or the mempool has it. */
export type FoundTransactionJson = Answer<typeof foundSpendingResult>;
