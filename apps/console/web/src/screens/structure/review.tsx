import { type FormEvent, type ReactNode, useState } from 'react';

import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { asProblem } from '../../api/problem.js';
import { Button } from '../../ui/button.js';
import { Code } from '../../ui/code.js';
import { CopyButton } from '../../ui/copy.js';
import { DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { useProject } from '../project/use-project.js';
import { type Change, scriptOf } from './change.js';
import { useRunChange } from './use-structure.js';

interface ReviewProps {
  readonly change: Change;
  /** What is left to choose, such as whether dependents go too. */
  readonly options?: ReactNode;
  readonly backLabel: string;
  readonly onBack: () => void;
  readonly onDone: (change: Change) => void;
}

/** The SQL of a change with what it loses, and the button that runs it. */
export function Review({ change, options, backLabel, onBack, onDone }: ReviewProps): ReactNode {
  const { ref } = useProject();
  const [typed, setTyped] = useState('');
  const running = useRunChange(onDone);
  const { losses, confirm } = change;
  const script = scriptOf(change);
  const isConfirmed = confirm === undefined || typed.trim() === confirm.trim();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isConfirmed && !running.isPending) running.mutate(change);
  };
  return (
    <form onSubmit={submit} className="flex grow flex-col">
      <div className="grow">
        <DialogBody>
          {losses.length > 0 && (
            <Notice kind="warning">
              <p>This is lost, and nothing brings it back:</p>
              <ul className="list-disc space-y-0.5 pl-5">
                {losses.map((loss) => (
                  <li key={loss} className="break-words">
                    {loss}
                  </li>
                ))}
              </ul>
            </Notice>
          )}
          {options}
          <Code label="SQL" text={script} />
          <p className="text-[13px] text-soft">
            It runs in one transaction as the owner of the project, and is written to the audit log.
          </p>
          {confirm !== undefined && (
            <Field
              label={`Type the name to confirm: ${confirm}`}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              spellCheck={false}
              autoFocus
            />
          )}
        </DialogBody>
      </div>
      <DialogButtons>
        {running.error !== null && (
          <div className="max-h-[30vh] w-full overflow-y-auto">
            <ProblemNotice
              of={running.error}
              // Without an answer of the database it is not known.
              {...(isRefused(running.error) && { effect: 'Nothing was changed.' })}
            />
          </div>
        )}
        <span className="mr-auto">
          <CopyButton
            text={curlOf({
              method: 'POST',
              path: projectPath(ref, '/api/admin/sql'),
              body: { query: script },
            })}
            what="as curl: the change"
          >
            Copy as curl
          </CopyButton>
        </span>
        <Button onClick={onBack}>{backLabel}</Button>
        <Button
          type="submit"
          look={confirm === undefined ? 'primary' : 'danger'}
          disabled={!isConfirmed}
          busy={running.isPending}
          autoFocus={confirm === undefined}
        >
          {running.isPending ? 'Running…' : 'Run'}
        </Button>
      </DialogButtons>
    </form>
  );
}

function isRefused(error: unknown): boolean {
  if (error === null) return false;
  const { status } = asProblem(error);
  return status >= 400 && status < 500;
}
