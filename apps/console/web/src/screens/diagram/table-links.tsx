import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';

import type { SchemaTable } from '../project/schema.js';
import { useProject } from '../project/use-project.js';

interface TableLinkProps extends Pick<
  ComponentProps<'a'>,
  'className' | 'title' | 'tabIndex' | 'aria-label'
> {
  readonly to: Pick<SchemaTable, 'schema' | 'name'>;
  readonly children: ReactNode;
}

/** The way to the rows of a table. */
export function RowsLink({ to: { schema, name }, children, ...rest }: TableLinkProps): ReactNode {
  const { ref } = useProject();
  const search = { table: name, ...(schema !== 'public' && { schema }) };
  return (
    <Link
      to="/projects/$ref/tables"
      params={{ ref }}
      search={search}
      // A click on the box around it chooses the table.
      onClick={(event) => event.stopPropagation()}
      {...rest}
    >
      {children}
    </Link>
  );
}

/** The way to the structure of a table, which has a screen for those of the schema public. */
export function StructureLink({
  to: { schema, name },
  children,
  ...rest
}: TableLinkProps): ReactNode {
  const { ref } = useProject();
  if (schema !== 'public') return null;
  return (
    <Link
      to="/projects/$ref/structure"
      params={{ ref }}
      search={{ table: name }}
      onClick={(event) => event.stopPropagation()}
      {...rest}
    >
      {children}
    </Link>
  );
}
