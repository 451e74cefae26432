// What the projects of the list are used for: requests of the last hour, sizes and the last request.
import { queryOptions } from '@tanstack/react-query';

import { answer, api, type Schemas } from '../../api/client.js';

const minutes = 60;
const pageSize = 1000;
/** A server writes its counts once a minute. */
const refreshMs = 30_000;

type UsageRow = Schemas['ProjectUsageRow'];

/** The last hour of a project. */
export interface Usage extends UsageRow {
  readonly requestCount: number;
  readonly errorCount: number;
}

/** By the ref of the project. */
export type Usages = ReadonlyMap<string, Usage>;

export const noUsages: Usages = new Map();

/** The usage of all projects that the operator may see. */
export const usagesQuery = queryOptions({
  queryKey: ['usages'],
  queryFn: async (): Promise<Usages> => {
    const rows: UsageRow[] = [];
    for (let after: string | null | undefined; after !== null;) {
      const query = { minutes, limit: pageSize, ...(after !== undefined && { after }) };
      // Each page begins where the one before has ended.
      const page = await answer(api.GET('/platform/usage', { params: { query } }));
      rows.push(...page.projects);
      after = page.next;
    }
    return new Map(rows.map((row) => [row.ref, counted(row)]));
  },
  refetchInterval: refreshMs,
});

function counted(row: UsageRow): Usage {
  return { ...row, requestCount: sum(row.requests), errorCount: sum(row.serverErrors) };
}

/** What database and files take, in bytes; undefined before the first time that it was measured. */
export function sizeOf({ databaseBytes, storageBytes }: Usage): number | undefined {
  if (databaseBytes === null && storageBytes === null) return undefined;
  return (databaseBytes ?? 0) + (storageBytes ?? 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
