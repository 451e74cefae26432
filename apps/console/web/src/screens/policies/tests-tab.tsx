import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX, FlaskConical, Play } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { counted } from '../../ui/counted.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { showToast } from '../../ui/toast.js';
import { useMay, useProject } from '../project/use-project.js';
import {
  actualInWords,
  expectationInWords,
  passedInWords,
  triedInWords,
} from './decision-words.js';
import {
  deleteTest,
  type PolicyTest,
  runTests,
  saveTest,
  testsKey,
  testsQuery,
  type TestOutcome,
} from './queries.js';
import { offeredCallers } from './search.js';
import { callerKindOf } from './test-draft.js';

const TestDrawer = lazy(() => import('./test-drawer.js'));

/** The saved tests; all of them run with one button. */
export function TestsTab(): ReactNode {
  const { ref } = useProject();
  const { data, error, refetch } = useQuery(testsQuery(ref));
  const running = useMutation({ mutationFn: () => runTests(ref, {}) });
  const { data: run } = running;
  const outcomes = new Map(run?.results.map((outcome) => [outcome.id, outcome]));
  const tests = data?.tests ?? [];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center gap-2">
        {tests.length > 0 && (
          <Button look="primary" busy={running.isPending} onClick={() => running.mutate()}>
            <Play aria-hidden className="size-4" /> Run all tests
          </Button>
        )}
        <CopyButton
          text={curlOf({
            method: 'POST',
            path: projectPath(ref, '/api/admin/policies/tests/run'),
            body: {},
          })}
          what="as curl: run all tests"
        >
          Copy as curl
        </CopyButton>
        <p className="text-[13px] text-soft">
          <code>rowhouse test policies</code> runs them in a terminal, and fails when one fails.
        </p>
      </div>
      <ProblemNotice of={error} onRetry={() => void refetch()} />
      <ProblemNotice of={running.error} />
      {run && (
        <Notice kind={run.failed > 0 ? 'problem' : 'good'}>
          {run.failed > 0
            ? `${run.failed} of ${counted(run.passed + run.failed, 'test')} failed.`
            : passedInWords(run.passed)}
        </Notice>
      )}
      {!data && !error && (
        <div role="group" aria-busy aria-label="Loading" className="grid gap-3">
          <Skeleton className="w-64" />
          <Skeleton className="w-48" />
        </div>
      )}
      {data && tests.length === 0 && <NoTests />}
      {tests.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {tests.map((test) => (
            <TestLine
              key={test.id}
              test={test}
              outcome={outcomes.get(test.id)}
              onSaved={running.reset}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

interface TestLineProps {
  readonly test: PolicyTest;
  readonly outcome: TestOutcome | undefined;
  /** The test is another one now: what was tried says nothing about it. */
  readonly onSaved: () => void;
}

function TestLine({ test, outcome, onSaved }: TestLineProps): ReactNode {
  const { ref } = useProject();
  const queryClient = useQueryClient();
  const [isEdited, setEdited] = useState(false);
  const callers = offeredCallers(useMay('secrets.manage'));
  const mayEdit = callers.some((kind) => kind === callerKindOf(test));
  const reread = () => queryClient.invalidateQueries({ queryKey: testsKey(ref) });
  const { id, name, as, request, expect } = test;
  const undo = async (): Promise<void> => {
    await saveTest(ref, {
      name,
      as: objectOf(as),
      request: objectOf(request),
      expect: objectOf(expect),
    });
    await reread();
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => deleteTest(ref, id),
    onSuccess: async () => {
      await reread();
      showToast({
        kind: 'done',
        text: `The test ${name} is deleted.`,
        undo: {
          label: 'Undo',
          run: () =>
            void undo().catch(() =>
              showToast({ kind: 'failed', text: 'The test could not be saved again.' }),
            ),
        },
      });
    },
  });
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1 px-4 py-3 text-[14px]">
      <div className="flex flex-wrap items-center gap-2">
        {outcome && <Verdict passed={outcome.passed} />}
        <h2 className="min-w-0 font-semibold break-words">{name}</h2>
        <span className="ml-auto flex">
          {mayEdit && (
            <Button
              size="small"
              look="quiet"
              aria-label={`Change ${name}`}
              onClick={() => setEdited(true)}
            >
              Change
            </Button>
          )}
          <Button
            size="small"
            look="quiet"
            busy={isPending}
            aria-label={`Delete ${name}`}
            onClick={() => mutate()}
          >
            Delete
          </Button>
        </span>
      </div>
      {outcome && (
        <p className="text-[13px] break-words text-soft">
          Expected {expectationInWords(outcome.expected)}
          {outcome.passed ? '.' : `; got ${actualInWords(outcome.actual)}.`}
        </p>
      )}
      <p className="text-[13px] break-words text-soft">{triedInWords(as, request)}.</p>
      <ProblemNotice of={error} />
      {isEdited && (
        <Suspense>
          <TestDrawer test={test} onSaved={onSaved} onClose={() => setEdited(false)} />
        </Suspense>
      )}
    </li>
  );
}

function Verdict({ passed }: { readonly passed: boolean }): ReactNode {
  return passed ? (
    <span className="flex items-center gap-1 text-[13px] font-semibold text-good">
      <CircleCheck aria-hidden className="size-4" /> Passed
    </span>
  ) : (
    <span className="flex items-center gap-1 text-[13px] font-semibold text-danger">
      <CircleX aria-hidden className="size-4" /> Failed
    </span>
  );
}

function NoTests(): ReactNode {
  return (
    <div className="grid justify-items-center gap-2 rounded-lg border border-dashed border-line-strong px-6 py-10 text-center text-[14px]">
      <FlaskConical aria-hidden className="size-6 text-soft" />
      <p className="font-semibold">No test yet</p>
      <p className="max-w-md text-soft">
        Run a request in the lab and save it as a test. Then one click says whether your policies
        still do what you expect, also before a changed policy is saved.
      </p>
    </div>
  );
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
