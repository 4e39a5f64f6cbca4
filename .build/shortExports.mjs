const EXPORT = String.raw`Object\.defineProperty\(exports,"(?<name>[\w$]+)",\{enumerable:!0,get:function\(\)\{return (?<value>[\w$]+)\}\}\)`;
const EXPORTS = new RegExp(`(?:${EXPORT.replace(/\?<\w+>/g, '?:')}[,;]\\s*)+$`);

/** A Rolldown plugin that lets a loop define what a chunk of CommonJS exports; entry points stay as Node reads their names. */
export const shortExports = {
  name: 'short-exports',
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type === 'chunk' && !file.isEntry) file.code = file.code.replace(EXPORTS, inLoop);
    }
  },
};

function inLoop(text) {
  const getters = [...text.matchAll(new RegExp(EXPORT, 'g'))].map(({ groups }) => `${groups.name}:()=>${groups.value}`);
  return `(e=>{for(const n in e)Object.defineProperty(exports,n,{enumerable:!0,get:e[n]})})({${getters.join()}});\n`;
}
