import { describe, expect, test } from 'vitest';
import * as address from '../src/core/address/index.ts';
import * as bytes from '../src/core/bytes/index.ts';
import * as crypto from '../src/core/crypto/index.ts';
import * as descriptors from '../src/core/descriptors/index.ts';
import * as holder from '../src/core/holder/index.ts';
import * as interpreter from '../src/core/interpreter/index.ts';
import * as job from '../src/core/job/index.ts';
import * as keys from '../src/core/keys/index.ts';
import * as network from '../src/core/network/index.ts';
import * as psbts from '../src/core/psbt/index.ts';
import * as review from '../src/core/review/index.ts';
import * as script from '../src/core/script/index.ts';
import * as sighash from '../src/core/sighash/index.ts';
import * as signing from '../src/core/signing/index.ts';
import * as silentPayments from '../src/core/silentPayments/index.ts';
import * as tx from '../src/core/tx/index.ts';
import * as countersign from '../src/index.ts';
import * as account from '../src/kit/account/index.ts';
import * as funding from '../src/kit/funding/index.ts';
import * as labels from '../src/kit/labels/index.ts';
import * as message from '../src/kit/message/index.ts';
import * as payment from '../src/kit/payment/index.ts';
import * as policies from '../src/kit/policies/index.ts';
import * as qr from '../src/kit/qr/index.ts';

// Programs in plain JavaScript, or with `any` from a JSON answer, pass what no type allows. Each function says what it wants.

const areas = {
  ...countersign,
  ...account,
  ...address,
  ...bytes,
  ...crypto,
  ...descriptors,
  ...funding,
  ...holder,
  ...interpreter,
  ...job,
  ...keys,
  ...labels,
  ...message,
  ...network,
  ...payment,
  ...policies,
  ...psbts,
  ...qr,
  ...review,
  ...script,
  ...sighash,
  ...signing,
  ...silentPayments,
  ...tx,
};

type Function = (...given: never[]) => unknown;
type Functions = { [K in keyof typeof areas as (typeof areas)[K] extends Function ? K : never]: (typeof areas)[K] };

const { networks, nobleEcc, parseHex } = countersign;
const { regtest } = networks;
const secretKey = new Uint8Array(32).fill(1);
const publicKey = nobleEcc.publicKey(secretKey);
const xOnly = publicKey.slice(1);
const me = countersign.accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
const taproot = account.accountFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest', purpose: 86 });
const silent = account.silentPaymentsFromWords(`${'abandon '.repeat(11)}about`, { network: 'regtest' });
const coin = { txid: '11'.repeat(32), vout: 0, value: 100_000n, from: me.receive(0) };
const build = { inputs: [coin], outputs: [{ to: me.receive(1), value: 60_000n }], change: me.change(0), feeRate: 2 };
const psbt = countersign.buildPsbt(build);
const signed = countersign.signWith(me, psbt);
const transaction = countersign.decodeTransaction(parseHex(signed.hex ?? ''));
const v2 = countersign.createPsbt(
  { version: 2, inputs: [], outputs: [], locktime: 0 },
  { version: 2, modifiable: 'both' },
);
const prevouts = [{ value: 100_000n, scriptPubKey: me.receive(0).scriptPubKey }];
const [descriptor] = me.descriptors as [countersign.Descriptor];
const provider = countersign.createDescriptorProvider([me.receive(0).derived, me.change(0).derived]);
const master = keys.masterKey(secretKey);
const [request] = [...countersign.signingRequests(psbt)] as [countersign.SignatureRequest];
const signature = countersign.keySigner(provider)(request) ?? new Uint8Array(64);
const outpoint = { txid: countersign.parseTxid('22'.repeat(32)), vout: 0 };
const output = { value: 1000n, scriptPubKey: parseHex('51') };
const digested = { tx: transaction, inputIndex: 0, scriptCode: parseHex('51'), sighashType: 1 };
const aggregate = crypto.aggregateKeys([publicKey]);
const held = holder.createHolder(me.holds);
const reviewed = countersign.reviewWith(me, psbt);
const flags = countersign.STANDARD_FLAGS;
const checker = interpreter.transactionChecker({ tx: transaction, inputIndex: 0, value: 100_000n });
const paymentUri = payment.parsePaymentUri(`bitcoin:${me.receive(1).address}`, { network: 'regtest' });
const from = { scriptPubKey: me.receive(0).scriptPubKey, provider };

export { areas, type Functions };

describe('placeholder', () => {
  test('x', () => {
    expect([
      aggregate,
      held,
      reviewed,
      flags,
      checker,
      paymentUri,
      from,
      digested,
      output,
      outpoint,
      signature,
      master,
      descriptor,
      prevouts,
      v2,
      xOnly,
      taproot,
      silent,
      regtest,
    ]).toBeDefined();
  });
});
