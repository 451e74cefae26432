// The parts of the screen together: lists at the left; tabs, text and results at the right.
import { closeCompletion } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { useQuery } from '@tanstack/react-query';
import { PanelLeft } from 'lucide-react';
import { type ReactNode, type RefObject, useMemo, useRef, useState } from 'react';

import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { Button } from '../../ui/button.js';
import { CodeEditor, type CodeEditorHandle } from '../../ui/code-editor.js';
import { Dialog, DialogBody } from '../../ui/dialog.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { showToast } from '../../ui/toast.js';
import { schemaQuery } from '../project/schema.js';
import { useMay } from '../project/use-project.js';
import { lossesIn } from './destructive.js';
import { LossDialog } from './loss-dialog.js';
import { runBody } from './queries.js';
import { QueryList } from './query-list.js';
import { ResultsPane } from './results-pane.js';
import { SaveDialog } from './save-dialog.js';
import { errorMark, sqlLanguage } from './sql-language.js';
import { TabBar } from './tab-bar.js';
import { isChanged, type SqlTab } from './tabs.js';
import { Toolbar } from './toolbar.js';
import { type Runs, useRuns } from './use-runs.js';
import { useSaving } from './use-saving.js';
import { useTabs } from './use-tabs.js';

interface WorkbenchProps {
  /** Names the operator and the project. */
  readonly owner: string;
  readonly projectRef: string;
  /** Whether the operator's scripts run as the owner of the project. */
  readonly isOwner: boolean;
}

export function Workbench({ owner, projectRef, isOwner }: WorkbenchProps): ReactNode {
  const tabs = useTabs(owner, projectRef);
  const { current: tab } = tabs;
  const editor = useRef<CodeEditorHandle>(null);
  const runs = useRuns({ owner, projectRef, isOwner, tab, editor });
  const saving = useSaving(projectRef, tabs);
  const [dialog, setDialog] = useState<'save' | 'lists'>();
  const close = (): void => setDialog(undefined);
  const list = (
    <QueryList
      projectRef={projectRef}
      openId={tab?.id}
      history={runs.history}
      isOwner={isOwner}
      onOpen={(id) => {
        close();
        tabs.open(id);
      }}
      onOpenText={(sql) => {
        close();
        tabs.add(sql);
      }}
    />
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-6 xl:grid-cols-[15rem_minmax(0,1fr)]">
      <header className="flex items-center gap-3 pb-3 xl:col-span-2">
        <h1 className="mr-auto text-[22px] leading-tight font-semibold">SQL</h1>
        <Button className="xl:hidden" onClick={() => setDialog('lists')}>
          <PanelLeft aria-hidden className="size-4" />
          Queries
        </Button>
      </header>
      <aside aria-label="Queries" className="hidden xl:block">
        {list}
      </aside>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
        <TabBar
          tabs={tabs.list}
          openId={tab?.id}
          onOpen={tabs.open}
          onClose={(id) => {
            runs.cancel(id);
            tabs.close(id);
          }}
          onRename={saving.rename}
          onAdd={() => tabs.add()}
        />
        <ProblemNotice of={tabs.error} effect="The query of this address cannot be opened." />
        {tab && (
          <Workspace
            key={tab.id}
            tab={tab}
            projectRef={projectRef}
            isOwner={isOwner}
            runs={runs}
            editor={editor}
            onChange={(sql) => tabs.change(tab.id, { sql })}
            onSave={() => (saving.canStore(tab) ? saving.store(tab) : setDialog('save'))}
            onSaveAs={() => setDialog('save')}
          />
        )}
      </div>
      {runs.waiting && (
        <LossDialog
          losses={lossesIn(runs.waiting.query)}
          onConfirm={() => runs.settle(true)}
          onClose={() => runs.settle(false)}
        />
      )}
      {dialog === 'save' && tab && (
        <SaveDialog
          projectRef={projectRef}
          tab={tab}
          onSaved={(query) => {
            close();
            runs.move(tab.id, query.id);
            tabs.saved(tab.id, query);
          }}
          onClose={close}
        />
      )}
      {dialog === 'lists' && (
        <Dialog title="Queries" place="side" onClose={close}>
          <DialogBody>{list}</DialogBody>
        </Dialog>
      )}
    </div>
  );
}

interface WorkspaceProps extends Omit<WorkbenchProps, 'owner'> {
  readonly tab: SqlTab;
  readonly runs: Runs;
  readonly editor: RefObject<CodeEditorHandle | null>;
  readonly onChange: (sql: string) => void;
  readonly onSave: () => void;
  readonly onSaveAs: () => void;
}

/** The text of one tab with its tools and its results. */
function Workspace(props: WorkspaceProps): ReactNode {
  const { tab, projectRef, isOwner, runs, editor, onChange, onSave, onSaveAs } = props;
  const { outcome } = runs;
  const isRunning = outcome?.kind === 'running';
  // Of another text the place says nothing.
  const isOfText = outcome?.kind === 'failed' && outcome.text === tab.sql;
  const place = isOfText ? outcome.place : undefined;
  const { data: schema } = useQuery({
    ...schemaQuery(projectRef),
    enabled: useMay('content.read'),
  });
  const language = useMemo(() => sqlLanguage(schema), [schema]);
  const extensions = useMemo(() => [language, errorMark(place)], [language, place]);
  const keys = [
    ...['Mod-Enter', 'Ctrl-Enter'].map((key) => ({
      key,
      run: (view: EditorView) => {
        closeCompletion(view);
        runs.run();
        return true;
      },
    })),
    { key: 'Mod-s', run: handled(onSave) },
    { key: 'Escape', run: () => isRunning && handled(() => runs.cancel(tab.id))() },
  ];
  const { id: _id, ...body } = runBody({ ...runs.wholeScript(), id: '' });
  return (
    <>
      <Toolbar
        projectRef={projectRef}
        isOwner={isOwner}
        isRunning={isRunning}
        runAs={runs.runAs}
        maxRows={runs.maxRows}
        curl={curlOf({
          method: 'POST',
          path: projectPath(projectRef, '/api/admin/sql'),
          body,
        })}
        canSave={isChanged(tab)}
        onRun={runs.run}
        onCancel={() => runs.cancel(tab.id)}
        onExplain={runs.explain}
        onFormat={() => void format(tab.sql, onChange)}
        onSave={onSave}
        onSaveAs={onSaveAs}
        onRunAs={runs.setRunAs}
        onMaxRows={runs.setMaxRows}
      />
      <div id="sql-text" role="tabpanel" aria-label={tab.name}>
        <CodeEditor
          ref={editor}
          label="SQL"
          value={tab.sql}
          onChange={onChange}
          language={extensions}
          keys={keys}
          hint="select * from …"
          className="h-56 sm:h-72"
        />
      </div>
      <ResultsPane
        outcome={outcome}
        name={tab.name}
        {...(place && {
          onShowError: () => {
            editor.current?.select(place.from, place.to);
            editor.current?.focus();
          },
        })}
      />
    </>
  );
}

/** A binding that takes its key. */
function handled(run: () => void): () => boolean {
  return () => {
    run();
    return true;
  };
}

async function format(sql: string, onChange: (sql: string) => void): Promise<void> {
  const { formatSql } = await import('./format.js');
  const text = formatSql(sql);
  if (text !== undefined) onChange(text);
  else showToast({ kind: 'failed', text: 'The text cannot be read as SQL, so it stays as it is.' });
}
