// How the text of a request becomes work, given the catalog. Long texts are read in turns of the event loop.
import { type BatchText, compileBatch, readBody, type RestInput } from '#libs/rest-query';
import { createPause, inTurns } from '#libs/steps';

import type { RestCall } from './run-request.js';
import { batchWork, requestWork } from './work.js';

export type Compile = RestCall['compile'];

/**
 * Returns how a request on a table or a function is compiled. Its body is read once, also when the request is
 * compiled again for another catalog. Throws PGRST102, UNSUPPORTED_MEDIA_TYPE.
 */
export async function compilerOf(input: RestInput): Promise<Compile> {
  const body = await inTurns(readBody(input), createPause());
  return ({ catalog, compiler }, limits) =>
    requestWork(input, compiler.compile(catalog, limits, input, body));
}

/** Returns how a batch is compiled. */
export function batchCompilerOf(text: BatchText): Compile {
  return async ({ catalog, compiler }, limits) =>
    batchWork(await inTurns(compileBatch(compiler, { catalog, limits }, text), createPause()));
}
