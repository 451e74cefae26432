import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { bytesInWords } from '../../ui/bytes.js';
import { counted } from '../../ui/counted.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { showToast } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { deleteBucket, emptyBucket, refreshFiles } from './bucket-actions.js';
import type { Bucket } from './queries.js';

interface DeleteBucketDialogProps {
  readonly bucket: Bucket;
  readonly kind: 'empty' | 'delete';
  readonly onClose: () => void;
}

/** What goes with a bucket or its files, and the slug to confirm it. */
export default function DeleteBucketDialog(props: DeleteBucketDialogProps): ReactNode {
  const { bucket, kind, onClose } = props;
  const { slug, fileCount, usedBytes } = bucket;
  const { ref } = useProject();
  const navigate = useNavigate({ from: '/projects/$ref/files' });
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  const isDeletion = kind === 'delete';
  const deleting = useMutation({
    mutationFn: async () => {
      if (isDeletion) await deleteBucket(ref, slug);
      else await emptyBucket(ref, slug);
    },
    async onSuccess() {
      onClose();
      const text = isDeletion ? `${slug} is deleted.` : `The files of ${slug} are being deleted.`;
      showToast({ kind: 'done', text });
      if (isDeletion) await navigate({ search: {} });
      await refreshFiles(queryClient, ref);
    },
  });
  const isConfirmed = typed.trim() === slug;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isConfirmed) deleting.mutate();
  };
  return (
    <Dialog title={isDeletion ? `Delete ${slug}?` : `Empty ${slug}?`} onClose={onClose}>
      <form onSubmit={submit}>
        <DialogBody>
          <div className="grid gap-3 text-[14px]">
            <p>{isDeletion ? 'These are removed, and nothing brings them back:' : 'Removed are'}</p>
            <ul className="list-disc space-y-1 pl-5">
              <li>
                {counted(fileCount, 'file')}, {bytesInWords(usedBytes)}
              </li>
              {isDeletion && <li>tokens, webhooks with their deliveries, and uploads under way</li>}
            </ul>
            {!isDeletion && (
              <p className="text-soft">
                Nothing brings the files back. Those that are uploaded from now on stay. The server
                deletes some thousand at a time; the bucket shows how far it is.
              </p>
            )}
          </div>
          <ProblemNotice of={deleting.error} />
          <Field
            label={`Type this to confirm: ${slug}`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            autoFocus
          />
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" disabled={!isConfirmed} busy={deleting.isPending}>
            {isDeletion ? 'Delete' : 'Empty'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
