import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { Check } from '../../ui/check.js';
import { Panel } from '../../ui/panel.js';
import { Skeleton } from '../../ui/skeleton.js';
import { conditionQuery } from '../projects/queries.js';
import type { ProjectDetails } from './project-details.js';
import { domainsQuery, type MethodStatus, statusQuery } from './queries.js';

/** What a project needs before people use it. What the operator may not see is left out. */
export function Checklist({ project }: { readonly project: ProjectDetails }): ReactNode {
  const { ref, capabilities } = project;
  const maySeeStatus = capabilities.includes('settings.manage');
  const { data: condition, isLoading: isConditionWaiting } = useQuery(conditionQuery(ref));
  const { data: domains, isLoading: isDomainsWaiting } = useQuery(domainsQuery(ref));
  const { data: status, isLoading: isStatusWaiting } = useQuery({
    ...statusQuery(ref),
    enabled: maySeeStatus,
  });
  // All at once: no line is moved by another.
  if (isConditionWaiting || isDomainsWaiting || isStatusWaiting) {
    return (
      <Panel title="Ready for people">
        <ul className="grid gap-2.5">
          <WaitingCheck />
          <WaitingCheck />
          <WaitingCheck />
        </ul>
      </Panel>
    );
  }
  const verified = domains?.domains.filter(({ state }) => state === 'verified') ?? [];
  return (
    <Panel title="Ready for people">
      <ul className="grid gap-2.5">
        {condition && condition.users !== null && (
          <Check kind={condition.users > 0 ? 'good' : 'open'} title="A user has signed up" />
        )}
        {status && <StatusChecks of={status} />}
        {domains && (
          <Check
            kind={verified.length > 0 ? 'good' : 'open'}
            title={verified.length > 0 ? 'It has a domain of its own' : 'A domain of its own'}
          >
            {verified.length > 0
              ? verified.map(({ unicode }) => unicode).join(', ')
              : 'Until then it is reached below the name of the deployment.'}{' '}
            <Link
              to="/projects/$ref/domains"
              params={{ ref }}
              className="text-accent underline underline-offset-2"
            >
              See the domains
            </Link>
          </Check>
        )}
      </ul>
    </Panel>
  );
}

/** A way to sign in that needs one of these lists what it lacks. */
const deliveries: ReadonlySet<string> = new Set(['email.smtp', 'phone.sms']);

type Statuses = Readonly<Record<string, MethodStatus>>;

/** Whether mails are sent, and what the ways to sign in that are on still need. */
export function StatusChecks({ of: statuses }: { readonly of: Statuses }): ReactNode {
  const mail = statuses['email.smtp'];
  const isMail = mail?.configured === true;
  const unfinished = Object.entries(statuses).filter(
    ([name, { enabled, configured }]) => !deliveries.has(name) && enabled && !configured,
  );
  return (
    <>
      <Check kind={isMail ? 'good' : 'open'} title="Mails are sent by a mail server">
        {!isMail && `Until then they are kept in the inbox for development.`}
      </Check>
      {unfinished.length === 0 ? (
        <Check kind="good" title="Every way to sign in that is on is set up" />
      ) : (
        unfinished.map(([name, { title, missing }]) => (
          <Check key={name} kind="warning" title={`${title} is on, and not set up`}>
            Missing: {missing.join(', ')}
          </Check>
        ))
      )}
    </>
  );
}

function WaitingCheck(): ReactNode {
  return (
    <li>
      <Skeleton className="w-44" />
    </li>
  );
}
