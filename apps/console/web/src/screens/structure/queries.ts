// The details of tables and functions. The routes end at the project.
import { queryOptions } from '@tanstack/react-query';

import { answer, projectApi } from '../../api/client.js';
import { refreshMs } from '../../api/refresh.js';
import { schemaKey } from '../project/schema.js';

/** What one table has beside its columns. Read again with the schema. `content.read`. */
export const tableDetailsQuery = (ref: string, table: string) =>
  queryOptions({
    queryKey: [...schemaKey(ref), 'tables', table],
    queryFn: () => {
      const params = { path: { table } };
      return answer(projectApi(ref).GET('/api/admin/schema/tables/{table}', { params }));
    },
    refetchInterval: refreshMs,
  });

/** A function with its definition. `content.read`. */
export const functionQuery = (ref: string, id: string) =>
  queryOptions({
    queryKey: [...schemaKey(ref), 'functions', id],
    queryFn: () => {
      const params = { path: { id } };
      return answer(projectApi(ref).GET('/api/admin/schema/functions/{id}', { params }));
    },
    staleTime: 5_000,
  });
