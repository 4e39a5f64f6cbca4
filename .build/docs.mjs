// Writes the reference of every entry point, a web site: docs/api.
import { Application } from 'typedoc';
import { manifest, root } from './bundle.mjs';

const modules = Object.values(manifest.exports).filter((path) => path.endsWith('.js'));

const app = await Application.bootstrap({
  entryPoints: modules.map((path) => path.replace('./dist/', `${root}src/`).replace(/\.js$/, '.ts')),
  tsconfig: `${root}src/shell/cli/tsconfig.json`,
  out: `${root}docs/api`,
  logLevel: 'Warn',
  readme: 'none',
  disableSources: true,
  excludeExternals: true,
  // `npm run check:types` checks.
  skipErrorChecking: true,
});
const project = await app.convert();
if (!project) process.exit(1);
await app.generateOutputs(project);
