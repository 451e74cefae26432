import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';

import { asProblem } from '../../api/problem.js';
import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field, textsOf, Tick } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { showToast } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { changeBucket, createBucket, refreshFiles } from './bucket-actions.js';
import type { Bucket } from './queries.js';
import { parseSize, sizeText } from './sizes.js';

interface BucketDialogProps {
  /** Absent: a new bucket. */
  readonly bucket?: Bucket;
  readonly onClose: () => void;
}

const slugForm = '[a-z0-9][a-z0-9_\\-]{0,62}';

/** Makes a bucket, or changes its name, who may read it, and its limits. */
export default function BucketDialog({ bucket, onClose }: BucketDialogProps): ReactNode {
  const { ref } = useProject();
  const navigate = useNavigate({ from: '/projects/$ref/files' });
  const queryClient = useQueryClient();
  const [isPublic, setPublic] = useState(bucket?.public ?? false);
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const saving = useMutation({
    mutationFn: async (values: ReturnType<typeof valuesOf>) => {
      const { slug, ...body } = values;
      if (bucket) await changeBucket(ref, bucket.slug, body);
      // Without a name, the slug is the name.
      else await createBucket(ref, { slug, ...body, ...(body.name === '' && { name: slug }) });
      return slug;
    },
    async onSuccess(slug) {
      await refreshFiles(queryClient, ref);
      onClose();
      showToast({
        kind: 'done',
        text: bucket ? 'The bucket is changed.' : `The bucket ${slug} is made.`,
      });
      if (!bucket) await navigate({ search: { bucket: slug } });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const values = valuesOf(textsOf(event.currentTarget), isPublic);
    const found = problemsOf(values);
    setWrong(found);
    if (Object.keys(found).length === 0) saving.mutate(values);
  };
  const isTaken = saving.error !== null && asProblem(saving.error).code === 'BUCKET_EXISTS';
  const becomesPublic = bucket?.public === false && isPublic && bucket.fileCount > 0;
  return (
    <Dialog
      title={bucket ? `Change ${bucket.slug}` : 'New bucket'}
      {...(!bucket && { about: 'A bucket groups files, and has its own limits and rights.' })}
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <DialogBody>
          {!isTaken && <ProblemNotice of={saving.error} />}
          {!bucket && (
            <Field
              label="Slug"
              name="slug"
              required
              autoFocus
              pattern={slugForm}
              title="1 to 63 of a-z, 0-9, - and _, with a letter or digit first"
              placeholder="avatars"
              autoComplete="off"
              spellCheck={false}
              hint="In addresses and in code; it cannot be changed. 1 to 63 of a–z, 0–9, - and _."
              problem={isTaken ? 'There is a bucket with this slug.' : undefined}
            />
          )}
          <Field
            label="Name"
            name="name"
            defaultValue={bucket?.name ?? ''}
            required={bucket !== undefined}
            maxLength={200}
            hint={bucket ? undefined : 'Leave it empty to use the slug.'}
            autoComplete="off"
          />
          <Tick
            label="Public"
            hint="Everybody may read its files by their addresses, except those that are marked as private."
            checked={isPublic}
            onChange={(event) => setPublic(event.currentTarget.checked)}
          />
          {becomesPublic && (
            <Notice kind="warning">
              All files of the bucket become public at once, except those that were uploaded or
              changed as private. No policy is checked then.
            </Notice>
          )}
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <Field
              label="Quota"
              name="quota"
              defaultValue={sizeText(bucket?.quotaBytes ?? null)}
              placeholder="No quota"
              hint="All files together, such as 2 GB."
              problem={wrong['quota']}
            />
            <Field
              label="Largest file"
              name="maxFile"
              defaultValue={sizeText(bucket?.maxFileBytes ?? null)}
              placeholder="As the project allows"
              hint="Such as 5 MB."
              problem={wrong['maxFile']}
            />
          </div>
          <Field
            label="Allowed types"
            name="types"
            defaultValue={bucket?.allowedMimeTypes?.join(', ') ?? ''}
            placeholder="All types"
            hint="With commas between them: image/*, application/pdf. The content is checked as well."
            autoComplete="off"
            spellCheck={false}
          />
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={saving.isPending}>
            {bucket ? 'Save' : 'Make the bucket'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function valuesOf(text: (name: string) => string, isPublic: boolean) {
  const types = text('types')
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '');
  return {
    slug: text('slug').trim(),
    name: text('name').trim(),
    public: isPublic,
    // NaN is a text that is no size; it is never sent.
    quotaBytes: parseSize(text('quota')) ?? null,
    maxFileBytes: parseSize(text('maxFile')) ?? null,
    allowedMimeTypes: types.length === 0 ? null : types,
  };
}

function problemsOf({ quotaBytes, maxFileBytes }: ReturnType<typeof valuesOf>) {
  const noSize = 'This is no size. Write 500 MB, 2 GB, or a number of bytes.';
  return {
    ...(Number.isNaN(quotaBytes) && { quota: noSize }),
    ...(Number.isNaN(maxFileBytes) && { maxFile: noSize }),
  };
}
