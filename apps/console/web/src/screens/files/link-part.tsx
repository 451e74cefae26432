import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { curlOf } from '../../api/curl.js';
import { Button } from '../../ui/button.js';
import { CopyButton, CopyField } from '../../ui/copy.js';
import { Choice, Tick } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { exactTime } from '../../ui/time-in-words.js';
import { useMay, useProject } from '../project/use-project.js';
import { linkTo } from './file-actions.js';
import { type FileFacts, isPublicFile, proxied } from './queries.js';

const durations = [
  ['600', '10 minutes'],
  ['3600', '1 hour'],
  ['86400', '1 day'],
  ['604800', '7 days'],
] as const;

/** Makes an address at which a file can be read for some time by everybody who has it. */
export function LinkPart({ file }: { readonly file: FileFacts }): ReactNode {
  const { ref } = useProject();
  const [expiresIn, setExpiresIn] = useState('3600');
  const [isSaved, setSaved] = useState(false);
  const query = { expiresIn, ...(isSaved && { download: file.name }) };
  const making = useMutation({ mutationFn: () => linkTo(ref, file.id, query) });
  const link = making.data;
  const forget = (): void => making.reset();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="grid items-end gap-4 sm:grid-cols-[12rem_auto]">
        <Choice
          label="Valid for"
          value={expiresIn}
          onChange={(event) => {
            forget();
            setExpiresIn(event.currentTarget.value);
          }}
        >
          {durations.map(([seconds, name]) => (
            <option key={seconds} value={seconds}>
              {name}
            </option>
          ))}
        </Choice>
      </div>
      <Tick
        label="Browsers save the file instead of showing it"
        checked={isSaved}
        onChange={(event) => {
          forget();
          setSaved(event.currentTarget.checked);
        }}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button look="primary" busy={making.isPending} onClick={() => making.mutate()}>
          Make a link
        </Button>
        <CopyButton
          text={curlOf({
            path: proxied(ref, `/files/${file.id}/url?${new URLSearchParams(query).toString()}`),
          })}
          what="as curl: this link"
        >
          Copy as curl
        </CopyButton>
      </div>
      <ProblemNotice of={making.error} />
      {link && <MadeLink url={link.url} expiresAt={link.expiresAt} file={file} />}
    </div>
  );
}

interface MadeLinkProps {
  readonly url: string;
  readonly expiresAt: string | null;
  readonly file: FileFacts;
}

export function MadeLink({ url, expiresAt, file }: MadeLinkProps): ReactNode {
  const { ref } = useProject();
  const maySet = useMay('secrets.manage');
  const isPublic = isPublicFile(file);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <CopyField label="Link" text={url} />
      {expiresAt !== null && (
        <p role="status" className="text-[14px] text-soft">
          Everybody with the link can read the file until {exactTime(expiresAt)}. It ends before if
          the file is replaced, moved away or deleted.
        </p>
      )}
      {expiresAt === null && isPublic && (
        <p role="status" className="text-[14px] text-soft">
          The file is public: this address does not expire.
        </p>
      )}
      {expiresAt === null && !isPublic && (
        <Notice kind="warning">
          Links to private files are turned off for this project. This address asks for a session or
          a key with the right to read the file.{' '}
          {maySet && (
            <Link
              to="/projects/$ref/settings/$part"
              params={{ ref, part: 'storage' }}
              className="underline"
            >
              Turn them on in the settings
            </Link>
          )}
        </Notice>
      )}
    </div>
  );
}
