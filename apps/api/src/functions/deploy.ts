// A deploy: the code is checked and its imports are downloaded first, while no transaction is open. Then the version is
// written and becomes the active one.
import type { Transaction } from '#libs/database';
import { fail } from '#libs/errors';
import type { FunctionVersion, Prepared } from '#libs/functions';
import { appendAudit, type AuditActor, type ProjectRuntime } from '#libs/project-runtime';

import { readCode, refused, reservedSlugs, slugPattern } from './function-names.js';
import type { FunctionCodeBody, NewFunctionBody } from './functions.dto.js';
import {
  countFunctions,
  findFunction,
  type FunctionFields,
  type FunctionRow,
  insertFunction,
  insertVersion,
  isRouteTaken,
  takeNumber,
  updateFunction,
} from './functions.sql.js';
import {
  auditedOf,
  type FunctionView,
  getFunction,
  requireFreeRoute,
  viewOf,
} from './functions.js';

const maxFunctions = 200;
const keptVersions = 50;

/**
 * Makes a function with its first version. Throws INVALID_INPUT, FUNCTION_EXISTS, FUNCTION_ROUTE_TAKEN,
 * TOO_MANY_FUNCTIONS, FUNCTION_REFUSED and FUNCTIONS_UNAVAILABLE.
 */
export async function createFunction(
  project: ProjectRuntime,
  actor: AuditActor,
  body: NewFunctionBody,
): Promise<FunctionView> {
  const { slug, name = slug, route = slug, isPublic = false } = body;
  if (reservedSlugs.has(slug)) throw refused('slug', `${slug} is a word of the API`);
  const fields = { slug, name, route, isPublic };
  const code = readCode(body);
  // Before the download, and again when it is written.
  await project.db.runAsEngine((tx) => requireRoom(tx, fields));
  const version = { slug, version: await takeNumber(project.db, slug), ...code, lock: null };
  const prepared = await project.functions.prepare(version);
  const row = await project.db.runAsEngine(async (tx) => {
    await requireRoom(tx, fields);
    if (!(await insertFunction(tx, fields, version.version)))
      throw fail('FUNCTION_EXISTS', { slug });
    return writeVersion(tx, actor, { version, prepared, fields, before: null });
  });
  project.functions.keepOnly(slug, version.version);
  return viewOf(project, row);
}

/**
 * Makes a new version of a function. Throws EDGE_FUNCTION_NOT_FOUND, INVALID_INPUT, FUNCTION_ROUTE_TAKEN, FUNCTION_REFUSED
 * and FUNCTIONS_UNAVAILABLE.
 */
export async function deployFunction(
  project: ProjectRuntime,
  actor: AuditActor,
  { slug, body }: { readonly slug: string; readonly body: FunctionCodeBody },
): Promise<FunctionView> {
  const code = readCode(body);
  if (!slugPattern.test(slug)) throw fail('EDGE_FUNCTION_NOT_FOUND', { slug });
  await project.db.runAsEngine((tx) => getFunction(tx, slug));
  const version = { slug, version: await takeNumber(project.db, slug), ...code, lock: null };
  const prepared = await project.functions.prepare(version);
  const row = await project.db.runAsEngine(async (tx) => {
    const before = await getFunction(tx, slug);
    const { name = before.name, route = before.route, isPublic = before.isPublic } = body;
    if (route !== before.route) await requireFreeRoute(tx, route, slug);
    const fields = { slug, name, route, isPublic };
    return writeVersion(tx, actor, { version, prepared, fields, before });
  });
  project.functions.keepOnly(slug, version.version);
  return viewOf(project, row);
}

async function requireRoom(tx: Transaction, { slug, route }: FunctionFields): Promise<void> {
  const count = await countFunctions(tx);
  if (await findFunction(tx, slug)) throw fail('FUNCTION_EXISTS', { slug });
  if (count >= maxFunctions) {
    throw fail('TOO_MANY_FUNCTIONS', { limit: maxFunctions, kind: 'functions' });
  }
  if (await isRouteTaken(tx, route, slug)) throw fail('FUNCTION_ROUTE_TAKEN', { route });
}

interface Deploy {
  readonly version: FunctionVersion;
  readonly prepared: Prepared;
  readonly fields: FunctionFields;
  /** Null: the function is new. */
  readonly before: FunctionRow | null;
}

async function writeVersion(
  tx: Transaction,
  actor: AuditActor,
  { version, prepared, fields, before }: Deploy,
): Promise<FunctionRow> {
  const createdBy = actor.email ?? actor.id ?? actor.kind;
  const row = await updateFunction(tx, fields, version.version);
  await insertVersion(tx, { ...version, ...prepared }, { createdBy, kept: keptVersions });
  const { slug, ...after } = fields;
  await appendAudit(tx, {
    actor,
    action: before ? 'function.deploy' : 'function.create',
    target: slug,
    before: before && auditedOf(before),
    // Code stays out: it may hold secrets.
    after: { ...after, version: version.version, files: Object.keys(version.files).length },
  });
  return row;
}
