import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { bytesInWords } from '../../ui/bytes.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Tabs } from '../../ui/tabs.js';
import type { SchemaTable } from '../project/schema.js';
import { ChecksPart } from './checks-part.js';
import { ColumnsPart } from './columns-part.js';
import { DropTableDialog } from './drop-table-dialog.js';
import { ForeignKeysPart } from './foreign-keys-part.js';
import { IndexesPart } from './indexes-part.js';
import { PoliciesPart } from './policies-part.js';
import { NewButton } from './row-buttons.js';
import { type StructureSearch, tableParts } from './search.js';
import { rowsInWords } from './sql/losses.js';
import { TableDrawer } from './table-drawer.js';
import { TableList } from './table-list.js';
import { TriggersPart } from './triggers-part.js';
import { UniquesPart } from './uniques-part.js';
import { useMayChange, useSchema } from './use-structure.js';

interface TablesTabProps {
  readonly search: StructureSearch;
  readonly onSearch: (next: StructureSearch) => void;
}

/** The tables of the schema public, and the parts of the one that is open. */
export function TablesTab({ search, onSearch }: TablesTabProps): ReactNode {
  const { data, error, refetch } = useSchema();
  const mayChange = useMayChange();
  const [isMaking, setMaking] = useState(false);
  const tables = data?.tables ?? [];
  const table = search.table === undefined ? tables[0] : tables.find(isNamed(search.table));
  if (!data)
    return error ? <ProblemNotice of={error} onRetry={() => void refetch()} /> : <Waiting />;
  return (
    <>
      {tables.length === 0 ? (
        <NoTables onNew={mayChange ? () => setMaking(true) : undefined} />
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5 sm:grid-cols-[13rem_minmax(0,1fr)]">
          <TableList
            tables={tables}
            open={table?.name}
            side={mayChange && <NewButton what="table" onClick={() => setMaking(true)} />}
            onOpen={(name) => onSearch({ table: name })}
          />
          {table ? (
            <OpenTable key={table.name} table={table} search={search} onSearch={onSearch} />
          ) : (
            <p className="text-[14px] text-soft">
              There is no table {search.table} in the schema public. Choose one from the list.
            </p>
          )}
        </div>
      )}
      {isMaking && (
        <TableDrawer
          onClose={() => setMaking(false)}
          onDone={(name) => onSearch({ table: name })}
        />
      )}
    </>
  );
}

const isNamed =
  (name: string) =>
  (table: SchemaTable): boolean =>
    table.name === name;

interface OpenTableProps extends TablesTabProps {
  readonly table: SchemaTable;
}

const partNames = {
  columns: 'Columns',
  keys: 'Keys',
  indexes: 'Indexes',
  triggers: 'Triggers',
  policies: 'Policies',
} as const;

function OpenTable({ table, search, onSearch }: OpenTableProps): ReactNode {
  const mayChange = useMayChange();
  const [dialog, setDialog] = useState<'change' | 'drop'>();
  const part = tableParts.find((each) => each === search.part) ?? 'columns';
  const isStored = table.kind === 'table' || table.kind === 'partitioned';
  const contents = {
    columns: <ColumnsPart table={table} />,
    keys: (
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <UniquesPart table={table} />
        <ForeignKeysPart table={table} />
        <ChecksPart table={table} />
      </div>
    ),
    indexes: <IndexesPart table={table} />,
    triggers: <TriggersPart table={table} />,
    policies: (
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <PoliciesPart table={table} />
      </div>
    ),
  };
  const offered = tableParts.filter((each) => isStored || each !== 'keys');
  return (
    <section
      aria-label={`The table ${table.name}`}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4"
    >
      <header className="flex flex-wrap items-start gap-3">
        <div className="mr-auto min-w-0">
          <h2 className="text-[17px] font-semibold break-words">{table.name}</h2>
          <p className="text-[13px] text-soft">{factsOf(table).join(' · ')}</p>
          {table.comment !== null && (
            <p className="text-[14px] break-words text-soft">{table.comment}</p>
          )}
        </div>
        {mayChange && (
          <div className="flex gap-2">
            <Button onClick={() => setDialog('change')}>Change</Button>
            <Button look="quiet" onClick={() => setDialog('drop')}>
              Drop
            </Button>
          </div>
        )}
      </header>
      <Tabs
        label={`Parts of ${table.name}`}
        open={partNames[part]}
        onOpen={(name) => onSearch({ part: tableParts.find((each) => partNames[each] === name) })}
        tabs={offered.map((each) => ({ name: partNames[each], content: contents[each] }))}
      />
      {dialog === 'change' && (
        <TableDrawer
          table={table}
          onClose={() => setDialog(undefined)}
          onDone={(name) => onSearch({ table: name })}
        />
      )}
      {dialog === 'drop' && (
        <DropTableDialog
          table={table}
          onClose={() => setDialog(undefined)}
          onDone={() => onSearch({ table: undefined })}
        />
      )}
    </section>
  );
}

function factsOf(table: SchemaTable): readonly string[] {
  const { kind, partitionOf, bytes, isExposed, hasRls } = table;
  const isTable = kind === 'table' || kind === 'partitioned';
  return [
    ...(partitionOf === null ? [kind === 'partitioned' ? 'partitioned table' : kind] : []),
    ...(partitionOf === null ? [] : [`partition of ${partitionOf}`]),
    ...(isTable ? [rowsInWords(table)] : []),
    ...(bytes === null || bytes === 0 ? [] : [bytesInWords(bytes)]),
    isExposed ? 'reachable over REST' : 'not reachable over REST',
    ...(isTable && !hasRls ? ['row level security is off'] : []),
  ];
}

function NoTables({ onNew }: { readonly onNew: (() => void) | undefined }): ReactNode {
  return (
    <div className="grid justify-items-center gap-3 rounded-lg border border-dashed border-line-strong px-6 py-12 text-center">
      <h2 className="text-[16px] font-semibold">No table yet</h2>
      <p className="max-w-md text-[14px] text-soft">
        A table of the schema public is a route of the REST API at once. Its policies decide which
        rows apps may read and write.
      </p>
      {onNew && (
        <Button look="primary" onClick={onNew}>
          Make the first table
        </Button>
      )}
    </div>
  );
}

function Waiting(): ReactNode {
  return (
    <div
      role="group"
      aria-busy
      aria-label="Loading"
      className="grid gap-5 sm:grid-cols-[13rem_minmax(0,1fr)]"
    >
      <div className="h-64 rounded-lg border border-line bg-surface" />
      <div className="h-80 rounded-lg border border-line bg-surface" />
    </div>
  );
}
