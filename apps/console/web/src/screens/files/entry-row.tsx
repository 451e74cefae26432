import {
  Ellipsis,
  File,
  FileAudio,
  FileImage,
  FileText,
  FileVideo,
  Folder,
  type LucideIcon,
} from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';

import { bytesInWords } from '../../ui/bytes.js';
import { Menu } from '../../ui/menu.js';
import type { MenuEntry } from '../../ui/menu-entry.js';
import { shownName } from '../../ui/shown-name.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Time } from '../../ui/time.js';
import { type PreviewKind, previewOf } from './preview-kind.js';
import type { Entry } from './queries.js';

/** The columns of the list; some are left out where there is no room. */
export const columns =
  'grid-cols-[1.25rem_minmax(0,1fr)_2.25rem] sm:grid-cols-[1.25rem_minmax(0,1fr)_6rem_2.25rem] lg:grid-cols-[1.25rem_minmax(0,1fr)_6rem_10rem_9rem_2.25rem]';

const icons: Readonly<Record<PreviewKind, LucideIcon>> = {
  image: FileImage,
  pdf: FileText,
  video: FileVideo,
  audio: FileAudio,
  json: FileText,
  text: FileText,
  none: File,
};

interface EntryRowProps {
  readonly row: number;
  readonly style: CSSProperties;
  readonly entry: Entry;
  readonly isSelected: boolean;
  readonly onSelect: (entries: readonly Entry[], isSelected: boolean) => void;
  readonly onOpen: (entry: Entry) => void;
  readonly entriesOf: (entry: Entry) => readonly MenuEntry[];
}

const look = `absolute inset-x-0 grid items-center gap-x-4 border-b border-line px-4 ${columns}`;

/** A folder or a file. Its name is text, whatever it has in it. */
export function EntryRow(props: EntryRowProps): ReactNode {
  const { row, style, entry, isSelected, onSelect, onOpen, entriesOf } = props;
  const name = shownName(entry.name);
  const Icon = entry.kind === 'folder' ? Folder : icons[previewOf(entry)];
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      style={style}
      data-selected={isSelected || undefined}
      className={`${look} hover:bg-hover data-selected:bg-accent-soft/50`}
    >
      <div role="cell">
        <input
          type="checkbox"
          aria-label={`Select ${name}`}
          checked={isSelected}
          onChange={(event) => onSelect([entry], event.currentTarget.checked)}
          className="block size-4 accent-accent"
        />
      </div>
      <div role="cell" className="flex min-w-0 items-center gap-2.5">
        <Icon
          aria-hidden
          className={`size-4 shrink-0 ${entry.kind === 'folder' ? 'text-accent' : 'text-soft'}`}
        />
        <button
          type="button"
          data-row={row}
          title={name}
          onClick={() => onOpen(entry)}
          className="min-w-0 truncate rounded-sm text-left font-medium -outline-offset-1 hover:underline"
        >
          <bdi>{name}</bdi>
          {entry.kind === 'folder' && <span className="sr-only">, a folder</span>}
        </button>
      </div>
      <div
        role="cell"
        className="text-[14px] whitespace-nowrap text-soft tabular-nums max-sm:hidden"
      >
        {entry.kind === 'file' && bytesInWords(entry.size)}
      </div>
      <div role="cell" className="truncate text-[14px] text-soft max-lg:hidden">
        {entry.kind === 'file' ? entry.mime : 'Folder'}
      </div>
      <div role="cell" className="truncate text-[14px] text-soft max-lg:hidden">
        {entry.kind === 'file' && <Time at={entry.updatedAt} isInRow />}
      </div>
      <div role="cell">
        <Menu
          label={`Actions on ${name}`}
          icon={<Ellipsis aria-hidden className="size-4" />}
          entries={entriesOf(entry)}
        />
      </div>
    </div>
  );
}

/** Where an entry will be that is being read. */
export function WaitingRow({
  row,
  style,
}: {
  readonly row: number;
  readonly style: CSSProperties;
}): ReactNode {
  return (
    <div role="row" aria-rowindex={row + 2} aria-busy style={style} className={look}>
      <span role="cell" className="col-start-2">
        <Skeleton className="w-40 max-w-full" />
      </span>
    </div>
  );
}
