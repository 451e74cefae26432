import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';

import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { Field } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { Panel } from '../../ui/panel.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { useMay, useProject } from '../project/use-project.js';
import { originVerdict, sourceWords } from './origin-words.js';
import { type OriginCheck, originsQuery } from './queries.js';

/** Which pages may call the project from a browser, and a field that says it of one. */
export function OriginsPanel(): ReactNode {
  const { ref } = useProject();
  const { origin } = useSearch({ from: '/signed-in/projects/$ref/domains' });
  const navigate = useNavigate({ from: '/projects/$ref/domains' });
  const { data, error, refetch } = useQuery(originsQuery(ref, origin));
  const [typed, setTyped] = useState(origin ?? '');
  // The way back shows the question before.
  useEffect(() => setTyped(origin ?? ''), [origin]);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const asked = typed.trim();
    void navigate({ search: { origin: asked === '' ? undefined : asked }, resetScroll: false });
  };
  return (
    <Panel
      title="Origins (CORS)"
      side={
        <CopyButton
          text={curlOf({ path: projectPath(ref, '/api/admin/auth/origins') })}
          what="as curl: the origins"
        >
          Copy as curl
        </CopyButton>
      }
    >
      <p className="max-w-prose text-[14px] text-soft">
        Pages of every origin may call the project and read its answers without cookies. Cookies,
        and places to return to after a sign-in, are for these origins alone:
      </p>
      <ProblemNotice of={error} onRetry={() => void refetch()} />
      {data ? (
        <ul aria-label="Origins with cookies" className="divide-y divide-line border-y border-line">
          {data.trusted.map(({ origin: trusted, source }) => (
            <li
              key={`${source} ${trusted}`}
              className="flex flex-wrap items-baseline gap-x-3 py-2 text-[14px]"
            >
              <code className="break-all">{trusted}</code>
              <span className="text-[13px] text-soft">{sourceWords[source]}</span>
            </li>
          ))}
        </ul>
      ) : (
        !error && (
          <div role="group" aria-busy aria-label="Loading">
            <Skeleton className="w-56" />
          </div>
        )
      )}
      <SettingsLink />
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 grow basis-64">
          <Field
            label="Would pages of this address be allowed?"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            placeholder="https://app.example.com"
            maxLength={2000}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
        <Button type="submit">Check</Button>
      </form>
      <div aria-live="polite">
        {origin !== undefined && data?.check && <Verdict of={data.check} />}
      </div>
      <p className="text-[13px] text-soft">
        A bucket with CORS rules of its own answers by those rules instead.
      </p>
    </Panel>
  );
}

function SettingsLink(): ReactNode {
  const { ref } = useProject();
  if (!useMay('settings.manage')) return null;
  return (
    <p className="text-[14px]">
      <Link
        to="/projects/$ref/settings/$part"
        params={{ ref, part: 'auth.urls' }}
        className="text-accent underline underline-offset-2"
      >
        Change the URL configuration
      </Link>
    </p>
  );
}

function Verdict({ of: check }: { readonly of: OriginCheck }): ReactNode {
  const { kind, title, sentences } = originVerdict(check);
  return (
    <Notice kind={kind}>
      <p className="font-semibold">{title}</p>
      {sentences.map((sentence) => (
        <p key={sentence} className="break-words">
          {sentence}
        </p>
      ))}
    </Notice>
  );
}
