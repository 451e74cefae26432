import { json } from '@codemirror/lang-json';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { parseObject } from '../../api/json.js';
import { Button } from '../../ui/button.js';
import { CodeEditor } from '../../ui/code-editor.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Choice, Field } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { usersQuery } from './queries.js';
import type { RunAsChoice } from './run-as.js';

interface RunAsDialogProps {
  readonly onChoose: (choice: RunAsChoice) => void;
  readonly onClose: () => void;
}

/** Finds a user to run as. */
export function UserDialog({
  projectRef,
  onChoose,
  onClose,
}: RunAsDialogProps & { readonly projectRef: string }): ReactNode {
  const [search, setSearch] = useState('');
  const { data: users, error, isFetching } = useQuery(usersQuery(projectRef, search.trim()));
  return (
    <Dialog
      title="Run as a user"
      about="The statements see what policies allow this user to see, and auth.uid() is the user."
      onClose={onClose}
    >
      <DialogBody>
        <Field
          label="Email address, name or id"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          autoFocus
        />
        <ProblemNotice of={error} />
        <p role="status" className="text-[13px] text-soft">
          {search.trim() === ''
            ? 'Type a part of it to find users.'
            : users?.length === 0 && !isFetching && 'No user has it.'}
        </p>
        <ul className="divide-y divide-line">
          {users?.map(({ id, email, name }) => (
            <li key={id}>
              <button
                type="button"
                className="grid w-full rounded-md px-2 py-2 text-left -outline-offset-2 hover:bg-hover"
                onClick={() => onChoose({ kind: 'user', userId: id, name: email || id })}
              >
                <span className="text-[14px] break-all">{email}</span>
                <span className="text-[13px] break-all text-soft">
                  {name} {id}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogButtons>
        <Button onClick={onClose}>Back</Button>
      </DialogButtons>
    </Dialog>
  );
}

const language = json();
const roles = ['authenticated', 'anon', 'service_role'] as const;

/** A role and the claims that policies see. */
export function ClaimsDialog({ onChoose, onClose }: RunAsDialogProps): ReactNode {
  const [role, setRole] = useState<(typeof roles)[number]>('authenticated');
  const [text, setText] = useState('{\n  "sub": ""\n}');
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const claims = parseObject(text);
    if (claims) onChoose({ kind: 'claims', role, claims });
    else setProblem('The claims must be a JSON object, such as {"sub": "…"}.');
  };
  return (
    <Dialog
      title="Run with claims"
      about="What auth.jwt() returns, without any account behind it."
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <DialogBody>
          <Choice
            label="Role"
            value={role}
            onChange={({ currentTarget: { value } }) =>
              setRole(roles.find((known) => known === value) ?? role)
            }
          >
            {roles.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Choice>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
            <span className="text-[13px] font-semibold">Claims</span>
            <CodeEditor label="Claims" value={text} onChange={setText} language={language} />
          </div>
          {problem !== undefined && <Notice kind="problem">{problem}</Notice>}
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Back</Button>
          <Button type="submit" look="primary">
            Use the claims
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
