import { wrapText } from '../../core/encoding/wrapText.ts';
import type { RpcSignature } from './method.ts';
import type { Param } from './parameters.ts';

/** Returns the first line of help, with optional parameters in parentheses. */
export function synopsis({ name, params }: Pick<RpcSignature, 'name' | 'params'>): string {
  const labels = params.map(({ name: param, type, isOptional }) => {
    const text = type === 'string' ? `"${param}"` : type === 'array' ? `[${param}]` : param;
    return isOptional ? `( ${text} )` : text;
  });
  return [name, ...labels].join(' ');
}

export function methodHelp({ name, about, params, result, examples }: RpcSignature): string {
  const sections = [
    synopsis({ name, params }),
    about,
    ...(params.length > 0 ? [`Arguments:\n${parameterHelp(params)}`] : []),
    ...(result === undefined ? [] : [`Result:\n${result}`]),
    `Examples:\n${examples.map((example) => `> countersign ${example}`).join('\n')}`,
  ];
  return sections.join('\n\n');
}

function parameterHelp(params: readonly Param[]): string {
  const labels = params.map(({ name }, position) => `${position + 1}. ${name}`);
  const width = Math.max(...labels.map(({ length }) => length)) + 4;
  const texts = params.map((param, position) => {
    const [about = '', ...details] = param.about.split('\n');
    const words = `(${traits(param)})${about === '' ? '' : ` ${about}`}`;
    return [`${labels[position]?.padEnd(width)}${wrapText(words, width)}`, ...details].join('\n');
  });
  return texts.join('\n');
}

function traits({ type, shownType, isOptional, default: fallback, since, onlyInDialect }: Param): string {
  return [
    shownType ?? (type === 'bool' ? 'boolean' : type),
    isOptional ? 'optional' : 'required',
    ...(fallback === undefined ? [] : [`default ${fallback}`]),
    ...(onlyInDialect === undefined ? [] : [`${onlyInDialect} only`]),
    ...(since === undefined ? [] : [`since ${since}`]),
  ].join(', ');
}
