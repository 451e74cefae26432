import { Download } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { isRecord } from '../../api/json.js';
import { asProblem } from '../../api/problem.js';
import { Button } from '../../ui/button.js';
import { copyText, showCopyFailure } from '../../ui/copy.js';
import { counted } from '../../ui/counted.js';
import { download } from '../../ui/download.js';
import { Menu } from '../../ui/menu.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Tabs } from '../../ui/tabs.js';
import { showToast } from '../../ui/toast.js';
import { csvOf, jsonOf } from './export.js';
import { readPlan } from './plan.js';
import { PlanTree } from './plan-tree.js';
import type { StatementResult } from './result.js';
import type { Outcome } from './use-script.js';

const ResultGrid = lazy(() => import('./result-grid.js'));
const ResultChart = lazy(() => import('./result-chart.js'));

interface ResultsPaneProps {
  readonly outcome: Outcome | undefined;
  /** The name of the tab, for files. */
  readonly name: string;
  /** Absent for an error without a place in the text. */
  readonly onShowError?: () => void;
}

/** How the last run of a tab has ended. */
export function ResultsPane({ outcome, name, onShowError }: ResultsPaneProps): ReactNode {
  if (outcome === undefined) {
    return (
      <p className="text-[14px] text-soft">
        Press Ctrl-Enter to run the selection, or everything if nothing is selected. All statements
        run in one transaction.
      </p>
    );
  }
  switch (outcome.kind) {
    case 'running':
      return (
        <div role="status" aria-label="Running" className="grid gap-3">
          <Skeleton className="w-40" />
          <div className="h-24 rounded-md border border-line bg-surface" />
        </div>
      );
    case 'cancelled':
      return <Notice kind="warning">The script was cancelled. Nothing of it was kept.</Notice>;
    case 'failed':
      return <Failure of={outcome.error} {...(onShowError && { onShowError })} />;
    case 'done':
      return <Results key={outcome.runId} outcome={outcome} name={name} />;
  }
}

type Done = Extract<Outcome, { kind: 'done' }>;

const undoneEffect = 'Nothing of the script was kept.';

interface FailureProps {
  readonly of: unknown;
  readonly onShowError?: () => void;
}

function Failure({ of: error, onShowError }: FailureProps): ReactNode {
  const { hint, details, code } = asProblem(error);
  // Without an answer the script may have been carried out.
  const effect = code === 'UNREACHABLE' ? 'It is not known whether the script ran.' : undoneEffect;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <ProblemNotice of={error} effect={effect} />
      {hint !== undefined && <Notice kind="plain">Hint: {hint}</Notice>}
      {onShowError && (
        <div>
          <Button size="small" onClick={onShowError}>
            Go to the error{placeInWords(details)}
          </Button>
        </div>
      )}
    </div>
  );
}

function placeInWords(details: unknown): string {
  const [statement, line] = [numberIn(details, 'statement'), numberIn(details, 'line')];
  if (statement === undefined || line === undefined) return '';
  return `: statement ${statement}, line ${line}`;
}

function numberIn(value: unknown, name: string): number | undefined {
  const found = isRecord(value) ? value[name] : undefined;
  return typeof found === 'number' ? found : undefined;
}

function Results({ outcome, name }: { readonly outcome: Done; readonly name: string }): ReactNode {
  const { results, ms, as } = outcome;
  const [open, setOpen] = useState<string>();
  const last = results.findLastIndex(({ fields }) => fields.length > 0);
  const tabs = results.map((result, index) => ({
    name: `${index + 1} ${result.command}`,
    content: (
      <StatementView of={result} name={results.length > 1 ? `${name} ${index + 1}` : name} />
    ),
  }));
  return (
    <section aria-label="Results" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p role="status" className="text-[13px] text-soft">
        {results.length === 0
          ? 'The text has no statement.'
          : `${counted(results.length, 'statement')} in ${ms.toLocaleString('en')} ms, as ${as}.`}
      </p>
      {results.length === 1 && tabs[0]?.content}
      {results.length > 1 && (
        <Tabs
          label="Statements"
          tabs={tabs}
          open={open ?? tabs[Math.max(0, last)]?.name}
          onOpen={setOpen}
        />
      )}
    </section>
  );
}

