// Runs docs/storage.md against the real application. The chapter about S3 needs a store.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnSync } from 'node:child_process';
import { openAsBlob, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describeIf } from '#libs/testing';

import { canRunS3 } from '../support/s3-server.js';
import { readSteps } from './documented-steps.js';
import { expectPrinted, hasPrograms, pageMs, programErrors, runSteps } from './run-steps.js';
import { openStorageWorld, storageHereOf, type StorageWorld } from './storage-docs-world.js';

const page = readFileSync('docs/storage.md', 'utf8');
const chapterOfStore = '## Files in S3';
const allSteps = readSteps(page);
const withStore = canRunS3();
const steps = withStore ? allSteps : readSteps(withoutChapter(page, chapterOfStore));
const hasTools =
  hasPrograms('sh', 'node', 'sed', 'grep', 'sort', 'base64', 'sha256sum') &&
  spawnSync('curl', ['--json', '{}', '--version']).status === 0;

describeIf(hasTools, 'the page types shell commands, with curl 7.82 or newer')(
  'docs/storage.md',
  () => {
    let world: StorageWorld;
    /** What each step printed. */
    let printed: readonly (readonly unknown[])[];

    beforeAll(async () => {
      world = await openStorageWorld({ withStore });
      const { project, folder } = world;
      printed = await runSteps(steps, {
        project,
        folder,
        here: storageHereOf(world),
        imports: {
          openAsBlob: (name: string, options: { type: string }) =>
            openAsBlob(join(folder, name), options),
        },
      });
    }, pageMs);
    afterAll(() => world?.close(), 60_000);

    test.each(steps.map((step, index) => ({ ...step, index })))('$name', (step) =>
      expectPrinted(step, printed[step.index]),
    );
  },
);

test(
  'the program compiles',
  async () => {
    expect(await programErrors({ program: allSteps })).toEqual([]);
  },
  pageMs,
);

/** The page with empty lines in place of a chapter. */
function withoutChapter(markdown: string, heading: string): string {
  const start = markdown.indexOf(`\n${heading}\n`);
  const end = markdown.indexOf('\n## ', start + 1);
  if (start === -1 || end === -1) throw new Error(`the page has no chapter ${heading}`);
  const emptied = markdown.slice(start, end).replace(/[^\n]/g, '');
  return markdown.slice(0, start) + emptied + markdown.slice(end);
}
