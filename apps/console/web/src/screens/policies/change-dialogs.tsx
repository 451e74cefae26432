import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Code } from '../../ui/code.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { showToast } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { dropSql, rlsSql, saveSql } from './policy-sql.js';
import { type PolicyTable, refreshPolicies, runSql } from './queries.js';

/** Runs SQL that changes policies, and has the list read again. */
function useChange(onDone: () => void) {
  const { ref } = useProject();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (sql: string) => runSql(ref, sql),
    onSuccess: async () => {
      await refreshPolicies(queryClient, ref);
      onDone();
    },
  });
}

interface DropDialogProps {
  readonly table: PolicyTable;
  readonly policy: string;
  readonly onClose: () => void;
}

/** Deletes a policy; the message that follows has the way back. */
export function DropDialog({ table, policy, onClose }: DropDialogProps): ReactNode {
  const { ref } = useProject();
  const queryClient = useQueryClient();
  const sql = dropSql(table, policy);
  const undo = async (): Promise<void> => {
    const found = table.policies.find(({ name }) => name === policy);
    if (!found) return;
    const draft = { ...found, using: found.using ?? '', check: found.check ?? '' };
    await runSql(ref, saveSql(table, draft, { comment: found.comment }));
    await refreshPolicies(queryClient, ref);
  };
  const { mutate, isPending, error } = useChange(() => {
    onClose();
    showToast({
      kind: 'done',
      text: `The policy ${policy} is deleted.`,
      undo: {
        label: 'Undo',
        run: () =>
          void undo().catch(() =>
            showToast({ kind: 'failed', text: 'The policy could not be made again.' }),
          ),
      },
    });
  });
  return (
    <Dialog
      title={`Delete the policy ${policy}`}
      about="What it allowed is refused from then on; what a restrictive policy refused is allowed again."
      role="alertdialog"
      onClose={onClose}
    >
      <DialogBody>
        <Code label="SQL" text={sql} />
        <ProblemNotice of={error} />
      </DialogBody>
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" busy={isPending} onClick={() => mutate(sql)}>
          Delete
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

interface RlsDialogProps {
  readonly table: PolicyTable;
  readonly onClose: () => void;
}

/** Turns row level security on, or off after the name of the table is typed. */
export function RlsDialog({ table, onClose }: RlsDialogProps): ReactNode {
  const { name, hasRls } = table;
  const [typed, setTyped] = useState('');
  const sql = rlsSql(table, !hasRls);
  const { mutate, isPending, error } = useChange(() => {
    onClose();
    showToast({
      kind: 'done',
      text: `Row level security of ${name} is ${hasRls ? 'off' : 'on'}.`,
    });
  });
  return (
    <Dialog
      title={`Turn ${hasRls ? 'off' : 'on'} row level security of ${name}`}
      about={
        hasRls
          ? 'Then no policy is looked at: every caller with rights on the table reads and writes all of its rows.'
          : 'Then callers reach the rows that policies let them reach, and no others.'
      }
      role="alertdialog"
      onClose={onClose}
    >
      <DialogBody>
        <Code label="SQL" text={sql} />
        {hasRls && (
          <Field
            label={`Type ${name} to confirm`}
            value={typed}
            autoComplete="off"
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
        <ProblemNotice of={error} />
      </DialogBody>
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look={hasRls ? 'danger' : 'primary'}
          busy={isPending}
          disabled={hasRls && typed !== name}
          onClick={() => mutate(sql)}
        >
          {hasRls ? 'Turn off' : 'Turn on'}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
