import { useQuery } from '@tanstack/react-query';
import { Copy, Download, FolderInput, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';

import { curlOf } from '../../api/curl.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { Dialog, DialogBody } from '../../ui/dialog.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { shownName } from '../../ui/shown-name.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Tabs } from '../../ui/tabs.js';
import { showProblem } from '../../ui/toast.js';
import { useMay, useProject } from '../project/use-project.js';
import type { EntryTask } from './entry-menu.js';
import { saveFile } from './file-actions.js';
import { FactsPart } from './facts-part.js';
import { ImagePart } from './image-part.js';
import { LinkPart } from './link-part.js';
import { Preview } from './preview.js';
import { isTransformable } from './preview-kind.js';
import { type FileEntry, type FileFacts, fileQuery, proxied } from './queries.js';

interface FileDrawerProps {
  readonly id: string;
  readonly onTask: (task: EntryTask, file: FileEntry) => void;
  readonly onClose: () => void;
}

/** A file: what it looks like, what is known of it, and addresses at which it can be read. */
export default function FileDrawer({ id, onTask, onClose }: FileDrawerProps): ReactNode {
  const { ref } = useProject();
  const { data: file, error, refetch } = useQuery(fileQuery(ref, id));
  return (
    <Dialog
      title={file ? shownName(file.name) : 'File'}
      about={file ? <bdi className="break-all">{shownName(file.key)}</bdi> : id}
      place="drawer"
      onClose={onClose}
    >
      <DialogBody>
        <ProblemNotice
          of={error}
          {...(file && { effect: 'The file could not be read again.' })}
          onRetry={() => void refetch()}
        />
        {!file && !error && (
          <div role="group" aria-busy aria-label="Loading the file" className="grid gap-4">
            <div className="h-56 rounded-md bg-sunken" />
            <Skeleton className="w-48" />
            <Skeleton className="w-64" />
          </div>
        )}
        {file && (
          <>
            <Actions file={file} onTask={onTask} />
            <Tabs
              label="Parts of the file"
              tabs={[
                { name: 'Preview', content: <Preview key={file.version} file={file} /> },
                { name: 'Details', content: <FactsPart key={file.version} file={file} /> },
                { name: 'Links', content: <LinkPart key={file.version} file={file} /> },
                ...(isTransformable(file.mime)
                  ? [{ name: 'Resize', content: <ImagePart key={file.version} file={file} /> }]
                  : []),
              ]}
            />
          </>
        )}
      </DialogBody>
    </Dialog>
  );
}

interface ActionsProps {
  readonly file: FileFacts;
  readonly onTask: (task: EntryTask, file: FileEntry) => void;
}

function Actions({ file, onTask }: ActionsProps): ReactNode {
  const { ref } = useProject();
  const mayWrite = useMay('content.write');
  const run = (task: EntryTask) => (): void => onTask(task, { kind: 'file', ...file });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button onClick={() => void saveFile(ref, file).catch(showProblem)}>
        <Download aria-hidden className="size-4" />
        Download
      </Button>
      {mayWrite && (
        <>
          <Button onClick={run('move')}>
            <FolderInput aria-hidden className="size-4" />
            Move
          </Button>
          <Button onClick={run('copy')}>
            <Copy aria-hidden className="size-4" />
            Copy
          </Button>
          <Button onClick={run('delete')}>
            <Trash2 aria-hidden className="size-4 text-danger" />
            Delete
          </Button>
        </>
      )}
      <span className="ml-auto">
        <CopyButton
          text={curlOf({ path: proxied(ref, `/files/${file.id}`) })}
          what="as curl: this file"
        >
          Copy as curl
        </CopyButton>
      </span>
    </div>
  );
}
