import { Braces, ListTree, Play, Save, Square } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { Choice } from '../../ui/field.js';
import { Menu } from '../../ui/menu.js';
import { type RunAsChoice, runAsName } from './run-as.js';
import { ClaimsDialog, UserDialog } from './run-as-dialog.js';

const rowLimits = [100, 1_000, 10_000, 50_000] as const;

interface ToolbarProps {
  readonly projectRef: string;
  readonly isOwner: boolean;
  readonly isRunning: boolean;
  readonly runAs: RunAsChoice;
  readonly maxRows: number;
  readonly curl: string;
  readonly canSave: boolean;
  readonly onRun: () => void;
  readonly onCancel: () => void;
  readonly onExplain: (isMeasured: boolean) => void;
  readonly onFormat: () => void;
  readonly onSave: () => void;
  readonly onSaveAs: () => void;
  readonly onRunAs: (choice: RunAsChoice) => void;
  readonly onMaxRows: (maxRows: number) => void;
}

/** What can be done with the text, and how it runs. */
export function Toolbar(props: ToolbarProps): ReactNode {
  const { isRunning, maxRows, curl, canSave } = props;
  return (
    <div className="flex flex-wrap items-center gap-2" role="group" aria-label="The text">
      {isRunning ? (
        <Button look="danger" onClick={props.onCancel} title="Escape">
          <Square aria-hidden className="size-4" />
          Cancel
        </Button>
      ) : (
        <Button look="primary" onClick={props.onRun} title="Ctrl-Enter">
          <Play aria-hidden className="size-4" />
          Run
        </Button>
      )}
      <Menu
        label="Explain"
        icon={<ListTree aria-hidden className="size-4" />}
        entries={[
          { text: 'The plan of one statement' },
          { name: 'Plan without running', icon: null, run: () => props.onExplain(false) },
          { name: 'Run, measure and undo', icon: null, run: () => props.onExplain(true) },
        ]}
      />
      <Button look="quiet" onClick={props.onFormat}>
        <Braces aria-hidden className="size-4" />
        <span className="max-sm:sr-only">Format</span>
      </Button>
      <Button look="quiet" disabled={!canSave} onClick={props.onSave}>
        <Save aria-hidden className="size-4" />
        <span className="max-sm:sr-only">Save</span>
      </Button>
      <Button look="quiet" onClick={props.onSaveAs} className="max-sm:hidden">
        Save as…
      </Button>
      <CopyButton text={curl} what="as curl: this run">
        Copy as curl
      </CopyButton>
      <div className="flex items-center gap-2 sm:ml-auto">
        <RunAsField {...props} />
        <Choice
          label="Rows at most"
          isBare
          title="Rows at most, of each statement"
          value={maxRows}
          onChange={({ currentTarget: { value } }) => props.onMaxRows(Number(value))}
        >
          {rowLimits.map((limit) => (
            <option key={limit} value={limit}>
              {limit.toLocaleString('en')} rows
            </option>
          ))}
        </Choice>
      </div>
    </div>
  );
}

function RunAsField({ projectRef, isOwner, runAs, onRunAs }: ToolbarProps): ReactNode {
  const [dialog, setDialog] = useState<'user' | 'claims'>();
  const choose = (choice: RunAsChoice): void => {
    setDialog(undefined);
    onRunAs(choice);
  };
  const change = (value: string): void => {
    if (value === 'user' || value === 'claims') setDialog(value);
    else if (value === 'anon' || value === 'service_role') choose({ kind: 'role', role: value });
    else choose({ kind: 'self' });
  };
  const value = runAs.kind === 'role' ? runAs.role : runAs.kind === 'self' ? 'self' : 'chosen';
  return (
    <>
      <Choice
        label="Run as"
        isBare
        title="Whom the statements run as"
        value={value}
        className="max-w-56"
        onChange={(event) => change(event.currentTarget.value)}
      >
        <option value="self">As {runAsName({ kind: 'self' }, isOwner)}</option>
        {isOwner && <option value="service_role">As service_role</option>}
        <option value="anon">As anon</option>
        {value === 'chosen' && <option value="chosen">As {runAsName(runAs, isOwner)}</option>}
        {isOwner && <option value="user">As a user…</option>}
        <option value="claims">With claims…</option>
      </Choice>
      {dialog === 'user' && (
        <UserDialog
          projectRef={projectRef}
          onChoose={choose}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'claims' && (
        <ClaimsDialog onChoose={choose} onClose={() => setDialog(undefined)} />
      )}
    </>
  );
}
