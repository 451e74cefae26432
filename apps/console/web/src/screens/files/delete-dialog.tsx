import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { bytesInWords } from '../../ui/bytes.js';
import { counted } from '../../ui/counted.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { shownName } from '../../ui/shown-name.js';
import { Skeleton } from '../../ui/skeleton.js';
import { showToast } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { deleteFiles, filesOf } from './file-actions.js';
import { contentKey, type Entry } from './queries.js';

/** More are counted and not listed. */
const maxListed = 10;

interface DeleteDialogProps {
  readonly bucket: string;
  readonly entries: readonly Entry[];
  /** Files have been deleted. */
  readonly onEnd: () => Promise<void>;
  readonly onClose: () => void;
}

/** How many files are deleted, with those in folders; nothing brings them back. */
export default function DeleteDialog(props: DeleteDialogProps): ReactNode {
  const { bucket, entries, onEnd, onClose } = props;
  const { ref } = useProject();
  const [ended, setEnded] = useState<number>();
  const keys = entries.map(({ key }) => key);
  const found = useQuery({
    queryKey: [...contentKey(ref), 'deletion', bucket, keys],
    queryFn: () => filesOf(ref, bucket, entries),
    gcTime: 0,
    retry: false,
  });
  const files = found.data;
  const deleting = useMutation({
    mutationFn: async () => {
      const ids = (files ?? []).map(({ id }) => id);
      await deleteFiles(ref, bucket, ids, setEnded);
      return ids.length;
    },
    async onSuccess(count) {
      await onEnd();
      onClose();
      showToast({ kind: 'done', text: `${counted(count, 'file')} deleted.` });
    },
    onError: () => onEnd(),
  });
  const [one] = entries;
  const title = entries.length === 1 && one ? shownName(one.name) : counted(entries.length, 'item');
  return (
    <Dialog title={`Delete ${title}?`} role="alertdialog" onClose={onClose}>
      <DialogBody>
        <p className="text-[14px]">
          {files ? (
            <>
              {counted(files.length, 'file')},{' '}
              {bytesInWords(files.reduce((sum, { size }) => sum + size, 0))}. Nothing brings{' '}
              {files.length === 1 ? 'it' : 'them'} back.
            </>
          ) : (
            !found.error && <Skeleton className="w-64" />
          )}
        </p>
        <ul aria-label="What is deleted" className="list-disc space-y-0.5 pl-5 text-[14px]">
          {entries.slice(0, maxListed).map((entry) => (
            <li key={entry.key} className="break-all">
              <bdi>{shownName(entry.name)}</bdi>
              {entry.kind === 'folder' && ', with everything in it'}
            </li>
          ))}
          {entries.length > maxListed && (
            <li>{counted(entries.length - maxListed, 'more item')}</li>
          )}
        </ul>
        {ended !== undefined && deleting.isPending && (
          <p role="status" className="text-[14px] text-soft">
            {counted(ended, 'file')} deleted so far
          </p>
        )}
        <ProblemNotice of={found.error ?? deleting.error} />
      </DialogBody>
      <DialogButtons>
        <Button autoFocus onClick={onClose}>
          Cancel
        </Button>
        <Button
          look="danger"
          disabled={!files}
          busy={deleting.isPending}
          onClick={() => deleting.mutate()}
        >
          Delete
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
