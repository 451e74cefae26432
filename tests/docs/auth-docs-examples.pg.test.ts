// Runs docs/auth.md against the real application and real counterparts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';

import { createRemoteJWKSet, jwtVerify } from 'jose';

import { describeIf } from '#libs/testing';

import { installAuthenticator } from './auth-docs-authenticator.js';
import { personIn } from './auth-docs-person.js';
import { hereOf, openWorld, type World } from './auth-docs-world.js';
import { readSteps } from './documented-steps.js';
import { expectPrinted, hasPrograms, pageMs, programErrors, runSteps } from './run-steps.js';

const steps = readSteps(readFileSync('docs/auth.md', 'utf8'));
const hasTools = hasPrograms('sh', 'curl', 'node');

describeIf(hasTools, 'the settings of the page are saved by shell commands with curl')(
  'docs/auth.md',
  () => {
    let world: World;
    let removeAuthenticator: () => void;
    /** What each step printed. */
    let printed: readonly (readonly unknown[])[];

    beforeAll(async () => {
      world = await openWorld();
      removeAuthenticator = installAuthenticator({
        origin: 'http://localhost:3000',
        rpId: 'localhost',
      });
      const terminal = { question: personIn(world), close: () => undefined };
      printed = await runSteps(steps, {
        project: world.project,
        here: hereOf(world),
        imports: { createRemoteJWKSet, jwtVerify, createInterface: () => terminal },
      });
    }, pageMs);
    afterAll(async () => {
      removeAuthenticator();
      await world.close();
    });

    test.each(steps.map((step, index) => ({ ...step, index })))('$name', (step) =>
      expectPrinted(step, printed[step.index]),
    );
  },
);

test(
  'the program compiles',
  async () => {
    expect(await programErrors(steps)).toEqual([]);
  },
  pageMs,
);
