import { assertText } from '../bytes/assertText.ts';
import { quoted, withoutSecrets } from '../encoding/redaction.ts';
import { BtcError } from '../errors.ts';

/** The script verification flags, by Core's names without `SCRIPT_VERIFY_`. @see Core `interpreter.h` */
export const SCRIPT_FLAGS = [
  'P2SH',
  'STRICTENC',
  'DERSIG',
  'LOW_S',
  'NULLDUMMY',
  'SIGPUSHONLY',
  'MINIMALDATA',
  'DISCOURAGE_UPGRADABLE_NOPS',
  'CLEANSTACK',
  'CHECKLOCKTIMEVERIFY',
  'CHECKSEQUENCEVERIFY',
  'WITNESS',
  'DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM',
  'MINIMALIF',
  'NULLFAIL',
  'WITNESS_PUBKEYTYPE',
  'CONST_SCRIPTCODE',
  'TAPROOT',
  'DISCOURAGE_UPGRADABLE_TAPROOT_VERSION',
  'DISCOURAGE_OP_SUCCESS',
  'DISCOURAGE_UPGRADABLE_PUBKEYTYPE',
] as const;

/** One of `SCRIPT_FLAGS`. */
export type ScriptFlag = (typeof SCRIPT_FLAGS)[number];
/** The flags to verify with. */
export type ScriptFlags = ReadonlySet<ScriptFlag>;

/** The consensus rules of blocks on all current networks. @see Core `MANDATORY_SCRIPT_VERIFY_FLAGS` */
export const MANDATORY_FLAGS: ScriptFlags = /* @__PURE__ */ new Set<ScriptFlag>([
  'P2SH',
  'DERSIG',
  'NULLDUMMY',
  'CHECKLOCKTIMEVERIFY',
  'CHECKSEQUENCEVERIFY',
  'WITNESS',
  'TAPROOT',
]);

/** The relay policy of nodes: all flags except SIGPUSHONLY. @see Core `STANDARD_SCRIPT_VERIFY_FLAGS` */
export const STANDARD_FLAGS: ScriptFlags = /* @__PURE__ */ new Set<ScriptFlag>(
  SCRIPT_FLAGS.filter((flag) => flag !== 'SIGPUSHONLY'),
);

const NEEDS: ReadonlyMap<ScriptFlag, readonly ScriptFlag[]> = /* @__PURE__ */ new Map<
  ScriptFlag,
  readonly ScriptFlag[]
>([
  ['CLEANSTACK', ['WITNESS', 'P2SH']],
  ['WITNESS', ['P2SH']],
]);

/** Adds the flags that others require: WITNESS for CLEANSTACK, P2SH for both. */
export function completeFlags(flags: Iterable<ScriptFlag>): ScriptFlags {
  const complete = new Set(flags);
  for (const flag of [...complete]) for (const needed of NEEDS.get(flag) ?? []) complete.add(needed);
  return complete;
}

/**
 * Parses flag names separated by commas, as in Core's test files; `NONE` or an empty text means no flags.
 * @throws `script/flag-unknown`
 *
 * @example
 * ```ts
 * import { parseScriptFlags } from 'countersign';
 *
 * const flags = parseScriptFlags('P2SH,WITNESS');
 * flags.has('WITNESS'); // true
 * ```
 */
export function parseScriptFlags(text: string): ScriptFlags {
  assertText('flags', text);
  const names = text.split(',').filter((name) => name !== '' && name !== 'NONE');
  return completeFlags(names.map(flagNamed));
}

function flagNamed(name: string): ScriptFlag {
  const flag = SCRIPT_FLAGS.find((candidate) => candidate === name);
  if (flag !== undefined) return flag;
  throw new BtcError(
    'script/flag-unknown',
    { name: withoutSecrets(name), known: SCRIPT_FLAGS.join(',') },
    `There is no script flag ${quoted(name)}`,
  );
}
