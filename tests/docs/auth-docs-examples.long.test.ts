// Runs the pages of docs/auth against the real application and real counterparts. Each page has a project of its own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createRemoteJWKSet, jwtVerify } from 'jose';

import { describeIf } from '#libs/testing';

import { installAuthenticator } from './auth-docs-authenticator.js';
import { personIn } from './auth-docs-person.js';
import { hereOf, openCounterparts, openWorld, type Counterparts } from './auth-docs-world.js';
import { programsOf, readPages, wholePrograms } from './folder-pages.js';
import { expectPrinted, hasPrograms, pageMs, programErrors, runSteps } from './run-steps.js';

const programs = programsOf(readPages('docs/auth'));
const hasTools = hasPrograms('sh', 'curl', 'node');

describeIf(hasTools, 'the settings of the pages are saved by shell commands with curl')(
  'docs/auth',
  () => {
    let counterparts: Counterparts;
    let removeAuthenticator: () => void;

    beforeAll(async () => {
      counterparts = await openCounterparts();
      removeAuthenticator = installAuthenticator({
        origin: 'http://localhost:3000',
        rpId: 'localhost',
      });
    });
    afterAll(async () => {
      removeAuthenticator();
      await counterparts.close();
    });

    describe.each(programs)('$path', ({ before, steps }) => {
      /** What each step printed. */
      let printed: readonly (readonly unknown[])[];

      beforeAll(async () => {
        await using world = await openWorld(counterparts);
        const terminal = { question: personIn(world), close: () => undefined };
        const outputs = await runSteps([...before, ...steps], {
          project: world.project,
          here: hereOf(world),
          imports: { createRemoteJWKSet, jwtVerify, createInterface: () => terminal },
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
