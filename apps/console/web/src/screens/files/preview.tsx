import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';

import { bytesInWords } from '../../ui/bytes.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { shownName } from '../../ui/shown-name.js';
import { useProject } from '../project/use-project.js';
import { shownType, maxPreviewBytes, type PreviewKind, previewOf } from './preview-kind.js';
import { type FileFacts, contentKey, readBytes } from './queries.js';

/** What a file looks like. Its bytes come through the API, and become pixels, sound or text. */
export function Preview({ file }: { readonly file: FileFacts }): ReactNode {
  const kind = previewOf(file);
  if (file.size === 0) return <Notice kind="plain">The file is empty.</Notice>;
  if (kind === 'none')
    return (
      <Notice kind="plain">
        Files of the type {file.mime} are not shown here. Download the file to look into it.
      </Notice>
    );
  if (kind === 'text' || kind === 'json') return <TextPreview file={file} kind={kind} />;
  if (file.size > maxPreviewBytes[kind])
    return (
      <Notice kind="plain">
        The file has more than {bytesInWords(maxPreviewBytes[kind])}, which is too much to show it
        here. Download it, or make a link and open that in another tab.
      </Notice>
    );
  return <BytesPreview file={file} kind={kind} />;
}

interface BytesPreviewProps {
  readonly file: FileFacts;
  readonly kind: Exclude<PreviewKind, 'none' | 'text' | 'json'>;
}

function BytesPreview({ file, kind }: BytesPreviewProps): ReactNode {
  const { ref } = useProject();
  const { data, error, refetch } = useQuery({
    queryKey: [...contentKey(ref), 'bytes', file.id, file.version],
    queryFn: async ({ signal }) => {
      const type = shownType(file.mime);
      const bytes = await readBytes(ref, file, { signal });
      return new Blob([bytes], type === undefined ? {} : { type });
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const address = useAddressOf(data);
  const [isBroken, setBroken] = useState(false);
  const name = shownName(file.name);
  if (error) return <ProblemNotice of={error} onRetry={() => void refetch()} />;
  if (address === undefined)
    return (
      <div role="group" aria-busy aria-label="Loading the preview" className="skeleton h-64" />
    );
  if (isBroken)
    return (
      <Notice kind="warning">
        The browser cannot show this file. Its content may be damaged or not be {file.mime}.
      </Notice>
    );
  const broken = (): void => setBroken(true);
  switch (kind) {
    case 'image':
      return <Picture address={address} name={name} onBroken={broken} />;
    case 'video':
      return (
        <video
          src={address}
          controls
          aria-label={name}
          className="max-h-[60vh] w-full rounded-md bg-sunken"
          onError={broken}
        />
      );
    case 'audio':
      return <audio src={address} controls aria-label={name} className="w-full" onError={broken} />;
    case 'pdf':
      return <PdfPreview address={address} name={name} />;
  }
}

interface PictureProps {
  readonly address: string;
  readonly name: string;
  readonly onBroken: () => void;
}

/** An image with its size in pixels, on a ground that shows where it is transparent. */
export function Picture({ address, name, onBroken }: PictureProps): ReactNode {
  const [size, setSize] = useState<string>();
  return (
    <figure className="grid gap-2">
      <div className="flex justify-center rounded-md border border-line bg-sunken p-2">
        <img
          src={address}
          alt={name}
          className="max-h-[55vh] max-w-full object-contain"
          onError={onBroken}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setSize(`${naturalWidth} × ${naturalHeight} pixels`)
          }
        />
      </div>
      <figcaption className="text-[13px] text-soft">{size ?? '…'}</figcaption>
    </figure>
  );
}

function PdfPreview({
  address,
  name,
}: {
  readonly address: string;
  readonly name: string;
}): ReactNode {
  if (!navigator.pdfViewerEnabled)
    return (
      <Notice kind="plain">
        This browser does not show PDF files within a page. Download the file to read it.
      </Notice>
    );
  return (
    <iframe
      src={address}
      title={`Preview of ${name}`}
      className="h-[70vh] w-full rounded-md border border-line"
    />
  );
}

interface TextPreviewProps {
  readonly file: FileFacts;
  readonly kind: 'text' | 'json';
}

function TextPreview({ file, kind }: TextPreviewProps): ReactNode {
  const { ref } = useProject();
  const maxBytes = maxPreviewBytes[kind];
  const { data, error, refetch } = useQuery({
    queryKey: [...contentKey(ref), 'text', file.id, file.version],
    queryFn: async ({ signal }) =>
      new TextDecoder().decode(await readBytes(ref, file, { maxBytes, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  if (error) return <ProblemNotice of={error} onRetry={() => void refetch()} />;
  if (data === undefined)
    return (
      <div role="group" aria-busy aria-label="Loading the preview" className="skeleton h-64" />
    );
  const isCut = file.size > maxBytes;
  const formatted = kind === 'json' && !isCut ? formattedJson(data) : data;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {isCut && (
        <p className="text-[13px] text-soft">
          The first {bytesInWords(maxBytes)} of {bytesInWords(file.size)}
        </p>
      )}
      {formatted === undefined && (
        <Notice kind="warning">This is not JSON. It is shown as text.</Notice>
      )}
      <pre
        tabIndex={0}
        role="region"
        aria-label="Content of the file"
        className="max-h-[60vh] overflow-auto rounded-md border border-line bg-sunken px-3 py-2.5 font-mono text-[13px] leading-relaxed break-words whitespace-pre-wrap"
      >
        {formatted ?? data}
      </pre>
    </div>
  );
}

/** Indents of deeply nested values would make a page of a text of a few KB. */
const maxGrowth = 20;

/** With indents; undefined for a text that is no JSON, or whose values are nested too deeply to be read. */
function formattedJson(text: string): string | undefined {
  try {
    const formatted = JSON.stringify(JSON.parse(text), null, 2);
    return formatted.length > text.length * maxGrowth ? undefined : formatted;
  } catch (error) {
    // RangeError: more levels than the browser can follow.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The address of bytes for as long as they are shown. */
export function useAddressOf(bytes: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!bytes) return;
    const made = URL.createObjectURL(bytes);
    setAddress(made);
    return () => {
      setAddress(undefined);
      URL.revokeObjectURL(made);
    };
  }, [bytes]);
  return address;
}
