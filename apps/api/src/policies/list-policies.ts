// The tables with their policies, rights and columns, as the database has them now.
import { type JsonBytes, type JsonRow, jsonBytesOf } from '#libs/database';
import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

import type { PolicyCommand } from './policy-change.js';
import { LIST_POLICIES_SQL } from './list-policies.sql.js';

export interface PolicyView {
  readonly name: string;
  readonly command: PolicyCommand;
  /** Names of roles; `public` is every role. */
  readonly roles: readonly string[];
  /** Expressions and comments that are very long are cut; they end with "…". */
  readonly using: string | null;
  readonly check: string | null;
  readonly isPermissive: boolean;
  readonly comment: string | null;
}

export interface PolicyColumn {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  /** The table and column that a foreign key of this column alone refers to. */
  readonly references: {
    readonly schema: string;
    readonly table: string;
    readonly column: string;
  } | null;
}

export interface PolicyTable {
  readonly schema: string;
  readonly name: string;
  readonly hasRls: boolean;
  /** Whether policies hold back the owner of the table, too. */
  readonly isForced: boolean;
  /** Whether `/rest/v1` serves it to callers with rights on it. */
  readonly isExposed: boolean;
  /** By role, the rights on the table or some of its columns. */
  readonly grants: Readonly<Record<'anon' | 'authenticated' | 'service_role', readonly string[]>>;
  readonly primaryKey: readonly string[];
  readonly columns: readonly PolicyColumn[];
  readonly policies: readonly PolicyView[];
}

export interface PolicyList {
  readonly tables: readonly PolicyTable[];
}

/**
 * Lists the tables of a schema, or of all schemas of the project; `storage.files` and `realtime.messages` among them.
 * Throws RESULT_TOO_LARGE.
 */
export async function listPolicies(
  project: ProjectRuntime,
  schema: string | undefined,
): Promise<JsonBytes<PolicyList>> {
  return project.db.runAsEngine(async (tx) => {
    // Without a path every name in an expression is written with its schema.
    await tx.query(`select pg_catalog.set_config('search_path', '', true)`);
    const [row] = (await tx.query<JsonRow>(LIST_POLICIES_SQL, [schema ?? null])).rows;
    if (!row) throw fail('DATABASE_ERROR');
    return jsonBytesOf(row);
  });
}
