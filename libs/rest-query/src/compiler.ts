import type { Catalog } from '#libs/catalog';
import { fail } from '#libs/errors';
import { bindShape, type Compiled, type CompiledShape, type Ending } from './compiled.js';
import { bodyParameter, readBodyShape } from './parse/body.js';
import { parseRequest, type RequestText } from './parse/index.js';
import { templateOf } from './parse/query-template.js';
import { isUnfiltered } from './plan/columns.js';
import { planRequest, type Limits } from './plan/index.js';
import { ShapeCache } from './shape-cache.js';
import { bodyFrame } from './shape/frame.js';
import { responder } from './shape/respond.js';
import { planStatements } from './sql/index.js';
import type { BodyShape, Plan, RestInput } from './types.js';

/** Longer keys are compiled each time, so that the cache is bounded in bytes as well as in entries. */
const MAX_KEY_LENGTH = 2048;

export interface QueryCompiler {
  /**
   * The statements of a request and the judge of their results.
   * Throws what the stages throw: PGRST100, 102, 103, 106, 122, 204, 205, INVALID_INPUT,
   * UNSUPPORTED_MEDIA_TYPE.
   */
  compile(catalog: Catalog, limits: Limits, input: RestInput): Compiled;
  /** How many shapes are kept. */
  readonly size: number;
}

/**
 * A compiler of table requests that remembers the shapes it has seen, at most `maxShapes` of them.
 * A request of a known shape costs the splitting of its query string. One compiler serves one project;
 * it forgets everything when it is handed another catalog or other limits.
 */
export function createQueryCompiler({ maxShapes }: { readonly maxShapes: number }): QueryCompiler {
  const cache = new ShapeCache<CompiledShape>(maxShapes);
  let knownCatalog: Catalog | undefined;
  let knownMaxRows: number | undefined;

  function compile(catalog: Catalog, limits: Limits, input: RestInput): Compiled {
    if (catalog !== knownCatalog || limits.maxRows !== knownMaxRows) {
      cache.clear();
      knownCatalog = catalog;
      knownMaxRows = limits.maxRows;
    }
    const { key: queryKey, operands } = templateOf(input.queryString);
    const body = hasBody(input) ? readBodyShape(input.body) : undefined;
    const key = shapeKey(input, queryKey, body);
    let shape = cache.find(key);
    if (!shape) {
      shape = compileShape(catalog, limits, { input, queryKey, body });
      if (key.length <= MAX_KEY_LENGTH) cache.set(key, shape);
    }
    return bindShape(shape, {
      operands,
      body: body && bodyParameter(input.body ?? '', body.kind, input.method === 'POST'),
    });
  }

  return {
    compile,
    get size() {
      return cache.size;
    },
  };
}

function hasBody({ method }: RestInput): boolean {
  return method === 'POST' || method === 'PATCH';
}

// Everything that the stages look at, and nothing else. Lengths keep fields apart that may hold any
// character; header values hold no line break. Keys of the body may hold NUL, but a name with NUL is in
// no catalog, so with the number of keys in front no such body can be taken for a known shape.
function shapeKey(input: RestInput, queryKey: string, body: BodyShape | undefined): string {
  const { prefer, range, accept, contentType, acceptProfile, contentProfile } = input.headers;
  const { method, table } = input;
  const names = `${method}${table.length} ${table}${queryKey.length} ${queryKey}`;
  const shown = `${prefer ?? ''}\n${range ?? ''}\n${accept ?? ''}`;
  const key = `${names}${shown}\n${acceptProfile ?? ''}\n${contentProfile ?? ''}`;
  if (!body) return key;
  const { kind, keys, isUniform } = body;
  return `${key}\n${contentType ?? ''}\n${kind}${isUniform}${keys.length} ${keys.join('\0')}`;
}

function compileShape(catalog: Catalog, limits: Limits, text: RequestText): CompiledShape {
  const request = parseRequest(text);
  const plan = planRequest(catalog, limits, request);
  return {
    templates: planStatements(plan),
    isWrite: plan.kind !== 'read',
    ending: endingOf(plan),
    adminRefusal: adminRefusalOf(plan),
    frame: bodyFrame(plan),
    respond: responder(plan, request.preferences),
  };
}

// Whether a write may stand is known only after it ran; then it must not be committed yet.
function endingOf(plan: Plan): Ending {
  if (plan.kind === 'read') return 'implicit';
  const { isDryRun, isSingle, maxAffected } = plan.checks;
  if (isDryRun) return 'rollback';
  return isSingle || maxAffected !== undefined ? 'inspect' : 'implicit';
}

function adminRefusalOf(plan: Plan): CompiledShape['adminRefusal'] {
  if (plan.kind !== 'update' && plan.kind !== 'delete') return undefined;
  if (!isUnfiltered(plan.where)) return undefined;
  const method = plan.kind === 'update' ? 'PATCH' : 'DELETE';
  return () => fail('UNFILTERED_WRITE', { method });
}
