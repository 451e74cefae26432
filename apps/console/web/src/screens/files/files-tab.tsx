import { useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { curlOf } from '../../api/curl.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { CopyButton } from '../../ui/copy.js';
import { clockTime } from '../../ui/time-in-words.js';
import { showProblem } from '../../ui/toast.js';
import { useMay, useProject } from '../project/use-project.js';
import { Breadcrumb } from './breadcrumb.js';
import { BulkBar } from './bulk-bar.js';
import { isHidden } from './names.js';
import { Dropzone, useChooser } from './dropzone.js';
import { NoFiles, NoMatch, WaitingRows } from './empty.js';
import { entryMenu } from './entry-menu.js';
import { refreshFiles } from './bucket-actions.js';
import { FileList } from './file-list.js';
import {
  type Bucket,
  type Entry,
  type Listing,
  pageQuery,
  proxied,
  readAllEntries,
} from './queries.js';
import { orderText, readFolder, readOrder, useSetSearch } from './search.js';
import { Toolbar } from './toolbar.js';
import { UploadsPanel } from './uploads-panel.js';
import { useEntries } from './use-entries.js';

const FileDrawer = lazy(() => import('./file-drawer.js'));
const MoveDialog = lazy(() => import('./move-dialog.js'));
const DeleteDialog = lazy(() => import('./delete-dialog.js'));

const nothing: ReadonlyMap<string, Entry> = new Map();

type Task = { readonly kind: 'move' | 'copy' | 'delete'; readonly on: readonly Entry[] };

/** The folders and files of a bucket: to find them, to add to them, and to change them, one or many. */
export function FilesTab({ bucket }: { readonly bucket: Bucket }): ReactNode {
  const { ref } = useProject();
  const { slug } = bucket;
  const search = useSearch({ from: '/signed-in/projects/$ref/files' });
  const setSearch = useSetSearch();
  const mayUpload = useMay('content.write') && !isHidden(slug);
  const folder = readFolder(search.in);
  const order = readOrder(search.sort);
  const listing: Listing = { ref, bucket: slug, folder, search: search.q, order };
  const chooser = useChooser(slug, folder);
  const newFolder = (name: string): void => setSearch({ in: folder + name, q: undefined });
  return (
    <Dropzone bucket={slug} folder={folder} isOpen={mayUpload}>
      <UploadsPanel bucket={slug} />
      <Breadcrumb bucket={slug} folder={folder} />
      <Toolbar
        search={search.q}
        onSearch={(q) => setSearch({ q })}
        onUpload={mayUpload ? chooser.chooseFiles : undefined}
        onUploadFolder={mayUpload ? chooser.chooseFolder : undefined}
        onNewFolder={mayUpload ? newFolder : undefined}
      >
        <CopyButton text={curlOf({ path: listingPath(listing) })} what="as curl: this list">
          Copy as curl
        </CopyButton>
      </Toolbar>
      {chooser.inputs}
      <Folder
        // Another listing begins at the top, with nothing selected.
        key={JSON.stringify([folder, search.q ?? '', order])}
        listing={listing}
        onUpload={mayUpload ? chooser.chooseFiles : undefined}
      />
    </Dropzone>
  );
}

interface FolderProps {
  readonly listing: Listing;
  /** Absent: the operator may not upload here. */
  readonly onUpload: (() => void) | undefined;
}

function Folder({ listing, onUpload }: FolderProps): ReactNode {
  const { ref, bucket, folder, order } = listing;
  const mayWrite = useMay('content.write');
  const queryClient = useQueryClient();
  const setSearch = useSetSearch();
  const search = useSearch({ from: '/signed-in/projects/$ref/files' });
  const found = useEntries(listing);
  const { total, error } = found;
  const [selected, setSelected] = useState(nothing);
  const [task, setTask] = useState<Task>();
  const open = (entry: Entry): void => {
    if (entry.kind === 'folder') setSearch({ in: entry.key, q: undefined, open: undefined });
    else setSearch({ open: entry.id });
  };
  const select = (entries: readonly Entry[], isSelected: boolean): void => {
    const next = new Map(selected);
    for (const entry of entries) {
      if (isSelected) next.set(entry.key, entry);
      else next.delete(entry.key);
    }
    setSelected(next);
  };
  const selectAll = async (isSelected: boolean): Promise<void> => {
    if (!isSelected) setSelected(nothing);
    else setSelected(new Map((await readAllEntries(listing)).map((entry) => [entry.key, entry])));
  };
  const ended = async (): Promise<void> => {
    setSelected(nothing);
    await refreshFiles(queryClient, ref);
  };
  return (
    <>
      {error !== undefined && (
        <ProblemNotice
          of={error}
          {...(total !== undefined && {
            effect: `The list could not be refreshed. It shows the state of ${clockTime(found.updatedAt)}.`,
          })}
          onRetry={found.refresh}
        />
      )}
      {total === undefined && error === undefined && <WaitingRows label="Loading the files" />}
      {selected.size > 0 && (
        <BulkBar
          entries={[...selected.values()]}
          mayWrite={mayWrite}
          onTask={(kind) => setTask({ kind, on: [...selected.values()] })}
          onClear={() => setSelected(nothing)}
        />
      )}
      {total === 0 &&
        (search.q === undefined ? (
          <NoFiles bucket={bucket} isFolder={folder !== ''} onUpload={onUpload} />
        ) : (
          <NoMatch text={search.q} onClear={() => setSearch({ q: undefined })} />
        ))}
      {total !== undefined && total > 0 && (
        <FileList
          found={found}
          total={total}
          order={order}
          selected={selected}
          onSelect={select}
          onSelectAll={(isSelected) => void selectAll(isSelected).catch(showProblem)}
          onSort={(next) => setSearch({ sort: orderText(next) })}
          onOpen={open}
          onDelete={(on) => mayWrite && setTask({ kind: 'delete', on })}
          entriesOf={(entry) =>
            entryMenu(ref, entry, {
              mayWrite,
              onOpen: () => open(entry),
              onTask: (kind) => setTask({ kind, on: [entry] }),
            })
          }
        />
      )}
      <Suspense>
        {task && task.kind !== 'delete' && (
          <MoveDialog
            kind={task.kind}
            bucket={bucket}
            folder={folder}
            entries={task.on}
            onEnd={ended}
            onClose={() => setTask(undefined)}
          />
        )}
        {task?.kind === 'delete' && (
          <DeleteDialog
            bucket={bucket}
            entries={task.on}
            onEnd={async () => {
              setSearch({ open: undefined });
              await ended();
            }}
            onClose={() => setTask(undefined)}
          />
        )}
        {search.open !== undefined && !task && (
          <FileDrawer
            id={search.open}
            onTask={(kind, entry) => setTask({ kind, on: [entry] })}
            onClose={() => setSearch({ open: undefined })}
          />
        )}
      </Suspense>
    </>
  );
}

/** The path of the first page of a listing, on the host of the console. */
function listingPath(listing: Listing): string {
  const query = Object.entries(pageQuery(listing, { limit: 100, offset: 0 })).map(
    ([name, value]): [string, string] => [name, String(value)],
  );
  const parameters = new URLSearchParams(query).toString();
  return proxied(listing.ref, `/admin/storage/buckets/${listing.bucket}/files?${parameters}`);
}
