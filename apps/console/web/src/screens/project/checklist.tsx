import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { Check } from '../../ui/check.js';
import { Panel } from '../../ui/panel.js';
import { Skeleton } from '../../ui/skeleton.js';
import { conditionQuery } from '../projects/queries.js';
import type { ProjectDetails } from './project-details.js';
import { domainsQuery, type MethodStatus, statusQuery } from './queries.js';
import { useProject } from './use-project.js';

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
            <Link to="/projects/$ref/domains" params={{ ref }} className={linkLook}>
              See the domains
            </Link>
          </Check>
        )}
      </ul>
    </Panel>
  );
}

const linkLook = 'text-accent underline underline-offset-2';

/** A way to sign in that needs one of these lists what it lacks. */
const deliveries: ReadonlySet<string> = new Set(['email.smtp', 'phone.sms']);

type Statuses = Readonly<Record<string, MethodStatus>>;

/** Whether mails are sent, and what the ways to sign in that are on still need. */
export function StatusChecks({ of: statuses }: { readonly of: Statuses }): ReactNode {
  const { ref } = useProject();
  const mail = statuses['email.smtp'];
  const isMail = mail?.configured === true;
  const unfinished = Object.entries(statuses).filter(
    ([name, { enabled, configured }]) => !deliveries.has(name) && enabled && !configured,
  );
  // A group is left out beside its parts, such as the social providers beside Google.
  const shown = unfinished.filter(
    ([name]) => !unfinished.some(([part]) => part.startsWith(`${name}.`)),
  );
  return (
    <>
      <Check kind={isMail ? 'good' : 'open'} title="Mails are sent by a mail server">
        {!isMail && `Until then they are kept in the inbox for development.`}
      </Check>
      {shown.length === 0 ? (
        <Check kind="good" title="Every way to sign in that is on is set up" />
      ) : (
        shown.map(([name, { title }]) => (
          <Check key={name} kind="warning" title={`${title} is on, and not set up`}>
            <Link to="/projects/$ref/settings" params={{ ref }} className={linkLook}>
              See what is missing
            </Link>
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
