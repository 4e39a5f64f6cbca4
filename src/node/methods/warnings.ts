import { chainRules } from './chainRules.ts';
import { isDeprecatedUsed, type NodeContext } from './context.ts';

/** Returns the warnings of a node as a release lists them: a list, or the last one as text. @see Bitcoin Core `GetWarningsForRpc` */
export function listWarnings(context: NodeContext): string | readonly string[] {
  const warnings = context.node.warnings();
  const isListed = chainRules[context.dialect.generation].listsWarnings && !isDeprecatedUsed('warnings', context);
  return isListed ? warnings : (warnings.at(-1) ?? '');
}
