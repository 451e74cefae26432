import { queryOptions } from '@tanstack/react-query';

import { answer, projectApi, type ProjectSchemas } from '../../api/client.js';
import { refreshMs } from '../../api/refresh.js';
import type { StatementResult } from './result.js';

export type SavedEntry = ProjectSchemas['QueryEntry'];
export type SavedQuery = ProjectSchemas['SavedQuery'];
/** Whom a script runs as; undefined: as the operator's own rights say. */
export type RunAs = ProjectSchemas['RunAsBody'];

const foundUsers = 8;

/** The operator's saved queries and those that others share, without their texts. */
export const savedQueriesQuery = (ref: string) =>
  queryOptions({
    queryKey: ['project', ref, 'queries'],
    queryFn: async () => (await answer(projectApi(ref).GET('/api/admin/queries'))).queries,
    refetchInterval: refreshMs,
  });

export function readSavedQuery(ref: string, id: string): Promise<SavedQuery> {
  const params = { path: { id } };
  return answer(projectApi(ref).GET('/api/admin/queries/{id}', { params }));
}

export function saveQuery(ref: string, body: ProjectSchemas['NewQueryBody']): Promise<SavedQuery> {
  return answer(projectApi(ref).POST('/api/admin/queries', { body }));
}

export function changeQuery(
  ref: string,
  id: string,
  body: ProjectSchemas['ChangedQueryBody'],
): Promise<SavedQuery> {
  const call = { params: { path: { id } }, body };
  return answer(projectApi(ref).PATCH('/api/admin/queries/{id}', call));
}

export async function deleteQuery(ref: string, id: string): Promise<void> {
  await answer(projectApi(ref).DELETE('/api/admin/queries/{id}', { params: { path: { id } } }));
}

/** Users whose email address, name or id has the text. Needs `secrets.manage`. */
export const usersQuery = (ref: string, search: string) =>
  queryOptions({
    queryKey: ['project', ref, 'users', 'found', search],
    queryFn: async () => {
      const query = { search, perPage: foundUsers };
      const { users } = await answer(
        projectApi(ref).GET('/api/admin/users', { params: { query } }),
      );
      return users;
    },
    enabled: search !== '',
  });

export interface ScriptRun {
  readonly id: string;
  readonly query: string;
  readonly as: RunAs | undefined;
  readonly maxRows: number;
  readonly dryRun: boolean;
}

/** The body of a run, as it is sent and as curl repeats it. */
export function runBody({ id, query, as, maxRows, dryRun }: ScriptRun) {
  return {
    query,
    results: 'all' as const,
    maxRows,
    id,
    ...(as && { as }),
    ...(dryRun && { dryRun }),
  };
}

/** The results of all statements. Throws Problem, and AbortError when the signal aborts. */
export async function runScript(
  ref: string,
  run: ScriptRun,
  signal: AbortSignal,
): Promise<readonly StatementResult[]> {
  const reply = await answer(
    projectApi(ref).POST('/api/admin/sql', { body: runBody(run), signal }),
  );
  return 'statements' in reply ? reply.statements : [];
}

export async function cancelScript(ref: string, id: string): Promise<void> {
  await answer(projectApi(ref).DELETE('/api/admin/sql/{id}', { params: { path: { id } } }));
}
