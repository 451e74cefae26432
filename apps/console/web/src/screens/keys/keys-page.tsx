import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { useTitle } from '../../shell/card.js';
import { CopyButton } from '../../ui/copy.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { WaitingPanels } from '../../ui/waiting-panels.js';
import { useMay, useProject } from '../project/use-project.js';
import { DatabasePanel } from './database-panel.js';
import { Enforcement } from './enforcement.js';
import { KeysPanel } from './keys-panel.js';
import { NewKeyDialog } from './new-key-dialog.js';
import {
  enforcementQuery,
  type Key,
  type KeyKind,
  liveKeysQuery,
  signingKeysQuery,
} from './queries.js';
import { RevokeDialog } from './revoke-dialog.js';
import { RotateDialog } from './rotate-dialog.js';
import { SigningKeysPanel } from './signing-keys-panel.js';

type Task =
  | { readonly name: 'make' | 'rotate'; readonly kind: KeyKind }
  | { readonly name: 'revoke'; readonly key: Key };

/** The keys of a project, those that programs send and those that tokens are signed with, and the password of its database. */
export function KeysPage(): ReactNode {
  const { ref, name } = useProject();
  useTitle(`Keys of ${name}`);
  const maySee = useMay('secrets.manage');
  return (
    <>
      <header className="flex items-start gap-3 pb-4">
        <div className="mr-auto min-w-0">
          <h1 className="text-[22px] leading-tight font-semibold">Keys</h1>
          <p className="text-[14px] text-soft">
            The keys that programs send, the keys that sign tokens, and the password of the
            database. A key is shown once, when it is made.
          </p>
        </div>
        {maySee && (
          <CopyButton text={curlOf({ path: projectPath(ref, '/keys') })} what="as curl: the keys">
            Copy as curl
          </CopyButton>
        )}
      </header>
      {maySee ? (
        <Keys />
      ) : (
        <Notice kind="plain">
          Keys are shown to operators who may manage secrets. Ask one of them.
        </Notice>
      )}
    </>
  );
}

function Keys(): ReactNode {
  const { ref } = useProject();
  const { data, error, isLoading, refetch } = useQuery(liveKeysQuery(ref));
  const [task, setTask] = useState<Task>();
  const maySeeEnforcement = useMay('settings.manage');
  const enforcement = useQuery({ ...enforcementQuery(ref), enabled: maySeeEnforcement });
  const signing = useQuery(signingKeysQuery(ref));
  // All at once: no panel is moved by the one above it.
  if (isLoading || enforcement.isLoading || signing.isLoading)
    return <WaitingPanels count={3} height="h-40" />;
  const close = (): void => setTask(undefined);
  const ofKind = (kind: KeyKind) => data?.keys.filter((key) => key.kind === kind);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <ProblemNotice of={error} onRetry={() => void refetch()} />
      {(data || !error) &&
        (['publishable', 'secret'] as const).map((kind) => (
          <KeysPanel
            key={kind}
            kind={kind}
            keys={ofKind(kind)}
            onMake={() => setTask({ name: 'make', kind })}
            onRotate={() => setTask({ name: 'rotate', kind })}
            onRevoke={(key) => setTask({ name: 'revoke', key })}
          >
            {kind === 'publishable' && <Enforcement />}
          </KeysPanel>
        ))}
      <SigningKeysPanel />
      <DatabasePanel />
      {task?.name === 'make' && <NewKeyDialog kind={task.kind} onClose={close} />}
      {task?.name === 'rotate' && (
        <RotateDialog kind={task.kind} old={ofKind(task.kind) ?? []} onClose={close} />
      )}
      {task?.name === 'revoke' && <RevokeDialog revoked={task.key} onClose={close} />}
    </div>
  );
}
