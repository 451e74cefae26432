// The dialogs over the rows of a table.
import { lazy, type ReactNode, Suspense } from 'react';

import type { SchemaColumn, SchemaTable } from '../project/schema.js';
import { ColumnsDialog } from './columns-dialog.js';
import { cellOf, type GridRow } from './grid-row.js';
import { ReferencedRowDialog } from './referenced-row-dialog.js';
import type { TablesSearch } from './search.js';
import type { GivenValues, RowTexts } from './staging.js';
import type { RowsSource } from './use-rows.js';
import type { ShownColumns } from './use-shown-columns.js';
import { ValueDialog } from './value-dialog.js';
import { ViewAsDialog } from './view-as-dialog.js';

const ImportDialog = lazy(() => import('./import-dialog.js'));
const ExportDialog = lazy(() => import('./export-dialog.js'));

export type OpenDialog =
  | { readonly kind: 'columns' | 'import' | 'export' | 'view-as' }
  | { readonly kind: 'value'; readonly row: GridRow; readonly column: SchemaColumn }
  | { readonly kind: 'reference'; readonly table: SchemaTable; readonly values: RowTexts };

interface RowsDialogsProps {
  readonly open: OpenDialog;
  readonly table: SchemaTable;
  readonly tables: readonly SchemaTable[];
  readonly source: RowsSource;
  readonly columns: ShownColumns;
  readonly canEdit: boolean;
  /** The number of rows, for the export; undefined until it is known. */
  readonly total: number | undefined;
  readonly onSet: (row: GridRow, values: GivenValues) => void;
  readonly onChange: (change: TablesSearch, isStep?: boolean) => void;
  readonly onOpen: (search: TablesSearch) => void;
  readonly onRefresh: () => void;
  readonly onClose: () => void;
}

export function RowsDialogs(props: RowsDialogsProps): ReactNode {
  const { open, table, source, columns, onChange, onClose } = props;
  const { viewer } = source;
  switch (open.kind) {
    case 'columns':
      return (
        <ColumnsDialog
          columns={table.columns}
          hidden={columns.hidden}
          pinned={columns.pinned}
          onHide={(hide) => onChange({ hide: hide.length > 0 ? hide : undefined })}
          onPin={(pin) => onChange({ pin: pin.length > 0 ? pin : undefined })}
          onClose={onClose}
        />
      );
    case 'value':
      return <OpenValue {...props} row={open.row} column={open.column} />;
    case 'reference':
      return (
        <ReferencedRowDialog
          table={open.table}
          values={open.values}
          viewer={viewer}
          onOpen={props.onOpen}
          onClose={onClose}
        />
      );
    case 'view-as':
      return (
        <ViewAsDialog
          onChoose={(as) => {
            onChange({ as, at: undefined }, true);
            onClose();
          }}
          onClose={onClose}
        />
      );
    case 'import': {
      // Parts of a long file may have been written, also when it is closed before its end.
      const leave = (): void => {
        props.onRefresh();
        onClose();
      };
      return (
        <Suspense>
          <ImportDialog table={table} onDone={leave} onClose={leave} />
        </Suspense>
      );
    }
    case 'export':
      return (
        <Suspense>
          <ExportDialog
            table={table.name}
            query={{ ...source.query, columns: columns.shown.map(({ name }) => name) }}
            viewer={viewer}
            total={props.total}
            onClose={onClose}
          />
        </Suspense>
      );
  }
}

interface OpenValueProps extends Pick<
  RowsDialogsProps,
  'table' | 'tables' | 'canEdit' | 'onSet' | 'onClose'
> {
  readonly row: GridRow;
  readonly column: SchemaColumn;
}

function OpenValue(props: OpenValueProps): ReactNode {
  const { row, column, table, tables, canEdit, onSet, onClose } = props;
  return (
    <ValueDialog
      column={column}
      isNew={row.known === undefined}
      value={cellOf(row, column.name)}
      isReadOnly={!canEdit || column.isGenerated || row.change?.kind === 'delete'}
      reference={referenceFor(table, tables, column)}
      onSet={(values) => {
        onSet(row, values);
        onClose();
      }}
      onClose={onClose}
    />
  );
}

function referenceFor(table: SchemaTable, tables: readonly SchemaTable[], { name }: SchemaColumn) {
  const key = table.foreignKeys.find(({ columns }) => columns.includes(name));
  if (!key) return undefined;
  const target = tables.find((each) => each.schema === key.schema && each.name === key.table);
  return { key, table: target?.isExposed ? target : undefined };
}
