// Parses and plans requests without compiling them.
import { argumentNames, type Catalog } from '#libs/catalog';
import { readBody } from '../src/parse/body.js';
import { finish } from '#libs/steps';
import { parseRequest } from '../src/parse/index.js';
import { templateOf } from '../src/parse/query-template.js';
import { planRequest, type Limits } from '../src/plan/index.js';
import type { Plan } from '../src/types/plan.js';
import { inputOf, LIMITS, type Request } from './run-request.js';

/** The plan of a request. `limits` are those of the tests unless they are given. */
export function planOf(catalog: Catalog, request: Request, limits: Limits = LIMITS): Plan {
  const input = inputOf(request);
  const { key } = templateOf(input.queryString, input.resource.kind);
  const text = { input, queryKey: key, body: finish(readBody(input))?.text, range: undefined };
  const parsed = parseRequest(text, {
    functionSchemas: limits.functionSchemas,
    argumentNamesOf: (schema, name) => argumentNames(catalog, schema, name),
  });
  return planRequest({ catalog, limits }, parsed);
}
