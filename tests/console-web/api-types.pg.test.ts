// The types of the console's requests (schema.ts and project-schema.ts in apps/console/web/src/api) are made from the
// descriptions that the console and the API of a project serve. After a change of routes: `npm run describe`.
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { expect, test } from 'vitest';

import { startConsole } from '../console/console-under-test.js';
import { asRecord, Deployment } from '../support/deployment.js';

// A field with a default may be left out of a request.
const options = { defaultNonNullable: false } as const;
const bannerOf = (api: string): string =>
  `// Written from the description of ${api} (npm run describe): do not change it by hand.\n\n`;

test('the types of requests are those of the description', async () => {
  await using site = await startConsole();
  const { body } = await site.call('GET', '/docs/json');
  const types = astToString(await openapiTypescript(body, options));
  const banner = bannerOf("the console's API");
  await expect(banner + types).toMatchFileSnapshot('../../apps/console/web/src/api/schema.ts');
});

test('those to a project have the types of its routes for administrators and for files', async () => {
  const deployment = await Deployment.shared();
  const project = await deployment.createProject();
  const { body } = await project.send({ method: 'GET', path: '/api/docs/json' });
  const document = asRecord(body);
  const paths = Object.entries(asRecord(document['paths'])).filter(([path]) =>
    /^\/api\/(admin|files)\//.test(path),
  );
  const types = await openapiTypescript(
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the document is one of OpenAPI
    { ...document, paths: Object.fromEntries(paths) } as unknown as OpenAPI3,
    options,
  );
  const banner = bannerOf("a project's routes for administrators and for files");
  await expect(banner + astToString(types)).toMatchFileSnapshot(
    '../../apps/console/web/src/api/project-schema.ts',
  );
  await deployment.close();
});
