import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { Button } from '../../ui/button.js';
import { bytesInWords } from '../../ui/bytes.js';
import { counted } from '../../ui/counted.js';
import { Choice, Field } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Time } from '../../ui/time.js';
import { showToast } from '../../ui/toast.js';
import { useMay, useProject } from '../project/use-project.js';
import { metadataText, parseMetadata } from '../users/metadata.js';
import { refreshFiles } from './bucket-actions.js';
import { changeFile } from './file-actions.js';
import type { FileFacts } from './queries.js';

const MetadataField = lazy(() => import('../users/metadata-field.js'));

/** What is known of a file, and the properties that can be changed. */
export function FactsPart({ file }: { readonly file: FileFacts }): ReactNode {
  const mayWrite = useMay('content.write');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <dl className="grid gap-x-4 gap-y-2 text-[14px] sm:grid-cols-[8rem_minmax(0,1fr)]">
        <Fact name="Id">
          <code className="text-[13px] select-all">{file.id}</code>
        </Fact>
        <Fact name="Type">{file.mime}</Fact>
        <Fact name="Size">
          {bytesInWords(file.size)} ({counted(file.size, 'byte')})
        </Fact>
        <Fact name="Owner">
          {file.ownerId === null ? 'none' : <code className="text-[13px]">{file.ownerId}</code>}
        </Fact>
        <Fact name="Uploaded">
          <Time at={file.createdAt} />
        </Fact>
        <Fact name="Changed">
          <Time at={file.updatedAt} />
        </Fact>
        <Fact name="Version">
          <code className="text-[13px]">{file.version}</code>
        </Fact>
        {file.sha256 !== null && (
          <Fact name="SHA-256">
            <code className="text-[13px] select-all">{file.sha256}</code>
          </Fact>
        )}
        {!mayWrite && <Fact name="Visibility">{file.visibility}</Fact>}
        {!mayWrite && <Fact name="Cache-Control">{file.cacheControl ?? 'the default'}</Fact>}
        {!mayWrite && Object.keys(file.metadata).length > 0 && (
          <Fact name="Metadata">
            <pre className="font-mono text-[13px] break-words whitespace-pre-wrap">
              {metadataText(file.metadata)}
            </pre>
          </Fact>
        )}
      </dl>
      {mayWrite && <Properties file={file} />}
    </div>
  );
}

function Fact({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="min-w-0 break-all max-sm:mb-1">{children}</dd>
    </>
  );
}

function Properties({ file }: { readonly file: FileFacts }): ReactNode {
  const { ref } = useProject();
  const queryClient = useQueryClient();
  const [visibility, setVisibility] = useState(file.visibility);
  const [cacheControl, setCacheControl] = useState(file.cacheControl ?? '');
  const [metadata, setMetadata] = useState(() => metadataText(file.metadata));
  const parsed = parseMetadata(metadata);
  const problem = 'problem' in parsed ? parsed.problem : undefined;
  const change = changeOf(file, { visibility, cacheControl, ...('value' in parsed && parsed) });
  const isChanged = Object.keys(change).length > 0 && problem === undefined;
  const saving = useMutation({
    mutationFn: () => changeFile(ref, file.id, change),
    async onSuccess() {
      await refreshFiles(queryClient, ref);
      showToast({ kind: 'done', text: 'The file is changed.' });
    },
  });
  return (
    <form
      className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line pt-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) saving.mutate();
      }}
    >
      <Choice
        label="Visibility"
        value={visibility}
        hint="Everybody may read a public file of a public bucket. In a private bucket, the choice counts as soon as the bucket becomes public."
        onChange={(event) =>
          setVisibility(event.currentTarget.value === 'public' ? 'public' : 'private')
        }
      >
        <option value="private">Private</option>
        <option value="public">Public</option>
      </Choice>
      <Field
        label="Cache-Control"
        value={cacheControl}
        placeholder="The default"
        hint="How long browsers keep a public file: seconds, or directives as public, max-age=86400."
        onChange={(event) => setCacheControl(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <Suspense fallback={<div className="skeleton h-32" />}>
        <MetadataField
          label="Metadata"
          hint="What your app notes about the file, as a JSON object."
          text={metadata}
          problem={problem}
          onChange={setMetadata}
        />
      </Suspense>
      <ProblemNotice of={saving.error} />
      <div>
        <Button type="submit" look="primary" disabled={!isChanged} busy={saving.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}

interface Wanted {
  readonly visibility: FileFacts['visibility'];
  readonly cacheControl: string;
  /** Undefined while the text is none. */
  readonly value?: Readonly<Record<string, unknown>>;
}

/** What differs from the file. */
function changeOf(file: FileFacts, wanted: Wanted): Parameters<typeof changeFile>[2] {
  const { visibility, value = file.metadata } = wanted;
  const cacheControl = wanted.cacheControl.trim() || null;
  return {
    ...(visibility !== file.visibility && { visibility }),
    ...(cacheControl !== file.cacheControl && { cacheControl }),
    ...(JSON.stringify(value) !== JSON.stringify(file.metadata) && { metadata: { ...value } }),
  };
}
