// The functions of a project as administrators see and change them; deploy.ts makes versions.
import type { Transaction } from '#libs/database';
import { fail } from '#libs/errors';
import { appendAudit, type AuditActor, type ProjectRuntime } from '#libs/project-runtime';
import { edgePath } from '#libs/wire';

import type { ChangedFunctionBody } from './functions.dto.js';
import {
  deleteFunction,
  findFunction,
  findVersion,
  type FunctionRow,
  hasVersion,
  isRouteTaken,
  type LastInvocation,
  listFunctions,
  listVersions,
  type StoredVersion,
  updateFunction,
  type VersionRow,
} from './functions.sql.js';

export interface FunctionView extends FunctionRow {
  /** Where it answers. */
  readonly url: string;
}

export interface FunctionList {
  /** By slug. */
  readonly functions: readonly (FunctionView & {
    /** Null if there is none in the records that are kept. */
    readonly lastInvocation: LastInvocation | null;
  })[];
}

/** A function with the code of its active version. */
export interface FunctionWithCode extends FunctionView {
  readonly entrypoint: string;
  /** Texts by path. */
  readonly files: Readonly<Record<string, string>>;
}

export interface VersionList {
  /** The newest first. */
  readonly versions: readonly (VersionRow & { readonly isActive: boolean })[];
}

export function viewOf({ baseUrl }: ProjectRuntime, row: FunctionRow): FunctionView {
  return { ...row, url: new URL(`${edgePath}/${row.route}`, baseUrl).href };
}

export async function readFunctions(project: ProjectRuntime): Promise<FunctionList> {
  const rows = await listFunctions(project.db);
  const functions = rows.map(({ lastInvocation, ...row }) => ({
    ...viewOf(project, row),
    lastInvocation,
  }));
  return { functions };
}

/** Throws EDGE_FUNCTION_NOT_FOUND. */
export async function readFunction(
  project: ProjectRuntime,
  slug: string,
): Promise<FunctionWithCode> {
  const row = await project.db.runAsEngine((tx) => getFunction(tx, slug));
  const { entrypoint, files } = await readVersion(project, slug, row.activeVersion);
  return { ...viewOf(project, row), entrypoint, files };
}

/** Throws EDGE_FUNCTION_NOT_FOUND. */
export async function readVersions(project: ProjectRuntime, slug: string): Promise<VersionList> {
  const { activeVersion } = await project.db.runAsEngine((tx) => getFunction(tx, slug));
  const rows = await listVersions(project.db, slug);
  const versions = rows.map((row) => ({ ...row, isActive: row.version === activeVersion }));
  return { versions };
}

/** Throws FUNCTION_VERSION_NOT_FOUND, also for a function that does not exist. */
export async function readVersion(
  { db }: Pick<ProjectRuntime, 'db'>,
  slug: string,
  version: number,
): Promise<StoredVersion> {
  const found = await findVersion(db, slug, version);
  if (!found) throw fail('FUNCTION_VERSION_NOT_FOUND', { slug, version });
  return found;
}

/** The number in a path. Throws FUNCTION_VERSION_NOT_FOUND for another text. */
export function versionNumber(slug: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw fail('FUNCTION_VERSION_NOT_FOUND', { slug, version: text.slice(0, 20) });
  }
  return Number(text);
}

/** Throws EDGE_FUNCTION_NOT_FOUND and FUNCTION_ROUTE_TAKEN. */
export async function changeFunction(
  project: ProjectRuntime,
  actor: AuditActor,
  { slug, body }: { readonly slug: string; readonly body: ChangedFunctionBody },
): Promise<FunctionView> {
  const row = await project.db.runAsEngine(async (tx) => {
    const before = await getFunction(tx, slug);
    const { name = before.name, route = before.route, isPublic = before.isPublic } = body;
    if (route !== before.route) await requireFreeRoute(tx, route, slug);
    const fields = { slug, name, route, isPublic };
    const after = await updateFunction(tx, fields, before.activeVersion);
    await note(tx, actor, { action: 'function.update', slug, before, after });
    return after;
  });
  return viewOf(project, row);
}

/** Makes another version the active one. Throws EDGE_FUNCTION_NOT_FOUND and FUNCTION_VERSION_NOT_FOUND. */
export async function activateVersion(
  project: ProjectRuntime,
  actor: AuditActor,
  { slug, version }: { readonly slug: string; readonly version: number },
): Promise<FunctionView> {
  const row = await project.db.runAsEngine(async (tx) => {
    const before = await getFunction(tx, slug);
    if (!(await hasVersion(tx, slug, version))) {
      throw fail('FUNCTION_VERSION_NOT_FOUND', { slug, version });
    }
    const after = await updateFunction(tx, before, version);
    await note(tx, actor, { action: 'function.activate', slug, before, after });
    return after;
  });
  project.functions.keepOnly(slug, version);
  return viewOf(project, row);
}

/** Throws EDGE_FUNCTION_NOT_FOUND. */
export async function removeFunction(
  project: ProjectRuntime,
  actor: AuditActor,
  slug: string,
): Promise<void> {
  await project.db.runAsEngine(async (tx) => {
    const before = await getFunction(tx, slug);
    await deleteFunction(tx, slug);
    await note(tx, actor, { action: 'function.delete', slug, before });
  });
  project.functions.keepOnly(slug, undefined);
}

/** Throws FUNCTION_ROUTE_TAKEN. */
export async function requireFreeRoute(tx: Transaction, route: string, slug: string) {
  if (await isRouteTaken(tx, route, slug)) throw fail('FUNCTION_ROUTE_TAKEN', { route });
}

/** A function that stays as it is until the transaction ends. Throws EDGE_FUNCTION_NOT_FOUND. */
export async function getFunction(tx: Transaction, slug: string): Promise<FunctionRow> {
  const found = await findFunction(tx, slug);
  if (!found) throw fail('EDGE_FUNCTION_NOT_FOUND', { slug });
  return found;
}

/** What the audit log shows of a function. */
export function auditedOf({ name, route, isPublic, activeVersion }: FunctionRow): object {
  return { name, route, isPublic, version: activeVersion };
}

interface Change {
  readonly action: string;
  readonly slug: string;
  readonly before: FunctionRow;
  readonly after?: FunctionRow;
}

function note(tx: Transaction, actor: AuditActor, { action, slug, before, after }: Change) {
  return appendAudit(tx, {
    actor,
    action,
    target: slug,
    before: auditedOf(before),
    after: after ? auditedOf(after) : null,
  });
}
