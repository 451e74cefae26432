import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { useProject } from '../project/use-project.js';
import { tableSnippets } from './client-snippets.js';
import { tableCommands } from './curl-snippets.js';
import type { ApiField, ApiTable } from './document.js';
import { FieldTable } from './field-table.js';
import { LanguageTabs } from './language-tabs.js';
import type { ApiSearch } from './search.js';
import { keyPlaceholder } from './snippet.js';
import { tableTypesUse, typeOf } from './types-part.js';

interface TablePageProps {
  readonly table: ApiTable;
  readonly types: string | undefined;
  readonly search: ApiSearch;
  readonly onSearch: (next: ApiSearch) => void;
}

/** The requests on a table. */
export function TablePage({ table, types, search, onSearch }: TablePageProps): ReactNode {
  const { ref, url } = useProject();
  const { name, comment, columns, insertable, primaryKey } = table;
  const required = new Set(insertable.filter((each) => each.isRequired).map((each) => each.name));
  const writable = new Set(insertable.map((each) => each.name));
  const about = (field: ApiField): string =>
    [
      ...(primaryKey.includes(field.name) ? ['primary key'] : []),
      ...(required.has(field.name) ? ['required in inserts'] : []),
      ...(writable.has(field.name) ? [] : ['read only']),
      ...(field.schema.types.length > 0 && field.isNullable ? ['may be null'] : []),
    ].join(', ');
  return (
    <section
      aria-label={`The table ${name}`}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-5"
    >
      <header>
        <h2 className="text-[17px] font-semibold break-words">{name}</h2>
        {comment !== null && <p className="text-[14px] break-words">{comment}</p>}
        <p className="text-[13px] text-soft">
          Policies decide which rows a request reaches:{' '}
          <Link to="/projects/$ref/policies" params={{ ref }} className="text-accent underline">
            policies
          </Link>
          ,{' '}
          <Link
            to="/projects/$ref/tables"
            params={{ ref }}
            search={{ table: name }}
            className="text-accent underline"
          >
            rows
          </Link>
          .
        </p>
      </header>
      <FieldTable label={`Columns of ${name}`} fields={columns} about={about} />
      <LanguageTabs
        client={tableSnippets(table)}
        curl={tableCommands(table, { url, key: keyPlaceholder })}
        type={types === undefined ? undefined : (typeOf(types, 'Tables', name) ?? null)}
        typesUse={tableTypesUse(name)}
        search={search}
        onSearch={onSearch}
      />
    </section>
  );
}
