import { argumentNames, type Catalog } from '#libs/catalog';
import { bindShape, type Compiled, type CompiledShape, type Ending } from './compiled.js';
import type { Body } from './parse/body.js';
import { parseRequest, type RequestText } from './parse/index.js';
import { templateOf } from './parse/query-template.js';
import { parseRange } from './parse/window.js';
import { isUnfiltered, planRequest, type Limits } from './plan/index.js';
import { ShapeCache } from './shape-cache.js';
import { shapeKey } from './shape-key.js';
import { bodyFrame } from './shape/frame.js';
import { responder } from './shape/respond.js';
import { planStatements } from './sql/index.js';
import type { BatchPlace, Window } from './types/grammar.js';
import type { CallPlan, Plan, WriteChecks } from './types/plan.js';
import type { RestInput } from './types/request.js';

/** Longer keys are not cached, so that the cache is bounded in bytes as well as in entries. */
const MAX_KEY_LENGTH = 2048;

export interface QueryCompiler {
  /**
   * Compiles the statements of a request and the function that checks their results. Throws the errors of its stages:
   * PGRST100 to 122 and 200 to 205, DEFINER_NOT_ALLOWED, METHOD_NOT_ALLOWED, UNSUPPORTED_MEDIA_TYPE. `body` is the
   * result of `readBody`, which can be read in steps; without it the body is read at once.
   */
  compile(catalog: Catalog, limits: Limits, input: RestInput, body: Body | undefined): Compiled;
  /** How many shapes are kept. */
  readonly size: number;
}

/**
 * Returns a compiler of requests that caches at most `maxShapes` shapes. A request of a known shape costs only the
 * splitting of its query string. One compiler serves one project; its cache is cleared when it receives another catalog
 * or another limits object.
 */
export function createQueryCompiler({ maxShapes }: { readonly maxShapes: number }): QueryCompiler {
  const cache = new ShapeCache<CompiledShape>(maxShapes);
  let knownCatalog: Catalog | undefined;
  let knownLimits: Limits | undefined;

  function compile(
    catalog: Catalog,
    limits: Limits,
    input: RestInput,
    body: Body | undefined,
  ): Compiled {
    if (catalog !== knownCatalog || limits !== knownLimits) {
      cache.clear();
      knownCatalog = catalog;
      knownLimits = limits;
    }
    const {
      key: queryKey,
      operands,
      offset,
      hasWindow,
    } = templateOf(input.queryString, input.resource.kind);
    const range = hasWindow ? undefined : rangeOf(input);
    const text: RequestText = {
      input: input.place ? { ...input, place: shapeOfPlace(input.place) } : input,
      queryKey,
      range: range && { offset: Math.min(range.offset, 1), limit: range.limit },
      body: body?.text,
    };
    const key = shapeKey(text);
    let shape = cache.find(key);
    if (!shape) {
      shape = compileShape(catalog, limits, text);
      if (key.length <= MAX_KEY_LENGTH) cache.set(key, shape);
    }
    return bindShape(shape, {
      operands,
      offset: range?.offset ?? offset,
      body: body?.parameter,
    });
  }

  return {
    compile,
    get size() {
      return cache.size;
    },
  };
}

// Only GET uses Range (RFC 9110 §14.2).
function rangeOf({ method, headers }: RestInput): Window | undefined {
  return method === 'GET' && headers.range ? parseRange(headers.range) : undefined;
}

// The index matters only to operations with references; without it the others share their shapes.
function shapeOfPlace(place: BatchPlace): BatchPlace {
  return place.isReferenced ? place : { ...place, index: 0 };
}

function compileShape(catalog: Catalog, limits: Limits, text: RequestText): CompiledShape {
  const request = parseRequest(text, {
    functionSchemas: limits.functionSchemas,
    argumentNamesOf: (schema, name) => argumentNames(catalog, schema, name),
  });
  const plan = planRequest({ catalog, limits }, request);
  return {
    templates: planStatements(plan),
    isWrite: plan.kind === 'call' ? !plan.isReadOnly : plan.kind !== 'read',
    isExclusive: isExclusive(plan),
    ending: endingOf(plan),
    adminRefusal: adminRefusalOf(plan),
    frame: bodyFrame(plan),
    respond: responder(plan, request.preferences),
  };
}

// A function that only reads is as fast as its queries. Statements on a shared connection are prepared as its login,
// which may not have access to other schemas.
function isExclusive(plan: Plan): boolean {
  if (plan.kind !== 'call') return plan.kind !== 'read';
  const { schema, volatility, args } = plan.routine;
  const isOpen = schema === 'public' && args.every(({ type }) => /^(?:public\.|[^.]*$)/.test(type));
  return volatility === 'volatile' || !isOpen;
}

// The write can be checked only after it ran, so it must not be committed before.
function endingOf(plan: Plan): Ending {
  if (plan.kind === 'read') return 'implicit';
  // EXPLAIN ANALYZE runs the statement, but a request for its plan must not write.
  if (plan.explain) return 'rollback';
  const { isDryRun, isSingle, maxAffected } = plan.kind === 'call' ? callChecks(plan) : plan.checks;
  if (isDryRun) return 'rollback';
  return isSingle || maxAffected !== undefined ? 'inspect' : 'implicit';
}

// A call that cannot write needs no rollback.
function callChecks(plan: CallPlan): WriteChecks {
  const { isDryRun, isReadOnly, maxAffected, result, style } = plan;
  const isChecked = !isReadOnly && result.kind !== 'void' && result.isSet;
  return {
    isDryRun,
    isSingle: isChecked && style.kind === 'object',
    maxAffected: isChecked ? maxAffected : undefined,
  };
}

function adminRefusalOf(plan: Plan): CompiledShape['adminRefusal'] {
  if (plan.explain) return 'EXPLAIN_REFUSED';
  if (plan.kind !== 'update' && plan.kind !== 'delete') return undefined;
  return isUnfiltered(plan.where) ? 'UNFILTERED_WRITE' : undefined;
}