const views = ['Table', 'Chart', 'Plan'] as const;

function StatementView({
  of: result,
  name,
}: {
  readonly of: StatementResult;
  readonly name: string;
}): ReactNode {
  const plan = planIn(result);
  const [chosen, setView] = useState<(typeof views)[number]>();
  const view = chosen ?? (plan ? 'Plan' : 'Table');
  const { fields, rows, rowCount, isCut, durationMs, notices } = result;
  const offered = views.filter((each) => each !== 'Plan' || plan);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="mr-auto text-[13px] text-soft">
          {counted(rowCount, 'row')}
          {fields.length === 0 && rowCount > 0 && ' changed'}, {durationMs.toLocaleString('en')} ms
        </p>
        {fields.length > 0 && (
          <>
            <div role="group" aria-label="View" className="flex gap-1">
              {offered.map((each) => (
                <Button
                  key={each}
                  size="small"
                  look={each === view ? 'plain' : 'quiet'}
                  aria-pressed={each === view}
                  onClick={() => setView(each)}
                >
                  {each}
                </Button>
              ))}
            </div>
            <ExportMenu of={result} name={name} />
          </>
        )}
      </div>
      {isCut && (
        <Notice kind="warning">
          Cut after {counted(rows.length, 'row')}: there are more. Add a limit, or raise “Rows at
          most”.
        </Notice>
      )}
      {notices.map(({ severity, message }, index) => (
        <Notice key={index} kind={severity === 'WARNING' ? 'warning' : 'plain'}>
          <span className="font-semibold">{severity}:</span> {message}
        </Notice>
      ))}
      {fields.length > 0 && (
        <Suspense fallback={<div className="h-24 rounded-md border border-line bg-surface" />}>
          {view === 'Plan' && plan && <PlanTree of={plan} />}
          {view === 'Chart' && <ResultChart of={result} />}
          {view === 'Table' &&
            (rows.length === 0 ? (
              <p className="text-[14px] text-soft">
                No rows. Columns: {fields.map((field) => field.name).join(', ')}.
              </p>
            ) : (
              <ResultGrid of={result} label={`Rows of ${name}`} />
            ))}
        </Suspense>
      )}
    </div>
  );
}

/** `explain (format json)` answers with one value of JSON. */
function planIn({ fields, rows }: StatementResult) {
  const text = rows[0]?.[0];
  const isPlan = fields.length === 1 && fields[0]?.name === 'QUERY PLAN';
  return isPlan && rows.length === 1 && typeof text === 'string' ? readPlan(text) : undefined;
}

function ExportMenu({ of: result, name }: { readonly of: StatementResult; readonly name: string }) {
  const copy = (text: string): void =>
    void copyText(text).then(
      () => showToast({ kind: 'done', text: 'Copied.' }),
      () => showCopyFailure(),
    );
  const save = (text: string, ending: string): void =>
    download(`${name}.${ending}`, 'text/plain;charset=utf-8', [text]);
  return (
    <Menu
      label={`Copy or export ${name}`}
      icon={<Download aria-hidden className="size-4" />}
      entries={[
        { name: 'Copy as CSV', icon: null, run: () => copy(csvOf(result, 'program')) },
        { name: 'Copy as JSON', icon: null, run: () => copy(jsonOf(result)) },
        'line',
        {
          name: 'Export as CSV for a spreadsheet',
          icon: null,
          run: () => save(csvOf(result, 'spreadsheet'), 'csv'),
        },
        {
          name: 'Export as CSV for a program',
          icon: null,
          run: () => save(csvOf(result, 'program'), 'csv'),
        },
        { name: 'Export as JSON', icon: null, run: () => save(jsonOf(result), 'json') },
      ]}
    />
  );
}
