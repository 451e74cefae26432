import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Play } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { useMay, useProject } from '../project/use-project.js';
import { CallerFields, RequestFields } from './lab-form.js';
import { labRequestOf } from './lab-request.js';
import { LabResult } from './lab-result.js';
import { useChangeSearch } from './use-change-search.js';
import { policiesQuery, tryPolicies } from './queries.js';
import { SaveTest } from './save-test.js';
import { offeredCallers, type PoliciesSearch, withOfferedCaller } from './search.js';

/** Tries a request as a caller: who, what, and what came of it. */
export default function LabTab(): ReactNode {
  const { ref } = useProject();
  const address = useSearch({ from: '/signed-in/projects/$ref/policies' });
  const changeAddress = useChangeSearch();
  // The address follows what is typed, and is a moment behind it.
  const seesAccounts = useMay('secrets.manage');
  const [search, setSearch] = useState(() =>
    withOfferedCaller(address, offeredCallers(seesAccounts)),
  );
  const [keyText, setKeyText] = useState('');
  const { data: list } = useQuery(policiesQuery(ref));
  const [isAsked, setAsked] = useState(false);
  const asked = labRequestOf(search, keyText);
  const { mutate, data, variables, isPending, error, reset } = useMutation({
    mutationFn: (body: { readonly as: object; readonly request: object }) => tryPolicies(ref, body),
  });
  const fields = {
    search,
    onChange: (change: PoliciesSearch) => {
      setSearch((before) => ({ ...before, ...change }));
      changeAddress(change, true);
    },
    keyText,
    onKeyText: setKeyText,
    tables: list?.tables ?? [],
  };
  const run = (): void => {
    setAsked(true);
    if (asked.kind === 'ready') mutate({ as: asked.as, request: asked.request });
    else reset();
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(16rem,20rem)_minmax(0,1fr)]">
      <form
        aria-label="Request to try"
        className="grid grid-cols-[minmax(0,1fr)] gap-5 rounded-lg border border-line bg-surface p-4"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <CallerFields {...fields} />
        <RequestFields {...fields} />
        {isAsked && asked.kind === 'unready' && <Notice kind="problem">{asked.problem}</Notice>}
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" look="primary" busy={isPending}>
            <Play aria-hidden className="size-4" /> Run
          </Button>
          {asked.kind === 'ready' && keyText === '' && (
            <CopyButton
              text={curlOf({
                method: 'POST',
                path: projectPath(ref, '/api/admin/policies/try'),
                body: { as: asked.as, request: asked.request },
              })}
              what="as curl: the try"
            >
              Copy as curl
            </CopyButton>
          )}
        </div>
      </form>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4" aria-busy={isPending}>
        <ProblemNotice of={error} />
        {data && <h2 className="sr-only">Result</h2>}
        {data && <LabResult of={data} />}
        {data && variables && <SaveTest tried={variables} result={data} />}
        {!data && !error && <Welcome />}
      </div>
    </div>
  );
}

function Welcome(): ReactNode {
  return (
    <div className="grid gap-2 rounded-lg border border-dashed border-line-strong px-6 py-8 text-[14px]">
      <h2 className="font-semibold">See what a caller sees</h2>
      <p className="max-w-2xl text-soft">
        Choose who asks and what for, then run it. The request goes through the code of the API, in
        a transaction that is undone: nothing is written, and no webhook is called. You see the
        answer, the rows that policies hide, and which policy decided about each.
      </p>
    </div>
  );
}
