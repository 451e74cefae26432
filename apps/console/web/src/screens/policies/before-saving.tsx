import { useMutation } from '@tanstack/react-query';
import { FlaskConical, Play } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { useProject } from '../project/use-project.js';
import { actualInWords, expectationInWords, passedInWords } from './decision-words.js';
import { CallerFields, RequestFields } from './lab-form.js';
import { labRequestOf } from './lab-request.js';
import { LabResult } from './lab-result.js';
import { changeOf, type PolicyDraft } from './policy-sql.js';
import { type PolicyTable, runTests, type TestRun, tryPolicies } from './queries.js';
import type { PoliciesSearch } from './search.js';

interface BeforeSavingProps {
  readonly table: PolicyTable;
  readonly draft: PolicyDraft;
  readonly replaces: string | undefined;
}

/** The lab and the tests, with the draft in the place of what is saved. */
export function BeforeSaving({ table, draft, replaces }: BeforeSavingProps): ReactNode {
  const { ref } = useProject();
  const [isTrying, setTrying] = useState(false);
  const policies = [changeOf(table, draft, replaces)];
  const tests = useMutation({ mutationFn: () => runTests(ref, { policies }) });
  return (
    <section aria-label="Before saving" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap gap-2">
        {table.isExposed && (
          <Button size="small" aria-expanded={isTrying} onClick={() => setTrying(!isTrying)}>
            <FlaskConical aria-hidden className="size-3.5" /> Try before saving
          </Button>
        )}
        <Button size="small" busy={tests.isPending} onClick={() => tests.mutate()}>
          <Play aria-hidden className="size-3.5" /> Run all tests
        </Button>
      </div>
      <ProblemNotice of={tests.error} />
      {tests.data && <TestResults of={tests.data} />}
      {isTrying && <SmallLab table={table} policies={policies} />}
    </section>
  );
}

function TestResults({ of: { passed, failed, results } }: { readonly of: TestRun }): ReactNode {
  if (passed + failed === 0) return <Notice kind="plain">There are no tests yet.</Notice>;
  if (failed === 0) {
    return <Notice kind="good">With this policy: {passedInWords(passed)}</Notice>;
  }
  return (
    <Notice kind="problem">
      <p>
        {failed} of {counted(passed + failed, 'test')} {failed === 1 ? 'fails' : 'fail'} with this
        policy.
      </p>
      <ul>
        {results
          .filter((result) => !result.passed)
          .map(({ id, name, expected, actual }) => (
            <li key={id} className="break-words">
              {name}: expected {expectationInWords(expected)}; got {actualInWords(actual)}.
            </li>
          ))}
      </ul>
    </Notice>
  );
}

interface SmallLabProps {
  readonly table: PolicyTable;
  readonly policies: readonly object[];
}

function SmallLab({ table, policies }: SmallLabProps): ReactNode {
  const { ref } = useProject();
  const [search, setSearch] = useState<PoliciesSearch>({ table: table.name });
  const [keyText, setKeyText] = useState('');
  const [isAsked, setAsked] = useState(false);
  const asked = labRequestOf(search, keyText);
  const { mutate, data, isPending, error, reset } = useMutation({
    mutationFn: (body: { readonly as: object; readonly request: object }) =>
      tryPolicies(ref, { ...body, policies }),
  });
  const fields = {
    search,
    onChange: (change: PoliciesSearch) => setSearch((before) => ({ ...before, ...change })),
    keyText,
    onKeyText: setKeyText,
    tables: [table],
    isTableFixed: true,
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-lg border border-line p-4">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
        <CallerFields {...fields} />
        <RequestFields {...fields} />
      </div>
      {isAsked && asked.kind === 'unready' && <Notice kind="problem">{asked.problem}</Notice>}
      <Button
        look="primary"
        size="small"
        busy={isPending}
        className="justify-self-start"
        onClick={() => {
          setAsked(true);
          if (asked.kind === 'ready') mutate({ as: asked.as, request: asked.request });
          else reset();
        }}
      >
        Run
      </Button>
      <ProblemNotice of={error} />
      {data && <LabResult of={data} />}
    </div>
  );
}
