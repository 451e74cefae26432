// The two places of an audit log, in one file: they are loaded together.
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { isStudio } from '../../api/place.js';
import { useOperator } from '../../session/operator.js';
import { useTitle } from '../../shell/card.js';
import { Choice } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { useMay, useProject } from '../project/use-project.js';
import { type Organization, organizationsQuery } from '../projects/queries.js';
import { AuditView } from './audit-view.js';
import { WaitingEntries } from './empty.js';
import type { Log } from './queries.js';
import { type AuditSearch, type ChangeSearch, noFilters, readSearch } from './search.js';

/** The log of the console: of the whole deployment for its administrators, of an organization for others. */
export function AuditPage(): ReactNode {
  useTitle('Audit log');
  const search = readSearch(useSearch({ from: '/signed-in/audit' }));
  const navigate = useNavigate({ from: '/audit' });
  const setSearch: ChangeSearch = (change, { isTyped = false } = {}) =>
    void navigate({
      search: (before) => ({ ...before, ...change }),
      replace: isTyped,
      resetScroll: false,
    });
  const { data: session, error: sessionError } = useOperator();
  const { data: known, error: organizationsError } = useQuery(organizationsQuery);
  const error = sessionError ?? organizationsError;
  if (!session || !known) return error ? <ProblemNotice of={error} /> : <WaitingEntries />;
  const isAdmin = session.operator.isDeploymentAdmin;
  const readable = known.filter(({ capabilities }) => capabilities.includes('audit.read'));
  const log = logOf(search, { isAdmin, readable });
  if (!log) return <NoLog />;
  return (
    <AuditView
      log={log}
      search={search}
      organizations={known}
      onSearch={setSearch}
      choice={
        readable.length + (isAdmin ? 1 : 0) > 1 && (
          <Choice
            label="Log"
            isBare
            className="w-full sm:w-auto"
            value={log.kind === 'organization' ? log.id : ''}
            onChange={(event) =>
              setSearch({ organization: event.currentTarget.value || undefined, open: undefined })
            }
          >
            {isAdmin && <option value="">Whole deployment</option>}
            {readable.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Choice>
        )
      }
    />
  );
}

interface Readable {
  readonly isAdmin: boolean;
  readonly readable: readonly Organization[];
}

function logOf({ organization }: AuditSearch, { isAdmin, readable }: Readable): Log | undefined {
  const chosen = readable.find(({ id }) => id === organization);
  if (chosen) return { kind: 'organization', id: chosen.id };
  if (isAdmin) return { kind: 'deployment' };
  const [first] = readable;
  return first && { kind: 'organization', id: first.id };
}

function NoLog(): ReactNode {
  return (
    <>
      <h1 className="pb-5 text-[22px] leading-tight font-semibold">Audit log</h1>
      <Notice kind="plain">
        You may read the audit log of no organization: that needs the capability audit.read there.
        If you have it on a project, open the screen “Audit” of the project.
      </Notice>
    </>
  );
}

/** The two logs of a project: what operators have done to it, and what was changed within it. */
export function ProjectAuditPage(): ReactNode {
  if (useMay('audit.read')) return <ProjectLogs />;
  return (
    <Notice kind="plain">
      The audit log is shown to operators with the capability audit.read. Ask an owner of the
      organization.
    </Notice>
  );
}

function ProjectLogs(): ReactNode {
  const { ref, name } = useProject();
  useTitle(`Audit log of ${name}`);
  const search = readSearch(useSearch({ from: '/signed-in/projects/$ref/audit' }));
  const navigate = useNavigate({ from: '/projects/$ref/audit' });
  const setSearch: ChangeSearch = (change, { isTyped = false } = {}) =>
    void navigate({
      search: (before) => ({ ...before, ...change }),
      replace: isTyped,
      resetScroll: false,
    });
  // What operators have done is kept by the platform, which the studio does not reach.
  const isInside = isStudio() || search.log === 'project';
  return (
    <AuditView
      log={{ kind: isInside ? 'inside' : 'project', ref }}
      search={search}
      organizations={[]}
      onSearch={setSearch}
      choice={
        !isStudio() && (
          <Choice
            label="Log"
            isBare
            className="w-full sm:w-auto"
            value={isInside ? 'project' : ''}
            onChange={(event) =>
              // The logs have different actions.
              setSearch({
                ...noFilters,
                time: search.time,
                from: search.from,
                to: search.to,
                log: event.currentTarget.value === 'project' ? 'project' : undefined,
                open: undefined,
              })
            }
          >
            <option value="">Of the console</option>
            <option value="project">Of the project itself</option>
          </Choice>
        )
      }
    />
  );
}
