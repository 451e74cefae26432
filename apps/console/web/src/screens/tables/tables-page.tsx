import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Table2 } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';

import { useTitle } from '../../shell/card.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { schemaQuery } from '../project/schema.js';
import { useProject } from '../project/use-project.js';
import { NewTableButton } from '../structure/new-table-button.js';
import { useMayChange } from '../structure/use-structure.js';
import type { TablesSearch } from './search.js';
import { StructureLink } from './structure-link.js';
import { TableList } from './table-list.js';
import { TableView } from './table-view.js';

/** The tables of a project: a list of them, and the rows of the one that is chosen. */
export function TablesPage(): ReactNode {
  const project = useProject();
  const search = useSearch({ from: '/signed-in/projects/$ref/tables' });
  const navigate = useNavigate({ from: '/projects/$ref/tables' });
  const { schema = 'public', table: name } = search;
  useTitle(name === undefined ? `Tables · ${project.name}` : `${name} · ${project.name}`);
  const { data, error, refetch } = useQuery(schemaQuery(project.ref, schema));
  const tables = data?.tables;
  const change = useCallback(
    (next: TablesSearch, isStep = false): void =>
      void navigate({
        search: (before) => ({ ...before, ...next }),
        replace: !isStep,
        resetScroll: false,
      }),
    [navigate],
  );
  const open = useCallback(
    (next: TablesSearch): void => {
      void navigate({
        search: { schema: search.schema, q: search.q, ...next },
        resetScroll: false,
      });
    },
    [navigate, search.schema, search.q],
  );
  const table = tables?.find((candidate) => candidate.name === name);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[14rem_minmax(0,1fr)]">
      <TableList tables={tables} search={search} onChange={change} onOpen={open} />
      <div className="grid min-w-0 gap-3">
        <ProblemNotice of={error} onRetry={() => void refetch()} />
        {!tables && !error && <Waiting />}
        {tables && table && (
          <TableView
            key={`${schema}.${table.name}`}
            table={table}
            tables={tables}
            search={search}
            onChange={change}
            onOpen={open}
          />
        )}
        {tables && !table && <Nothing isEmpty={tables.length === 0} schema={schema} name={name} />}
      </div>
    </div>
  );
}

function Waiting(): ReactNode {
  return (
    <div role="group" aria-busy aria-label="Loading" className="grid gap-4">
      <Skeleton className="my-2 w-40" />
      <div className="h-96 rounded-md border border-line bg-surface" />
    </div>
  );
}

function Nothing({
  isEmpty,
  schema,
  name,
}: {
  readonly isEmpty: boolean;
  readonly schema: string;
  readonly name: string | undefined;
}): ReactNode {
  const mayMake = useMayChange();
  return (
    <div className="grid justify-items-center gap-3 rounded-lg border border-dashed border-line-strong px-6 py-14 text-center">
      <Table2 aria-hidden className="size-8 text-soft" />
      <h1 className="text-[17px] font-semibold">
        {isEmpty ? 'This schema has no tables' : name === undefined ? 'Tables' : 'No such table'}
      </h1>
      <p className="max-w-md text-[14px] text-soft">
        {isEmpty
          ? 'Apps reach a table over the REST API at once, under its policies.'
          : name === undefined
            ? 'Choose a table from the list to see and change its rows.'
            : `There is no table ${name} here, or it was deleted. Choose another one.`}
      </p>
      {/* The drawer makes tables of the schema public. */}
      {isEmpty && mayMake && schema === 'public' && <NewTableButton />}
      {isEmpty && !mayMake && <StructureLink>Structure</StructureLink>}
    </div>
  );
}
