import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { answer, projectApi } from '../../api/client.js';
import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { Dialog, DialogBody } from '../../ui/dialog.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { RequestButtons } from '../../ui/request-buttons.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Time } from '../../ui/time.js';
import { exactTime } from '../../ui/time-in-words.js';
import { useProject } from '../project/use-project.js';
import { differences } from './diff.js';
import { DifferencesTable } from './differences-table.js';
import { storedOf } from './draft.js';
import { placesIn } from './form.js';
import { historyQuery, type Version } from './queries.js';
import { useOpenForm } from './use-form.js';
import { useRefresh } from './use-refresh.js';

const actions = {
  save: 'Saved',
  revert: 'Returned to the defaults',
  restore: 'Returned to an earlier version',
} as const;

type State = 'before' | 'after';

interface Target {
  readonly version: Version;
  readonly state: State;
}

/** The versions of the group, newest first, each with what it changed and the way back to it. */
export default function HistoryTab(): ReactNode {
  const { ref } = useProject();
  const { group } = useOpenForm();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    historyQuery(ref, group.name),
  );
  const [target, setTarget] = useState<Target>();
  const [asNow, setAsNow] = useState<readonly string[]>([]);
  const versions = data?.pages.flatMap((page) => page.versions) ?? [];
  const path = projectPath(ref, `/api/admin/settings/${group.name}/history`);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <ProblemNotice of={error} onRetry={() => void refetch()} />
      {asNow.length > 0 && (
        <Notice kind="warning">
          The version was returned to. These secrets have changed since and stay as they are now:{' '}
          {asNow.map((secret) => labelOf(group.fields, secret)).join(', ')}.
        </Notice>
      )}
      {!data && !error && <Skeleton className="w-64" />}
      {data && versions.length === 0 && (
        <p className="text-[14px] text-soft">
          The group was not changed yet. Each save appears here with its values before and after,
          and with the way back.
        </p>
      )}
      {versions.length > 0 && (
        <div className="flex justify-end">
          <CopyButton text={curlOf({ path })} what="as curl: the history">
            Copy as curl
          </CopyButton>
        </div>
      )}
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {versions.map((version) => (
          <VersionItem key={version.id} of={version} onRestore={setTarget} />
        ))}
      </ol>
      {hasNextPage && (
        <Button
          className="justify-self-start"
          busy={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          Show older versions
        </Button>
      )}
      {target && (
        <RestoreDialog of={target} onDone={setAsNow} onClose={() => setTarget(undefined)} />
      )}
    </div>
  );
}

interface ItemProps {
  readonly of: Version;
  readonly onRestore: (target: Target) => void;
}

function VersionItem({ of: version, onRestore }: ItemProps): ReactNode {
  const { group } = useOpenForm();
  const { id, at, actor, action } = version;
  const when = exactTime(at);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-lg border border-line bg-surface p-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[14px]">
        <p className="mr-auto min-w-0 break-words">
          <span className="font-medium">{actions[action]}</span>{' '}
          <span className="text-soft">
            by {nameOf(actor)}, <Time at={at} />
          </span>
        </p>
        <Button
          look="quiet"
          size="small"
          aria-label={`Undo the change of ${when} (${id})`}
          onClick={() => onRestore({ version, state: 'before' })}
        >
          Undo
        </Button>
        <Button
          size="small"
          aria-label={`Return to this version of ${when} (${id})`}
          onClick={() => onRestore({ version, state: 'after' })}
        >
          Return to this version
        </Button>
      </div>
      <DifferencesTable label={`What changed on ${when}`} of={differences(group.fields, version)} />
    </li>
  );
}

interface RestoreProps {
  readonly of: Target;
  readonly onDone: (secretsAsNow: readonly string[]) => void;
  readonly onClose: () => void;
}

function RestoreDialog({ of: { version, state }, onDone, onClose }: RestoreProps): ReactNode {
  const { ref } = useProject();
  const { group, loaded, discard } = useOpenForm();
  const refresh = useRefresh(group.name);
  const before = storedOf(group.fields, loaded);
  const after = version[state];
  const changes = differences(group.fields, { before, after, unstored: loaded.unstored });
  const path = { group: group.name, id: version.id };
  const restore = useMutation({
    mutationFn: () =>
      answer(
        projectApi(ref).POST('/api/admin/settings/{group}/history/{id}/restore', {
          params: { path },
          body: { state },
        }),
      ),
    async onSuccess({ secretsAsNow }) {
      await refresh();
      discard();
      onDone(secretsAsNow);
      onClose();
    },
  });
  return (
    <Dialog
      title={state === 'after' ? 'Return to this version' : 'Return to before this change'}
      about="It holds from the next request on, and becomes a version of its own. Secrets are not kept in the history: they stay as they are now."
      place="wide"
      role="alertdialog"
      onClose={onClose}
    >
      <DialogBody>
        <DifferencesTable label="What changes" of={changes} />
        <ProblemNotice of={restore.error} effect="Nothing was changed." />
      </DialogBody>
      <RequestButtons
        request={{
          method: 'POST',
          path: projectPath(ref, `/api/admin/settings/${path.group}/history/${path.id}/restore`),
          body: { state },
        }}
        what="the request that returns to the version"
        busy={restore.isPending}
        onCancel={onClose}
        onSend={() => restore.mutate()}
      >
        Return
      </RequestButtons>
    </Dialog>
  );
}

function nameOf({ kind, email, id }: Version['actor']): string {
  return email ?? id ?? (kind === 'secret-key' ? 'the secret key' : kind);
}

function labelOf(fields: Parameters<typeof placesIn>[0], path: string): string {
  return placesIn(fields).find((place) => place.path === path)?.label ?? path;
}
