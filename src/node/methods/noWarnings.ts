import { chainRules } from './chainRules.ts';
import { isDeprecatedUsed, type NodeContext } from './context.ts';

/** Returns how a node says that it has no warnings. @see Bitcoin Core `GetWarningsForRpc` */
export const noWarnings = (context: NodeContext): '' | readonly [] =>
  isDeprecatedUsed('warnings', context) ? '' : chainRules[context.dialect.generation].noWarnings;
