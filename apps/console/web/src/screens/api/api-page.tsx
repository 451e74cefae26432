import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { curlOf } from '../../api/curl.js';
import { useTitle } from '../../shell/card.js';
import { CopyButton } from '../../ui/copy.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { useMay, useProject } from '../project/use-project.js';
import { FunctionPage } from './function-page.js';
import { NameList } from './name-list.js';
import { documentPath } from './queries.js';
import { type ApiSearch, readApiSearch } from './search.js';
import { StartPage } from './start-page.js';
import { TablePage } from './table-page.js';
import { type ApiDocuments, useApi } from './use-api.js';

/** The API of a project: requests on each table and function, with the names of the project. */
export function ApiPage(): ReactNode {
  const { ref, name } = useProject();
  useTitle(`API of ${name}`);
  const mayRead = useMay('content.read');
  if (!mayRead)
    return <Notice kind="plain">The API pages are for operators with content.read.</Notice>;
  return (
    <>
      <header className="flex flex-wrap items-center gap-3 pb-4">
        <h1 className="mr-auto text-[22px] leading-tight font-semibold">API</h1>
        <CopyButton text={curlOf({ path: documentPath(ref) })} what="as curl: the OpenAPI document">
          Copy as curl
        </CopyButton>
      </header>
      <Pages />
    </>
  );
}

function Pages(): ReactNode {
  const search = readApiSearch(useSearch({ from: '/signed-in/projects/$ref/api' }));
  const navigate = useNavigate({ from: '/projects/$ref/api' });
  const api = useApi();
  const { content, error, retry } = api;
  const go = (next: ApiSearch): void =>
    void navigate({
      search: (before) => ({ ...before, ...next }),
      // Each page is a step to go back to, and no letter of the filter is.
      replace: 'q' in next || 'in' in next,
      resetScroll: false,
    });
  if (!content) return error ? <ProblemNotice of={error} onRetry={retry} /> : <Waiting />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 sm:grid-cols-[13rem_minmax(0,1fr)]">
      <NameList content={content} search={search} onSearch={go} />
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-4">
        <ProblemNotice of={error} onRetry={retry} />
        <OpenPage api={api} search={search} onSearch={go} />
      </div>
    </div>
  );
}

interface OpenPageProps {
  readonly api: ApiDocuments;
  readonly search: ApiSearch;
  readonly onSearch: (next: ApiSearch) => void;
}

function OpenPage({ api, search, onSearch }: OpenPageProps): ReactNode {
  const { content, types } = api;
  const table = content?.tables.find(({ name }) => name === search.table);
  const called = content?.functions.find(({ name }) => name === search.function);
  const common = { types, search, onSearch };
  if (table) return <TablePage key={table.name} table={table} {...common} />;
  if (called) return <FunctionPage key={called.name} function={called} {...common} />;
  const missing = search.table ?? search.function;
  return (
    <>
      {missing !== undefined && (
        <Notice kind="plain">
          The API has no {search.table === undefined ? 'function' : 'table'} {missing}.
        </Notice>
      )}
      {content?.tables.length === 0 && <NoTables />}
      <StartPage {...api} />
    </>
  );
}

function NoTables(): ReactNode {
  const { ref } = useProject();
  return (
    <Notice kind="plain">
      The project has no table that requests can reach. A table of the schema public has its pages
      here at once.{' '}
      <Link to="/projects/$ref/structure" params={{ ref }} className="text-accent underline">
        Make a table
      </Link>
    </Notice>
  );
}

function Waiting(): ReactNode {
  return (
    <div
      role="group"
      aria-busy
      aria-label="Loading"
      className="grid gap-5 sm:grid-cols-[13rem_minmax(0,1fr)]"
    >
      <div className="h-64 rounded-lg border border-line bg-surface" />
      <div className="h-80 rounded-lg border border-line bg-surface" />
    </div>
  );
}
