// The tables, enums and functions of a schema, which many screens read: one query, and one key for all about schemas.
import { queryOptions } from '@tanstack/react-query';

import { answer, projectApi, type ProjectSchemas } from '../../api/client.js';
import { refreshMs } from '../../api/refresh.js';

export type SchemaContent = ProjectSchemas['SchemaContent'];
export type SchemaTable = ProjectSchemas['SchemaTable'];
export type SchemaColumn = ProjectSchemas['SchemaColumn'];
export type SchemaForeignKey = ProjectSchemas['SchemaForeignKey'];
export type SchemaFunction = ProjectSchemas['SchemaFunction'];
export type EnumType = ProjectSchemas['EnumType'];
export type TableDetails = ProjectSchemas['TableDetails'];
export type TableDependent = ProjectSchemas['TableDependent'];
export type FunctionDetails = ProjectSchemas['FunctionDetails'];

/** What everything about the schemas of a project is cached under. Every change of them by SQL invalidates it. */
export const schemaKey = (ref: string) => ['projects', ref, 'schema'] as const;

/** The tables, enums and functions of a schema, read again while they are on the screen. `content.read`. */
export const schemaQuery = (ref: string, schema = 'public') =>
  queryOptions({
    queryKey: [...schemaKey(ref), 'content', schema],
    queryFn: () => {
      const params = { query: { schema } };
      return answer(projectApi(ref).GET('/api/admin/schema', { params }));
    },
    refetchInterval: refreshMs,
  });
