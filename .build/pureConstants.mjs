/**
 * A Rolldown plugin that marks how modules compute their constants as free of side effects, which `sideEffects: false`
 * of package.json promises: bundlers drop whole modules by that field, but in a chunk of several modules they only drop
 * marked calls.
 */
export const pureConstants = {
  name: 'pure-constants',
  transform: {
    filter: { id: /\/src\/.*\.ts$|\/node_modules\/@(?:noble|scure)\// },
    handler(code, id) {
      return marked(code, this.parse(code, { lang: id.endsWith('.ts') ? 'ts' : 'js' }));
    },
  },
};

/** A Rolldown plugin that marks them again in the chunks, for the bundlers of others: compression drops the marks. */
export const pureChunks = {
  name: 'pure-chunks',
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type === 'chunk') file.code = marked(file.code, this.parse(file.code));
    }
  },
};

function marked(code, { body }) {
  const parts = [];
  let done = 0;
  for (const { init } of body.flatMap(constantsOf)) {
    if (isPlain(init)) continue;
    parts.push(code.slice(done, init.start), markedValue(init, code.slice(init.start, init.end)));
    done = init.end;
  }
  return [...parts, code.slice(done)].join('');
}

function markedValue(node, text) {
  const isPlainCall = /^(?:Call|New)Expression$/.test(node.type) && node.arguments.every(isPlain);
  return isPlainCall ? `/*@__PURE__*/${text}` : `/*@__PURE__*/(()=>(${text}))()`;
}

function constantsOf(statement) {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (declaration?.type !== 'VariableDeclaration') return [];
  return declaration.declarations.filter(({ id, init }) => id.type === 'Identifier' && init);
}

const PLAIN = new Set(['Literal', 'Identifier', 'ArrowFunctionExpression', 'FunctionExpression']);

/** Tells whether every bundler sees that an expression has no side effects. */
function isPlain(node) {
  if (node === null || PLAIN.has(node.type)) return true;
  switch (node.type) {
    case 'ArrayExpression':
      return node.elements.every(isPlain);
    case 'ObjectExpression':
      return node.properties.every(({ type, computed, value }) => type === 'Property' && !computed && isPlain(value));
    case 'TemplateLiteral':
      return node.expressions.length === 0;
    case 'UnaryExpression':
      return isPlain(node.argument);
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return isPlain(node.expression);
    default:
      return false;
  }
}
