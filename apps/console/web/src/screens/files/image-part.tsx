import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { sendPlain } from '../../api/client.js';
import { curlOf } from '../../api/curl.js';
import { Button } from '../../ui/button.js';
import { bytesInWords } from '../../ui/bytes.js';
import { CopyButton } from '../../ui/copy.js';
import { Choice, Field, textsOf } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { shownName } from '../../ui/shown-name.js';
import { useProject } from '../project/use-project.js';
import { linkTo } from './file-actions.js';
import { MadeLink } from './link-part.js';
import { Picture, useAddressOf } from './preview.js';
import { shownType } from './preview-kind.js';
import { bytesOf, type FileFacts, contentKey, proxied } from './queries.js';

type Parameters = Readonly<Record<string, string>>;

const fields = ['width', 'height', 'resize', 'quality', 'format'] as const;
const firstTry: Parameters = { width: '400' };
const linkSeconds = '86400';
/** As in a page of an app: without a format in the address, the server chooses one of these. */
const acceptedByBrowsers = 'image/avif,image/webp,image/*;q=0.8,*/*;q=0.5';

/** Tries an image in other sizes and formats, as the server makes them. */
export function ImagePart({ file }: { readonly file: FileFacts }): ReactNode {
  const { ref } = useProject();
  const [wanted, setWanted] = useState(firstTry);
  const path = proxied(ref, `/files/${file.id}/image?${new URLSearchParams(wanted).toString()}`);
  const linking = useMutation({
    mutationFn: () => linkTo(ref, file.id, { ...wanted, expiresIn: linkSeconds }),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const text = textsOf(event.currentTarget);
    const given = fields.map((name) => [name, text(name).trim()] as const);
    setWanted(Object.fromEntries(given.filter(([, value]) => value !== '')));
    linking.reset();
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <form onSubmit={submit} className="grid grid-cols-2 items-end gap-3 sm:grid-cols-3">
        <Field label="Width" name="width" type="number" min={1} max={2000} defaultValue="400" />
        <Field label="Height" name="height" type="number" min={1} max={2000} />
        <Choice label="Fit" name="resize" defaultValue="">
          <option value="">Default (cover)</option>
          <option value="cover">cover: crop</option>
          <option value="contain">contain: whole image</option>
          <option value="fill">fill: distort</option>
        </Choice>
        <Field label="Quality" name="quality" type="number" min={20} max={100} placeholder="80" />
        <Choice label="Format" name="format" defaultValue="">
          <option value="">As the browser accepts</option>
          {['webp', 'avif', 'jpeg', 'png', 'origin'].map((format) => (
            <option key={format} value={format}>
              {format}
            </option>
          ))}
        </Choice>
        <Button type="submit" look="primary">
          Show
        </Button>
      </form>
      <Made key={path} path={path} file={file} />
      <div className="flex flex-wrap items-center gap-2">
        <Button busy={linking.isPending} onClick={() => linking.mutate()}>
          Make a link for a day
        </Button>
        <CopyButton text={curlOf({ path })} what="as curl: this image">
          Copy as curl
        </CopyButton>
      </div>
      <ProblemNotice of={linking.error} />
      {linking.data && (
        <MadeLink url={linking.data.url} expiresAt={linking.data.expiresAt} file={file} />
      )}
    </div>
  );
}

function Made({ path, file }: { readonly path: string; readonly file: FileFacts }): ReactNode {
  const { ref } = useProject();
  const [isBroken, setBroken] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: [...contentKey(ref), 'image', file.version, path],
    queryFn: async ({ signal }) => {
      const response = await sendPlain(path, { headers: { accept: acceptedByBrowsers }, signal });
      const bytes = await bytesOf(response);
      const type = shownType(response.headers.get('content-type') ?? '');
      return new Blob([bytes], type === undefined ? {} : { type });
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const address = useAddressOf(data);
  if (error) return <ProblemNotice of={error} onRetry={() => void refetch()} />;
  if (!data || address === undefined)
    return <div role="group" aria-busy aria-label="Making the image" className="skeleton h-48" />;
  if (isBroken) return <Notice kind="warning">The browser cannot show this format.</Notice>;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <Picture
        address={address}
        name={`${shownName(file.name)}, resized`}
        onBroken={() => setBroken(true)}
      />
      <p role="status" className="text-[13px] text-soft">
        {data.type}, {bytesInWords(data.size)} instead of {bytesInWords(file.size)}
      </p>
    </div>
  );
}
