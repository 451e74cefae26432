import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field, Tick } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { type SavedQuery, savedQueriesQuery, saveQuery } from './queries.js';
import type { SqlTab } from './tabs.js';

interface SaveDialogProps {
  readonly projectRef: string;
  readonly tab: SqlTab;
  readonly onSaved: (query: SavedQuery) => void;
  readonly onClose: () => void;
}

/** Saves the text of a tab as a new query. */
export function SaveDialog({ projectRef, tab, onSaved, onClose }: SaveDialogProps): ReactNode {
  const queryClient = useQueryClient();
  const [name, setName] = useState(tab.savedSql === undefined ? tab.name : `${tab.name} (copy)`);
  const [isShared, setShared] = useState(false);
  const saving = useMutation({
    mutationFn: () => saveQuery(projectRef, { name, sql: tab.sql, isShared }),
    onSuccess: async (query) => {
      onSaved(query);
      await queryClient.invalidateQueries(savedQueriesQuery(projectRef));
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Dialog title="Save the query" onClose={onClose}>
      <form onSubmit={submit}>
        <DialogBody>
          <ProblemNotice of={saving.error} />
          <Field
            label="Name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={120}
            autoComplete="off"
            required
            autoFocus
          />
          <Tick
            label="Share it"
            hint="Everyone who may run SQL on this project sees it and can run it. You alone can change it."
            checked={isShared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" look="primary" busy={saving.isPending}>
            Save
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
