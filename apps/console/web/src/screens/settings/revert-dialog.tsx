import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { answer, projectApi } from '../../api/client.js';
import { projectPath } from '../../api/place.js';
import { Dialog, DialogBody } from '../../ui/dialog.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { RequestButtons } from '../../ui/request-buttons.js';
import { showToast } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { differences } from './diff.js';
import { DifferencesTable } from './differences-table.js';
import { storedOf } from './draft.js';
import { useOpenForm } from './use-form.js';
import { useRefresh } from './use-refresh.js';

/** Deletes what is stored of a group, so that the environment and the defaults hold. The history keeps it. */
export default function RevertDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { ref } = useProject();
  const { group, loaded, discard } = useOpenForm();
  const refresh = useRefresh(group.name);
  const before = storedOf(group.fields, loaded);
  const changes = differences(group.fields, { before, after: null, unstored: loaded.unstored });
  const revert = useMutation({
    mutationFn: () =>
      answer(
        projectApi(ref).DELETE('/api/admin/settings/{group}', {
          params: { path: { group: group.name } },
        }),
      ),
    async onSuccess() {
      await refresh();
      discard();
      showToast({
        kind: 'done',
        text: `“${group.title}” follows the environment and the defaults. Its history has the way back.`,
      });
      onClose();
    },
  });
  return (
    <Dialog
      title={`Return “${group.title}” to its defaults`}
      about="Nothing of the group is stored then: each field has the value of the environment of the server, or its default."
      place="wide"
      role="alertdialog"
      onClose={onClose}
    >
      <DialogBody>
        <DifferencesTable label="What changes" of={changes} />
        {changes.some(({ after }) => after === 'removed') && (
          <Notice kind="warning">
            The history keeps no secrets: a removed secret must be typed again.
          </Notice>
        )}
        <ProblemNotice of={revert.error} effect="Nothing was changed." />
      </DialogBody>
      <RequestButtons
        request={{
          method: 'DELETE',
          path: projectPath(ref, `/api/admin/settings/${group.name}`),
        }}
        what="the request that returns to the defaults"
        look="danger"
        busy={revert.isPending}
        onCancel={onClose}
        onSend={() => revert.mutate()}
      >
        Return to defaults
      </RequestButtons>
    </Dialog>
  );
}
