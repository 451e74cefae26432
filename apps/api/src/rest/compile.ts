// Stage two: the request as statements, given the catalog.
import type { CompiledCatalog } from '#libs/project-runtime';
import { compileBatch, type Limits } from '#libs/rest-query';
import { createPause, inTurns } from '#libs/steps';

import type { ReadText } from './input.js';
import { batchWork, requestWork, type Work } from './work.js';

/** Synchronous for a single request. Throws the errors of the compiler. */
export function compile(
  text: ReadText,
  { catalog, compiler }: CompiledCatalog,
  limits: Limits,
): Work | Promise<Work> {
  if (text.kind === 'request') {
    const { input, body } = text;
    return requestWork(input, compiler.compile(catalog, limits, input, body));
  }
  const steps = compileBatch(compiler, { catalog, limits }, text.text);
  return inTurns(steps, createPause()).then(batchWork);
}
