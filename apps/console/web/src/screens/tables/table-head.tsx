import { Columns3, Download, Eye, Plus, RefreshCw, Trash2, Undo2, Upload } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { counted } from '../../ui/counted.js';
import type { SchemaTable } from '../project/schema.js';
import { RlsBadge } from './rls-badge.js';
import { StructureLink } from './structure-link.js';

interface TableHeadProps {
  readonly table: SchemaTable;
  readonly curl: string;
  readonly canEdit: boolean;
  readonly canViewAs: boolean;
  readonly markedCount: number;
  readonly isRefreshing: boolean;
  readonly onAdd: () => void;
  readonly onDelete: () => void;
  readonly onColumns: () => void;
  readonly onImport: () => void;
  readonly onExport: () => void;
  readonly onViewAs: () => void;
  readonly onRefresh: () => void;
  readonly onUndo: (() => void) | undefined;
}

/** The name of the table, who reaches it, and what can be done with its rows. */
export function TableHead(props: TableHeadProps): ReactNode {
  const { table, curl, canEdit, canViewAs, markedCount, isRefreshing } = props;
  return (
    <header className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <h1 className="min-w-0 text-[20px] leading-tight font-semibold break-words">
          {table.name}
        </h1>
        <RlsBadge of={table} />
        {table.comment !== null && (
          <p className="min-w-0 grow truncate text-[13px] text-soft">{table.comment}</p>
        )}
      </div>
      {table.isExposed && (
        <div role="toolbar" aria-label="Rows" className="flex flex-wrap items-center gap-2">
          {canEdit && (
            <Button look="primary" onClick={props.onAdd}>
              <Plus aria-hidden className="size-4" />
              New row
            </Button>
          )}
          {markedCount > 0 && (
            <Button look="danger" onClick={props.onDelete}>
              <Trash2 aria-hidden className="size-4" />
              Delete {counted(markedCount, 'row')}
            </Button>
          )}
          <Button onClick={props.onColumns}>
            <Columns3 aria-hidden className="size-4" />
            Columns
          </Button>
          {canEdit && (
            <Button onClick={props.onImport}>
              <Upload aria-hidden className="size-4" />
              Import
            </Button>
          )}
          <Button onClick={props.onExport}>
            <Download aria-hidden className="size-4" />
            Export
          </Button>
          {canViewAs && (
            <Button onClick={props.onViewAs}>
              <Eye aria-hidden className="size-4" />
              View as
            </Button>
          )}
          <StructureLink table={table.name}>Structure</StructureLink>
          <span className="ml-auto flex items-center">
            <CopyButton text={curl} what="as curl: the rows">
              Copy as curl
            </CopyButton>
            {props.onUndo && (
              <Button
                look="quiet"
                size="icon"
                aria-label="Undo the last save"
                title="Undo the last save"
                onClick={props.onUndo}
              >
                <Undo2 aria-hidden className="size-4" />
              </Button>
            )}
            <Button
              look="quiet"
              size="icon"
              aria-label="Read again"
              title="Read again"
              busy={isRefreshing}
              onClick={props.onRefresh}
            >
              <RefreshCw aria-hidden className="size-4" />
            </Button>
          </span>
        </div>
      )}
    </header>
  );
}
