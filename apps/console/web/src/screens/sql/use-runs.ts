// Running what is in the editor: the selection or everything, the plan of one statement, and the question before rows
// are lost.
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useState } from 'react';

import { newUuid } from '../../api/uuid.js';
import type { CodeEditorHandle } from '../../ui/code-editor.js';
import { showToast } from '../../ui/toast.js';
import { schemaKey } from '../project/schema.js';
import { lossesIn } from './destructive.js';
import { addRun, type PastRun, readRuns } from './history.js';
import { useKept } from './kept.js';
import { type RunAsChoice, runAsName, runAsOf } from './run-as.js';
import { statementsOf } from './statements.js';
import type { SqlTab } from './tabs.js';
import { type Outcome, type Script, useScripts } from './use-script.js';

const defaultMaxRows = 1_000;

/** A part of the text, and where it begins. */
interface Part {
  readonly query: string;
  readonly from: number;
}

interface RunsOptions {
  /** Names the operator and the project. */
  readonly owner: string;
  readonly projectRef: string;
  readonly isOwner: boolean;
  readonly tab: SqlTab | undefined;
  readonly editor: RefObject<CodeEditorHandle | null>;
}

export interface Runs {
  readonly history: readonly PastRun[];
  readonly outcome: Outcome | undefined;
  readonly runAs: RunAsChoice;
  readonly maxRows: number;
  /** The script that waits for the word to go on. */
  readonly waiting: Script | undefined;
  readonly setRunAs: (choice: RunAsChoice) => void;
  readonly setMaxRows: (maxRows: number) => void;
  /** The whole text as a script, as it would run. */
  readonly wholeScript: () => Script;
  readonly run: () => void;
  readonly explain: (isMeasured: boolean) => void;
  readonly cancel: (tabId: string) => void;
  /** A tab has another id: that of the query that it was saved as. */
  readonly move: (from: string, to: string) => void;
  /** Runs the waiting script, or drops it. */
  readonly settle: (isConfirmed: boolean) => void;
}

export function useRuns({ owner, projectRef: ref, isOwner, tab, editor }: RunsOptions): Runs {
  const queryClient = useQueryClient();
  const [history, setHistory] = useKept(owner, 'sql-runs', readRuns);
  const [maxRows, setMaxRows] = useState(defaultMaxRows);
  const [runAs, setRunAs] = useState<RunAsChoice>({ kind: 'self' });
  const [waiting, setWaiting] = useState<Script>();
  const scripts = useScripts(ref, (script, outcome, ms) => {
    const { query: sql, asName: as } = script;
    const at = new Date().toISOString();
    const run = { id: newUuid(), at, sql, as, outcome: outcome.kind, ms };
    setHistory((before) => addRun(before, run));
    // It may have changed tables. Of a failure it is not always known, such as after a lost connection.
    if (!script.dryRun) void queryClient.invalidateQueries({ queryKey: schemaKey(ref) });
  });
  const scriptOf = ({ query, from }: Part, dryRun = false): Script => ({
    tabId: tab?.id ?? '',
    query,
    text: tab?.sql ?? '',
    from,
    as: runAsOf(runAs),
    asName: runAsName(runAs, isOwner),
    maxRows,
    dryRun,
  });
  const start = (script: Script): void => {
    if (script.query.trim() === '') return;
    // What is undone takes nothing away.
    if (!script.dryRun && lossesIn(script.query).length > 0) setWaiting(script);
    else scripts.run(script);
  };
  return {
    history,
    outcome: tab && scripts.outcomes[tab.id],
    runAs,
    maxRows,
    waiting,
    setRunAs,
    setMaxRows,
    wholeScript: () => scriptOf({ query: tab?.sql ?? '', from: 0 }),
    run: () => start(scriptOf(selectedIn(editor.current))),
    explain(isMeasured) {
      const part = statementToExplain(editor.current);
      if (!part) {
        showToast({ kind: 'failed', text: 'Write a statement to explain.' });
        return;
      }
      const prefix = `explain (format json${isMeasured ? ', analyze, buffers' : ''}) `;
      const from = part.from - prefix.length;
      start(scriptOf({ query: prefix + part.query, from }, isMeasured));
    },
    cancel: scripts.cancel,
    move: scripts.move,
    settle(isConfirmed) {
      setWaiting(undefined);
      if (isConfirmed && waiting) scripts.run(waiting);
    },
  };
}

/** The selection, or everything. */
function selectedIn(editor: CodeEditorHandle | null): Part {
  if (!editor) return { query: '', from: 0 };
  const { from, to } = editor.selection();
  return { query: editor.selectedText(), from: from === to ? 0 : from };
}

/** The statement of the selection, or the one at the cursor of a text with several. */
function statementToExplain(editor: CodeEditorHandle | null): Part | undefined {
  const { query, from } = selectedIn(editor);
  const statements = statementsOf(query);
  const at = (editor?.selection().from ?? 0) - from;
  const found = statements.find(({ end }) => end >= at) ?? statements.at(-1);
  return found && { query: query.slice(found.start, found.end), from: from + found.start };
}
