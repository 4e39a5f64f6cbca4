import { nobleEcc } from '../crypto/nobleEcc.ts';
import { withoutSecrets } from '../encoding/redaction.ts';
import { POLICY_DEFAULTS, type Policy, type PolicyAction, type PolicyCheck, refusalsIn } from '../review/policy.ts';
import type { PsbtReview } from '../review/reviewPsbt.ts';
import { formatReview } from '../review/reviewText.ts';
import { reviewTransaction } from '../review/reviewTransaction.ts';
import type { RpcContext } from '../rpc/dialect.ts';
import type { JsonValue } from '../rpc/json/jsonValue.ts';
import { chainCoins, coinsSpentBy, parsePrevtxs, withoutMark } from '../rpc/rawtransaction/prevtxs.ts';
import { transactionToSign } from '../rpc/rawtransaction/rawTransaction.ts';
import { parsePrivateKeys, parseSighashType } from '../rpc/rawtransaction/signingArguments.ts';
import { createSigningProvider } from '../signing/signingProvider.ts';
import { CURRENT_RULES } from '../signing/signingRules.ts';
import { allowsColours } from '../terminal/colours.ts';
import type { Io } from '../terminal/io.ts';
import { nearestAdvice, UsageError } from '../terminal/usageError.ts';
import type { CommandLine } from './options.ts';

/**
 * Prints a review of the transaction to standard error and asks whether to sign it.
 * @returns false if the policy or the user refuses
 * @throws UsageError for any method but `signrawtransactionwithkey`; RpcError for malformed arguments
 */
export async function isApproved(
  [hex, privkeys, prevtxs, sighash]: readonly JsonValue[],
  line: CommandLine,
  { context, io }: { readonly context: RpcContext; readonly io: Io },
): Promise<boolean> {
  const { command } = line;
  if (command !== 'signrawtransactionwithkey') {
    const { shownName } = await import('../rpc/registry.ts');
    throw new UsageError(`--review does not apply to ${shownName(command ?? 'nothing')}`);
  }
  const { network, dialect, chain, ecc = nobleEcc } = context;
  const tx = transactionToSign(hex?.type === 'string' ? hex.value : '', context);
  const keys = parsePrivateKeys(privkeys?.type === 'array' ? privkeys.items : [], context);
  const outpoints = tx.inputs.map(({ outpoint }) => outpoint);
  const scripts: Uint8Array[] = [];
  const coins = parsePrevtxs(prevtxs, context, { scripts, before: chainCoins(outpoints, context) });
  const prevouts = coinsSpentBy(tx, coins).map((coin) => withoutMark(coin, network));
  const review = reviewTransaction(
    {
      tx,
      prevouts,
      previousTransactions: outpoints.map((outpoint) => chain?.transaction(outpoint)),
      provider: createSigningProvider({ keys, scripts }, CURRENT_RULES, ecc),
    },
    { ecc, network, policy: policyOf(line.policy), sighashType: parseSighashType(sighash, dialect) },
  );
  io.writeError(formatReview(review, { hasColours: io.isWatched && allowsColours(io) }));
  return isConfirmed(review, line, io);
}

/**
 * Refuses what the policy refuses, and asks about everything else. Without a terminal, only `--yes` confirms.
 * @returns whether to sign
 */
export async function isConfirmed(review: PsbtReview, { yes }: CommandLine, io: Io): Promise<boolean> {
  const checks = new Set(refusalsIn(review.findings).map(({ check }) => check));
  if (checks.size > 0) {
    const options = [...checks].map((check) => `--policy ${check}=warn`).join(' ');
    io.writeError(`not signed: only if everything that was refused is what you want, add ${options}\n`);
    return false;
  }
  if (yes) return true;
  if (io.isInteractive) return askPerson(io);
  io.writeError('not signed: no terminal to confirm on; pass --yes once you have reviewed it\n');
  return false;
}

async function askPerson(io: Io): Promise<boolean> {
  const answer = await io.ask('Sign it? Type yes: ');
  if (answer.trim().toLowerCase() === 'yes') return true;
  io.writeError('not signed: the answer was not "yes"\n');
  return false;
}

const ACTIONS: readonly PolicyAction[] = ['refuse', 'warn', 'allow'];

/** Parses every `--policy CHECK=ACTION`. @throws UsageError for an unknown check or action */
export function policyOf(rules: readonly string[]): Policy {
  const names = Object.keys(POLICY_DEFAULTS);
  return Object.fromEntries(
    rules.map((rule) => {
      const [name = '', ...rest] = rule.split('=');
      const action = rest.join('=');
      if (!names.includes(name))
        throw new UsageError(
          `--policy: unknown check "${withoutSecrets(name)}"${nearestAdvice(name, names)} (known: ${names.join(', ')})`,
        );
      const found = ACTIONS.find((known) => known === action);
      if (!found) throw new UsageError(`--policy ${name}=...: the action must be one of ${ACTIONS.join(', ')}`);
      return [name as PolicyCheck, found];
    }),
  );
}
