import { FolderOpen, SearchX, Upload } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { Code } from '../../ui/code.js';
import { Skeleton } from '../../ui/skeleton.js';
import { useProject } from '../project/use-project.js';

interface NoBucketsProps {
  /** Absent: the operator may not make buckets. */
  readonly onCreate: (() => void) | undefined;
}

/** What a bucket is for, and how the first one is made. */
export function NoBuckets({ onCreate }: NoBucketsProps): ReactNode {
  const { url } = useProject();
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-5 rounded-lg border border-line bg-surface p-5 sm:p-8">
      <div className="grid gap-1.5">
        <FolderOpen aria-hidden className="size-6 text-soft" />
        <h2 className="text-[17px] font-semibold">There is no bucket yet</h2>
        <p className="max-w-prose text-[14px] text-soft">
          Files of your app are in buckets, such as one for avatars and one for invoices. A bucket
          is public or private and has its own limits. Policies decide who reads and changes the
          files in it. Make one here or on your server.
        </p>
      </div>
      <Code
        label="On your server"
        text={`import { createClient } from '@rowhouse/client';

const server = createClient('${url}', 'your secret key');

await server.storage.createBucket('avatars', { maxFileBytes: 5_000_000 });`}
      />
      {onCreate && (
        <div>
          <Button look="primary" onClick={onCreate}>
            New bucket
          </Button>
        </div>
      )}
    </section>
  );
}

interface NoFilesProps {
  readonly bucket: string;
  readonly isFolder: boolean;
  /** Absent: the operator may not upload here. */
  readonly onUpload: (() => void) | undefined;
}

/** How the first file gets into a bucket or a folder. */
export function NoFiles({ bucket, isFolder, onUpload }: NoFilesProps): ReactNode {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] justify-items-center gap-3 rounded-lg border border-dashed border-line-strong bg-surface px-5 py-10 text-center">
      <Upload aria-hidden className="size-6 text-soft" />
      <h2 className="text-[17px] font-semibold">
        {isFolder ? 'Nothing is in this folder' : 'No file is in this bucket'}
      </h2>
      <p className="max-w-prose text-[14px] text-soft">
        {onUpload
          ? 'Drop files and folders here, or choose them. A folder exists as long as a file is in it.'
          : 'Files that your app uploads appear here.'}
      </p>
      {onUpload && (
        <Button look="primary" onClick={onUpload}>
          Choose files
        </Button>
      )}
      <div className="w-full max-w-2xl pt-2 text-left">
        <Code
          label="In your app"
          text={`await client.storage.from('${bucket}').upload('hello.txt', 'Hello');`}
        />
      </div>
    </section>
  );
}

export function NoMatch({
  text,
  onClear,
}: {
  readonly text: string;
  readonly onClear: () => void;
}): ReactNode {
  return (
    <div className="grid justify-items-center gap-3 rounded-lg border border-line bg-surface px-5 py-12 text-center">
      <SearchX aria-hidden className="size-6 text-soft" />
      <p className="max-w-full break-words">No name in this folder has “{text}” in it.</p>
      <Button onClick={onClear}>Show everything</Button>
    </div>
  );
}

/** Rows that are on their way; the label says which. */
export function WaitingRows({ label }: { readonly label: string }): ReactNode {
  return (
    <div
      role="group"
      aria-busy
      aria-label={label}
      className="divide-y divide-line rounded-lg border border-line bg-surface"
    >
      {Array.from({ length: 8 }, (_, row) => (
        <div key={row} className="flex h-12 items-center gap-6 px-4">
          <Skeleton className="w-48" />
          <Skeleton className="ml-auto w-16" />
          <Skeleton className="w-24 max-sm:hidden" />
        </div>
      ))}
    </div>
  );
}
