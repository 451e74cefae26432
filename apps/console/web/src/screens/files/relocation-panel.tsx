import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { bytesInWords } from '../../ui/bytes.js';
import { counted } from '../../ui/counted.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Notice } from '../../ui/notice.js';
import { Panel } from '../../ui/panel.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Time } from '../../ui/time.js';
import { useMay, useProject } from '../project/use-project.js';
import {
  relocationQuery,
  type RelocationView,
  startRelocation,
  stopRelocation,
} from './bucket-queries.js';

const places = { local: 'a folder of the server', s3: 'an S3 store' } as const;

/** Where new files are kept, and the move of all others there with its progress. */
export function RelocationPanel(): ReactNode {
  const { ref } = useProject();
  const mayWrite = useMay('content.write');
  const maySet = useMay('secrets.manage');
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { data: move, error, refetch } = useQuery(relocationQuery(ref));
  const changing = useMutation({
    mutationFn: (work: (ref: string) => Promise<unknown>) => work(ref),
    onSuccess: () => setAsking(false),
    onSettled: () => queryClient.invalidateQueries({ queryKey: relocationQuery(ref).queryKey }),
  });
  const isRunning = move?.state === 'running';
  return (
    <Panel
      title="Where files are kept"
      side={
        mayWrite &&
        move &&
        (isRunning ? (
          <Button busy={changing.isPending} onClick={() => changing.mutate(stopRelocation)}>
            Stop the move
          </Button>
        ) : (
          <Button onClick={() => setAsking(true)}>
            Move all files to {shortName(move.currentDriver)}
          </Button>
        ))
      }
    >
      <ProblemNotice of={error} onRetry={() => void refetch()} />
      {!isAsking && <ProblemNotice of={changing.error} />}
      {!move && !error && <Skeleton className="w-72" />}
      {move && (
        <div className="grid gap-3 text-[14px]">
          <p>
            New files go to {places[move.currentDriver]}.{' '}
            <span className="text-soft">
              Existing files stay where they are, and are read from there.
            </span>{' '}
            {maySet && (
              <Link
                to="/projects/$ref/settings/$part"
                params={{ ref, part: 'storage' }}
                className="text-accent underline"
              >
                Change it in the settings
              </Link>
            )}
          </p>
          {move.state !== 'idle' && <Progress move={move} />}
        </div>
      )}
      {isAsking && move && (
        <Dialog
          title={`Move all files to ${shortName(move.currentDriver)}?`}
          role="alertdialog"
          onClose={() => setAsking(false)}
        >
          <DialogBody>
            <p className="text-[14px]">
              Every file that is kept in {otherPlace(move.currentDriver)} is copied to{' '}
              {places[move.currentDriver]}, checked, and deleted where it was. Files can be read
              meanwhile. The move can be stopped; files that have been moved stay.
            </p>
            <ProblemNotice of={changing.error} />
          </DialogBody>
          <DialogButtons>
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <Button
              look="primary"
              busy={changing.isPending}
              onClick={() => changing.mutate(startRelocation)}
            >
              Move
            </Button>
          </DialogButtons>
        </Dialog>
      )}
    </Panel>
  );
}

function Progress({ move }: { readonly move: RelocationView }): ReactNode {
  const { movedFiles, totalFiles, movedBytes, totalBytes, failedFiles, failures, lastError } = move;
  const share = totalFiles === 0 ? 1 : Math.min(1, (movedFiles + failedFiles) / totalFiles);
  return (
    <div className="grid gap-2">
      <p role="status">
        {stateInWords(move)}: {movedFiles.toLocaleString('en')} of {counted(totalFiles, 'file')},{' '}
        {bytesInWords(movedBytes)} of {bytesInWords(totalBytes)}
        {move.endedAt !== null && (
          <span className="text-soft">
            , ended <Time at={move.endedAt} />
          </span>
        )}
      </p>
      <div
        role="progressbar"
        aria-label="Moved files"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(share * 100)}
        className="h-1.5 overflow-hidden rounded-full bg-line"
      >
        <div className="h-full bg-accent" style={{ width: `${share * 100}%` }} />
      </div>
      {failedFiles > 0 && (
        <Notice kind="warning">
          <p>{counted(failedFiles, 'file')} stayed in place:</p>
          <ul className="list-disc pl-5">
            {Object.entries(failures).map(([reason, count]) => (
              <li key={reason} className="break-words">
                {reason}: {count.toLocaleString('en')}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {lastError !== null && <Notice kind="problem">The move waits: {lastError}</Notice>}
    </div>
  );
}

const otherPlace = (driver: RelocationView['to']): string =>
  driver === 's3' ? places.local : places.s3;

const shortName = (driver: RelocationView['to']): string => (driver === 's3' ? 'S3' : 'the folder');

function stateInWords({ state, from, to }: RelocationView): string {
  const way = `from ${places[from]} to ${places[to]}`;
  switch (state) {
    case 'running':
      return `Moving ${way}`;
    case 'done':
      return `Moved ${way}`;
    case 'stopped':
      return `Stopped moving ${way}`;
    case 'failed':
      return `The move ${way} failed`;
    case 'idle':
      return '';
  }
}
