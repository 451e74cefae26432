// What the diagram gives as files: pictures of it, and the script that makes its tables.
import type { QueryClient } from '@tanstack/react-query';

import { answer, projectApi } from '../../api/client.js';
import { asProblem } from '../../api/problem.js';
import { download } from '../../ui/download.js';
import { schemaKey, type SchemaTable, type TableDetails } from '../project/schema.js';
import { drawingOf } from './drawing.js';
import type { Graph } from './graph.js';
import type { Layout } from './layout.js';
import { pngOf } from './png.js';
import { schemaScript, type ScriptContent } from './schema-sql.js';
import { svgOf } from './svg.js';

export function exportSvg(name: string, graph: Graph, layout: Layout): void {
  download(`${name}.svg`, 'image/svg+xml', [svgOf(drawingOf(graph, layout))]);
}

export async function exportPng(name: string, graph: Graph, layout: Layout): Promise<void> {
  download(`${name}.png`, 'image/png', [await pngOf(drawingOf(graph, layout))]);
}

interface SqlExport extends Omit<ScriptContent, 'details'> {
  readonly ref: string;
  readonly queryClient: QueryClient;
}

export async function exportSql(
  name: string,
  { ref, queryClient, ...content }: SqlExport,
): Promise<void> {
  const details = await readDetails(ref, queryClient, content.tables);
  download(`${name}.sql`, 'application/sql', [schemaScript({ ...content, details })]);
}

/** Requests that are sent at the same time. */
const lanes = 6;

/** The details of tables. Those of a name that no path can hold are left out. */
async function readDetails(
  ref: string,
  queryClient: QueryClient,
  tables: readonly SchemaTable[],
): Promise<ReadonlyMap<string, TableDetails>> {
  const found = new Map<string, TableDetails>();
  const waiting = tables.filter(({ kind }) => kind === 'table' || kind === 'partitioned');
  const read = async (): Promise<void> => {
    for (let table = waiting.pop(); table !== undefined; table = waiting.pop()) {
      const { schema, name } = table;
      try {
        const details = await queryClient.fetchQuery({
          queryKey: [...schemaKey(ref), 'script', schema, name],
          queryFn: () => {
            const params = { path: { table: name }, query: { schema } };
            return answer(projectApi(ref).GET('/api/admin/schema/tables/{table}', { params }));
          },
          staleTime: 10_000,
          retry: 1,
        });
        found.set(name, details);
      } catch (error) {
        const { status } = asProblem(error);
        if (status !== 400 && status !== 404) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, read));
  return found;
}
