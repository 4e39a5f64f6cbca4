import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openJob, reviewJob } from '../../src/core/job/job.ts';
import { campaign } from '../support/campaign.ts';
import { createHolder, formatHex, networks, nobleEcc, type Psbt, type PsbtReview } from '../support/library.ts';
import { ALICE, BOB, MALLORY, make, PAYEE, parse, scriptAt, withOutput } from '../support/psbts.ts';

/** Only an output that the honest wallet derives is ever called change, whatever else a wallet file or a PSBT says. */

const network = networks.regtest;
/** Alice's review with these wallet files, with her seed or without any key. */
function reviewWith(psbt: Psbt, texts: readonly string[], { hasKeys }: { readonly hasKeys: boolean }): PsbtReview {
  const wallets = texts.map((text) => ({ descriptor: parse(text) }));
  const holder = createHolder({ network, ecc: nobleEcc, wallets, keys: hasKeys ? [ALICE.held] : [] });
  return reviewJob(openJob(psbt, holder), { policy: { 'script-mismatch': 'allow', 'taproot-mismatch': 'allow' } });
}

const key = (person: typeof ALICE, path: string): string => `${person.xpub(path)}/<0;1>/*`;
const [U, U2, B, X] = [
  key(ALICE, 'm/84h/1h/0h'),
  key(ALICE, 'm/48h/1h/0h/2h'),
  key(BOB, 'm/48h/1h/0h/2h'),
  key(MALLORY, 'm/48h/1h/0h/2h'),
] as const;

const HONEST = [
  `pkh(${U})`,
  `wpkh(${U})`,
  `sh(wpkh(${U}))`,
  `tr(${U})`,
  `tr(${U},pk(${U2}))`,
  `wsh(sortedmulti(2,${U2},${B}))`,
  `wsh(or_d(pk(${U2}),and_v(v:pkh(${B}),older(100))))`,
  `tr(${U},and_v(v:pk(${B}),older(100)))`,
] as const;

/** Descriptors with a stranger's key, most of them with the user's own beside it. */
const HOSTILE = [
  `wpkh(${X})`,
  `tr(${X})`,
  `tr(${X},pk(${U}))`,
  `tr(${U},pk(${X}))`,
  `wsh(or_i(pk(${U}),pk(${X})))`,
  `wsh(or_d(pk(${X}),and_v(v:pk(${U}),older(10))))`,
  `wsh(andor(pk(${U}),older(10),pk(${X})))`,
  `sh(wsh(sortedmulti(1,${U},${X})))`,
  `wsh(sortedmulti(1,${U2},${B},${X}))`,
  `wsh(thresh(1,pk(${U}),s:pk(${X})))`,
  `tr(${U},multi_a(1,${U2},${X}))`,
] as const;

/** Descriptors that need the user's key, and another. */
const SHARED = [`wsh(sortedmulti(2,${U2},${X}))`, `tr(${U2},and_v(v:pk(${X}),older(1)))`] as const;

/** The checks that refuse an output to a wallet: not spent, spent beside others, or worse than what is spent. */
const REFUSED_ROLES: readonly string[] = ['wallet-foreign', 'wallets-mixed', 'change-later'];

const plans = fc.record({
  honest: fc.constantFrom(...HONEST),
  hostile: fc.constantFrom(...HOSTILE, ...SHARED),
  isFirst: fc.boolean(),
  hasKeys: fc.boolean(),
  /** Whether a coin of the hostile wallet is spent, too. */
  isBaited: fc.boolean(),
  index: fc.nat({ max: 5 }),
  claims: fc.constantFrom('none', 'true', 'honest'),
});

function psbtOf({
  honest,
  hostile,
  isBaited,
  index,
  claims,
}: typeof plans extends fc.Arbitrary<infer T> ? T : never): Psbt {
  const inputs = [{ of: honest, index }, ...(isBaited ? [{ of: hostile, index, value: 2000n }] : [])];
  const outputs = [
    { to: PAYEE, value: 10_000n },
    { to: honest, index, value: 50_000n },
    { to: hostile, index, value: 930_000n },
  ];
  const psbt = make({ inputs, outputs, version: 2 });
  if (claims === 'true') return psbt;
  const { amount: _a, script: _s, ...records } = psbt.outputs[1] ?? {};
  return withOutput(psbt, 2, ({ amount, script }) => ({
    ...(amount !== undefined && { amount }),
    ...(script && { script }),
    ...(claims === 'honest' && records),
  }));
}

test('no output to a wallet with a stranger’s key stays, and with keys at hand none is signed', () => {
  fc.assert(
    fc.property(plans, (plan) => {
      const { honest, hostile, isFirst, hasKeys, index } = plan;
      const texts = isFirst ? [hostile, honest] : [honest, hostile];
      const { outputs, findings } = reviewWith(psbtOf(plan), texts, { hasKeys });
      const staying = outputs.filter(({ stays }) => stays).map(({ scriptPubKey }) => formatHex(scriptPubKey));
      const own = formatHex(scriptAt(honest, 1, index));
      if (!plan.isBaited) expect(staying).toContain(own);
      expect(staying.filter((script) => script !== own)).toEqual([]);
      // Without claims, nothing leads to the index at which the hostile file derives it: then it is a payment.
      if (outputs[2]?.owner.kind === 'none') return;
      const found = findings.filter(({ outputIndex }) => outputIndex === 2);
      expect(found).not.toEqual([]);
      if (!hasKeys) return;
      const refusals = found.filter(({ action }) => action === 'refuse').map(({ check }) => check);
      expect(refusals.some((check) => REFUSED_ROLES.includes(check))).toBe(true);
    }),
    campaign(800),
  );
});

test('an output that names the honest wallet’s keys but not its script is refused', () => {
  fc.assert(
    fc.property(plans, (plan) => {
      const { honest, hasKeys } = plan;
      const psbt = psbtOf({ ...plan, isBaited: false, claims: 'honest' });
      const { findings, outputs } = reviewWith(psbt, [honest], { hasKeys });
      expect(findings).toContainEqual(
        expect.objectContaining({ check: 'change-refuted', action: 'refuse', outputIndex: 2 }),
      );
      expect(findings.filter(({ check, outputIndex }) => check === 'change-refuted' && outputIndex !== 2)).toEqual([]);
      expect(outputs.map(({ stays }) => stays)).toEqual([false, true, false]);
    }),
    campaign(400),
  );
});
