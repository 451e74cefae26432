import type { DataSource } from 'typeorm';
import type { Viewer } from '../projects/list-projects.js';

export const operationKinds = [
  'create',
  'delete',
  'migrate',
  'upgrade',
  'sweep',
  'repair-logins',
] as const;
export type OperationKind = (typeof operationKinds)[number];

export const operationStates = ['waiting', 'running', 'failed', 'done', 'undone'] as const;
export type OperationState = (typeof operationStates)[number];

/** An operation as operators see it. */
export interface OperationView {
  readonly id: string;
  readonly kind: OperationKind;
  readonly ref: string;
  readonly organizationId: string;
  readonly state: OperationState;
  /** The last step that its last attempt has begun. */
  readonly step: string | null;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly since: Date;
  readonly deadline: Date;
  /** Null while an attempt runs, if the operation is finished, and if `rowhouse upgrade` has to retry it. */
  readonly nextTryAt: Date | null;
  readonly finishedAt: Date | null;
}

interface OperationFilter {
  /** Absent: unfinished operations. */
  readonly state?: OperationState | undefined;
  readonly kind?: OperationKind | undefined;
  readonly ref?: string | undefined;
  /** The id of the last operation of the previous page. */
  readonly before?: string | undefined;
  readonly limit: number;
}

const columns = `
  id, kind, ref, organization_id as "organizationId", state, step, attempts, last_error as "lastError", since,
  deadline, finished_at as "finishedAt",
  case when finished_at is null and state <> 'running' then nullif(next_try_at, 'infinity') end as "nextTryAt"`;

/** Returns the operations on projects in which the viewer has a membership, newest first. */
export async function listOperations(
  dataSource: DataSource,
  viewer: Viewer,
  filter: OperationFilter,
): Promise<{ readonly operations: OperationView[]; readonly next: string | null }> {
  const found: OperationView[] = await dataSource.query(
    `select ${columns} from operation
     where ($2 or exists (
         select from membership
         where membership.operator_id = $1
           and membership.organization_id = operation.organization_id
           and (membership.project_ref is null or membership.project_ref = operation.ref)))
       and case when $3::pg_catalog.text is null then finished_at is null else state = $3 end
       and ($4::pg_catalog.text is null or kind = $4)
       and ($5::pg_catalog.text is null or ref = $5)
       and ($6::pg_catalog.int8 is null or id < $6)
     order by id desc
     limit $7`,
    [
      viewer.operatorId,
      viewer.isDeploymentAdmin,
      filter.state ?? null,
      filter.kind ?? null,
      filter.ref ?? null,
      filter.before ?? null,
      filter.limit + 1,
    ],
  );
  const operations = found.slice(0, filter.limit);
  const hasMore = found.length > filter.limit;
  return { operations, next: hasMore ? (operations.at(-1)?.id ?? null) : null };
}

/** Returns one of them; undefined if it does not exist. */
export async function findOperation(
  dataSource: DataSource,
  id: string,
): Promise<OperationView | undefined> {
  const [operation]: OperationView[] = await dataSource.query(
    `select ${columns} from operation where id = $1`,
    [id],
  );
  return operation;
}
