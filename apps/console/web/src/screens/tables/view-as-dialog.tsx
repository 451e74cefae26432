import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';

import { answer, projectApi } from '../../api/client.js';
import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { useProject } from '../project/use-project.js';
import { knownAs } from '../users/names.js';

interface ViewAsDialogProps {
  readonly onChoose: (viewer: string | undefined) => void;
  readonly onClose: () => void;
}

const shownUsers = 20;

/** As whom the rows are read. */
export function ViewAsDialog({ onChoose, onClose }: ViewAsDialogProps): ReactNode {
  const { ref } = useProject();
  const [text, setText] = useState('');
  const search = useDeferredValue(text.trim());
  const { data, error } = useQuery({
    queryKey: ['projects', ref, 'users', 'found', search],
    queryFn: () => {
      const query = { perPage: shownUsers, ...(search !== '' && { search }) };
      return answer(projectApi(ref).GET('/api/admin/users', { params: { query } }));
    },
    placeholderData: (former) => former,
  });
  return (
    <Dialog
      title="View as"
      about="Rows are read under the policies of this caller, and cannot be changed meanwhile. Each read is in the audit log."
      onClose={onClose}
    >
      <DialogBody>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => onChoose(undefined)}>Owner: all rows</Button>
          <Button onClick={() => onChoose('anon')}>A visitor (anon)</Button>
        </div>
        <Field
          label="A user"
          type="search"
          value={text}
          placeholder="Address, name or id"
          autoComplete="off"
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <ProblemNotice of={error} />
        <ul aria-label="Users" className="max-h-64 overflow-y-auto rounded-md border border-line">
          {data?.users.map((user) => (
            <li key={user.id} className="border-b border-line last:border-0">
              <button
                type="button"
                onClick={() => onChoose(user.id)}
                className="grid w-full px-3 py-1.5 text-left text-[14px] -outline-offset-2 hover:bg-hover"
              >
                <span className="truncate">{knownAs(user)}</span>
                <span className="truncate text-[12px] text-soft">
                  {user.name === '' ? user.id : `${user.name} · ${user.id}`}
                </span>
              </button>
            </li>
          ))}
          {data?.users.length === 0 && (
            <li className="px-3 py-2 text-[13px] text-soft">No user matches.</li>
          )}
        </ul>
      </DialogBody>
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
      </DialogButtons>
    </Dialog>
  );
}
