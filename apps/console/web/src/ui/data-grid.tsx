// The grid of the table editor and of results: only the cells in sight are in the page.
import Grid, { type DataGridHandle, type DataGridProps } from 'react-data-grid';
import 'react-data-grid/lib/styles.css';
import type { Key, ReactNode, Ref } from 'react';

import './data-grid.css';

type Props<Row, Summary, RowKey extends Key> = DataGridProps<Row, Summary, RowKey> & {
  readonly ref?: Ref<DataGridHandle>;
};

/** A grid of rows and columns with the keys of a spreadsheet. `aria-label` names it. */
export function DataGrid<Row, Summary = unknown, RowKey extends Key = Key>({
  className = '',
  ...rest
}: Props<Row, Summary, RowKey>): ReactNode {
  return <Grid className={`data-grid ${className}`} {...rest} />;
}
