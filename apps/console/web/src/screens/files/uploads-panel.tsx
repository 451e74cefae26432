import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, Pause, Play, RotateCcw, X } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';

import { Button } from '../../ui/button.js';
import { bytesInWords } from '../../ui/bytes.js';
import { counted } from '../../ui/counted.js';
import { shownName } from '../../ui/shown-name.js';
import { useProject } from '../project/use-project.js';
import { refreshFiles } from './bucket-actions.js';
import {
  cancelUpload,
  clearDone,
  pauseUpload,
  resumeUpload,
  type Upload,
  type UploadState,
  useUploads,
} from './uploads.js';

/** More are counted and not listed. */
const maxListed = 50;
/** While uploads go on, files are read again after as many of them. */
const refreshedAfter = 20;
/** First what needs a person, last what is done. */
const places: Readonly<Record<UploadState, number>> = {
  failed: 0,
  exists: 0,
  sending: 1,
  paused: 2,
  waiting: 3,
  done: 4,
};

/** The uploads into a bucket with their progress; nothing while there are none. */
export function UploadsPanel({ bucket }: { readonly bucket: string }): ReactNode {
  const { ref } = useProject();
  const queryClient = useQueryClient();
  const uploads = useUploads().filter((each) => each.ref === ref && each.bucket === bucket);
  const done = uploads.filter(({ state }) => state === 'done').length;
  const isBusy = uploads.some(({ state }) => state === 'sending' || state === 'waiting');
  // While many arrive, the list is read again now and then.
  const arrived = isBusy ? Math.floor(done / refreshedAfter) : `${done} at the end`;
  const hasUploads = uploads.length > 0;
  useEffect(() => {
    if (hasUploads) void refreshFiles(queryClient, ref);
  }, [hasUploads, arrived, queryClient, ref]);
  if (!hasUploads) return null;
  const isEnded = uploads.every(({ state }) => state === 'done');
  const taken = uploads.filter(({ state }) => state === 'exists');
  const listed = uploads.toSorted((one, other) => places[one.state] - places[other.state]);
  return (
    <section
      aria-label="Uploads"
      className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-lg border border-line bg-surface p-4"
    >
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" className="mr-auto text-[14px] font-medium">
          {isEnded
            ? `${counted(done, 'file')} uploaded`
            : `${done.toLocaleString('en')} of ${counted(uploads.length, 'file')} uploaded`}
        </p>
        {taken.length > 1 && (
          <Button
            size="small"
            onClick={() => {
              for (const { id } of taken) resumeUpload(id, { upsert: true });
            }}
          >
            Replace all {taken.length}
          </Button>
        )}
        {!isEnded && uploads.length > 1 && (
          <Button
            size="small"
            onClick={() => {
              for (const { id, state } of uploads) if (state !== 'done') cancelUpload(id);
            }}
          >
            Cancel all
          </Button>
        )}
        {done > 0 && (
          <Button size="small" look="quiet" onClick={clearDone}>
            Clear the list
          </Button>
        )}
      </div>
      <Progress
        label="All uploads"
        sent={sumOf(uploads.map(({ sent }) => sent))}
        size={sumOf(uploads.map(({ size }) => size))}
      />
      <ul aria-label="Uploads by file" className="max-h-72 divide-y divide-line overflow-y-auto">
        {listed.slice(0, maxListed).map((upload) => (
          <UploadItem key={upload.id} upload={upload} />
        ))}
      </ul>
      {uploads.length > maxListed && (
        <p className="text-[13px] text-soft">{counted(uploads.length - maxListed, 'more file')}</p>
      )}
    </section>
  );
}

function UploadItem({ upload }: { readonly upload: Upload }): ReactNode {
  const { id, key, size, sent, state, problem } = upload;
  const name = shownName(key);
  const canPause = state === 'sending' || state === 'waiting';
  const canGoOn = state === 'paused' || state === 'failed';
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1 py-2">
      <div className="flex items-center gap-2 text-[14px]">
        {state === 'done' && <CircleCheck aria-hidden className="size-4 shrink-0 text-good" />}
        {(state === 'failed' || state === 'exists') && (
          <CircleAlert aria-hidden className="size-4 shrink-0 text-danger" />
        )}
        <span className="min-w-0 grow truncate" title={name}>
          <bdi>{name}</bdi>
        </span>
        <span className="shrink-0 text-[13px] text-soft tabular-nums">{stateInWords(upload)}</span>
        {state === 'exists' && (
          <Button
            size="small"
            aria-label={`Replace ${name}`}
            onClick={() => resumeUpload(id, { upsert: true })}
          >
            Replace
          </Button>
        )}
        {canPause && (
          <IconButton name={`Pause ${name}`} Icon={Pause} onPress={() => pauseUpload(id)} />
        )}
        {canGoOn && (
          <IconButton
            name={`${state === 'paused' ? 'Resume' : 'Try again'}: ${name}`}
            Icon={state === 'paused' ? Play : RotateCcw}
            onPress={() => resumeUpload(id)}
          />
        )}
        {state !== 'done' && (
          <IconButton name={`Cancel ${name}`} Icon={X} onPress={() => cancelUpload(id)} />
        )}
      </div>
      {(state === 'sending' || state === 'paused') && (
        <Progress label={name} sent={sent} size={size} />
      )}
      {state === 'failed' && problem && (
        <p role="alert" className="text-[13px] break-words text-danger">
          {problem.message}
          {problem.requestId !== undefined && ` Request ${problem.requestId}`}
        </p>
      )}
    </li>
  );
}

interface IconButtonProps {
  readonly name: string;
  readonly Icon: typeof Pause;
  readonly onPress: () => void;
}

function IconButton({ name, Icon, onPress }: IconButtonProps): ReactNode {
  return (
    <Button look="quiet" size="small" aria-label={name} title={name} onClick={onPress}>
      <Icon aria-hidden className="size-4" />
    </Button>
  );
}

interface ProgressProps {
  readonly label: string;
  readonly sent: number;
  readonly size: number;
}

function Progress({ label, sent, size }: ProgressProps): ReactNode {
  const share = size === 0 ? 1 : sent / size;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(share * 100)}
      className="h-1.5 overflow-hidden rounded-full bg-line"
    >
      <div className="h-full bg-accent" style={{ width: `${share * 100}%` }} />
    </div>
  );
}

function stateInWords({ state, sent, size }: Upload): string {
  switch (state) {
    case 'waiting':
      return 'waiting';
    case 'sending':
      return `${bytesInWords(sent)} of ${bytesInWords(size)}`;
    case 'paused':
      return `paused at ${bytesInWords(sent)} of ${bytesInWords(size)}`;
    case 'done':
      return bytesInWords(size);
    case 'exists':
      return 'exists already';
    case 'failed':
      return 'failed';
  }
}

const sumOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0);
