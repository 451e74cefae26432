// Runs the pages of docs/storage against the real application, each on a project of its own. The page about S3 needs a
// store.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { spawnSync } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { join } from 'node:path';

import { describeIf } from '#libs/testing';

import { Deployment } from '../support/deployment.js';
import { canRunS3 } from '../support/s3-server.js';
import { programsOf, readPages, wholePrograms } from './folder-pages.js';
import { expectPrinted, hasPrograms, pageMs, programErrors, runSteps } from './run-steps.js';
import { openStorageWorld, storageHereOf } from './storage-docs-world.js';

const programs = programsOf(readPages('docs/storage'));
const needsStore = (path: string): boolean => path === 'docs/storage/s3.md';
const hasTools =
  hasPrograms('sh', 'node', 'sed', 'grep', 'sort', 'base64', 'sha256sum') &&
  spawnSync('curl', ['--json', '{}', '--version']).status === 0;

describeIf(hasTools, 'the pages have shell commands, with curl 7.82 or newer')(
  'docs/storage',
  () => {
    let deployment: Deployment;

    beforeAll(async () => {
      deployment = await Deployment.shared('outbound');
    });
    afterAll(() => deployment.close());

    const runnable = programs.filter(({ path }) => !needsStore(path) || canRunS3());
    describe.each(runnable)('$path', ({ path, before, steps }) => {
      /** What each step printed. */
      let printed: readonly (readonly unknown[])[];

      beforeAll(async () => {
        await using world = await openStorageWorld(deployment, { withStore: needsStore(path) });
        const { project, folder } = world;
        const outputs = await runSteps([...before, ...steps], {
          project,
          folder,
          here: storageHereOf(world),
          imports: {
            openAsBlob: (name: string, options: { type: string }) =>
              openAsBlob(join(folder, name), options),
          },
        });
        printed = outputs.slice(before.length);
      }, pageMs);

      test.each(steps.map((step, index) => ({ ...step, index })))('$name', (step) =>
        expectPrinted(step, printed[step.index]),
      );
    });
  },
);

test(
  'the programs compile',
  async () => {
    expect(await programErrors(wholePrograms(programs))).toEqual([]);
  },
  pageMs,
);
