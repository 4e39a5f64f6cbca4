// Writes the reference of every entry point: docs/api, Markdown that is read in the repository, and release/api, a web site.
import { rmSync } from 'node:fs';
import { Application } from 'typedoc';
import { manifest, root } from './bundle.mjs';

const sources = Object.values(manifest.exports).flatMap((target) =>
  typeof target === 'string' ? [] : [target.import.types.replace('./dist/', `${root}src/`).replace(/\.d\.ts$/, '.ts')],
);

const app = await Application.bootstrapWithPlugins({
  entryPoints: sources,
  tsconfig: `${root}src/cli/tsconfig.json`,
  plugin: ['typedoc-plugin-markdown'],
  readme: 'none',
  disableSources: true,
  excludeExternals: true,
  treatWarningsAsErrors: false,
  hideBreadcrumbs: true,
  hidePageHeader: true,
  // One file for each entry point: links stay short, and a browser's search finds everything.
  outputFileStrategy: 'modules',
  outputs: [
    { name: 'markdown', path: `${root}docs/api` },
    { name: 'html', path: `${root}release/api` },
  ],
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  propertyMembersFormat: 'table',
});
const project = await app.convert();
if (!project) process.exit(1);
rmSync(`${root}docs/api`, { recursive: true, force: true });
await app.generateOutputs(project);
