import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { answer, projectApi } from '../../api/client.js';
import { projectPath } from '../../api/place.js';
import { asProblem } from '../../api/problem.js';
import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { Dialog, DialogBody } from '../../ui/dialog.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { RequestButtons } from '../../ui/request-buttons.js';
import { showToast } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { differences } from './diff.js';
import { DifferencesTable } from './differences-table.js';
import { bodyOf, fieldProblem, leavesEnvironment, storedOf, withoutSecrets } from './draft.js';
import { placesIn } from './form.js';
import { useRefresh } from './use-refresh.js';
import { isWithin, useOpenForm } from './use-form.js';

/** What is not saved, and the way to save it. It stays in sight. */
export function SaveBar(): ReactNode {
  const { draft, discard } = useOpenForm();
  const [isSaving, setSaving] = useState(false);
  if (draft.size === 0) return null;
  return (
    <div
      role="region"
      aria-label="Changes that are not saved"
      className="appear sticky bottom-3 z-10 mt-4 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-surface p-3 shadow-float"
    >
      <p className="mr-auto text-[14px] font-medium" role="status">
        {counted(draft.size, 'change')} not saved
      </p>
      <Button look="quiet" onClick={discard}>
        Discard
      </Button>
      <Button look="primary" onClick={() => setSaving(true)}>
        Review and save
      </Button>
      {isSaving && <SaveDialog onClose={() => setSaving(false)} />}
    </div>
  );
}

function SaveDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { ref } = useProject();
  const { group, loaded, draft, discard, refuse } = useOpenForm();
  const refresh = useRefresh(group.name);
  const before = storedOf(group.fields, loaded);
  const body = bodyOf(group.fields, loaded, draft);
  // A group of which nothing is stored follows the environment and the defaults.
  const isRevert = Object.keys(body).length === 0;
  const changes = differences(group.fields, { before, after: body, unstored: loaded.unstored });
  const path = `/api/admin/settings/${group.name}`;
  const save = useMutation({
    mutationFn: () => {
      const params = { path: { group: group.name } };
      const client = projectApi(ref);
      return isRevert
        ? answer(client.DELETE('/api/admin/settings/{group}', { params }))
        : answer(client.PUT('/api/admin/settings/{group}', { params, body: { ...body } }));
    },
    async onSuccess() {
      await refresh();
      discard();
      showToast({ kind: 'done', text: `“${group.title}” was saved.` });
      onClose();
      // The button that opened the dialog is gone, so the focus would be lost with it.
      window.setTimeout(() => document.querySelector<HTMLElement>('#group-title')?.focus(), 50);
    },
    onError(error) {
      const found = fieldProblem(asProblem(error).message);
      const place = found && placesIn(group.fields).find((each) => isWithin(found.path, each.path));
      if (!found || !place) return;
      refuse(found);
      onClose();
    },
  });
  const isLeaving = leavesEnvironment(group.fields, loaded, body);
  return (
    <Dialog title={`Save “${group.title}”`} place="wide" onClose={onClose}>
      <DialogBody>
        <DifferencesTable label="What is saved" of={changes} />
        {isLeaving && (
          <Notice kind="warning">
            These settings take nothing from the environment once they are stored. A secret of the
            environment must be typed.
          </Notice>
        )}
        <ProblemNotice of={save.error} effect="Nothing was saved." />
      </DialogBody>
      <RequestButtons
        request={{
          method: isRevert ? 'DELETE' : 'PUT',
          path: projectPath(ref, path),
          ...(!isRevert && { body: withoutSecrets(group.fields, body) }),
        }}
        what="the request that saves, without new secrets"
        busy={save.isPending}
        onCancel={onClose}
        onSend={() => save.mutate()}
      >
        Save
      </RequestButtons>
    </Dialog>
  );
}
