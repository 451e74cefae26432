import { useQuery } from '@tanstack/react-query';
import { Table2 } from 'lucide-react';
import type { ReactNode } from 'react';

import { NewTableButton } from '../structure/new-table-button.js';
import { useMayChange } from '../structure/use-structure.js';
import { schemaQuery } from './schema.js';
import { useMay, useProject } from './use-project.js';

/** Whether the project has no table, and the operator may make one. */
export function useOffersFirstTable(): boolean {
  const { ref, status } = useProject();
  const mayRead = useMay('content.read');
  const isOffered = useMayChange() && mayRead && status === 'active';
  const { data } = useQuery({ ...schemaQuery(ref), enabled: isOffered, refetchInterval: false });
  return isOffered && data?.tables.length === 0;
}

/** The way to the first table, on the home of a project that has none. `children`: what else is offered. */
export function FirstTable({ children }: { readonly children?: ReactNode }): ReactNode {
  return (
    <section
      aria-labelledby="first-table"
      className="flex min-h-48 flex-wrap content-center items-center gap-x-4 gap-y-3 rounded-lg border border-dashed border-line-strong p-4 sm:p-5"
    >
      <Table2 aria-hidden className="size-6 shrink-0 text-soft" />
      <div className="min-w-0 grow basis-60">
        <h2 id="first-table" className="text-[16px] font-semibold">
          No table yet
        </h2>
        <p className="text-[14px] text-soft">
          Make the first one. Apps reach it over the REST API at once, under its policies.
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <NewTableButton />
        {children}
      </div>
    </section>
  );
}
