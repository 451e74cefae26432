import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';

import { isStudio } from '../../api/place.js';
import { Panel } from '../../ui/panel.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Time } from '../../ui/time.js';
import type { ProjectDetails } from './project-details.js';
import {
  failedDeliveriesQuery,
  failedMessagesQuery,
  failedRequestsQuery,
  operationsQuery,
} from './queries.js';

interface Failure {
  readonly id: string;
  readonly what: string;
  readonly why: string;
  readonly at: string;
}

const shown = 10;

/** What failed last: requests, work on the project, mails, SMS and hooks. */
export function Failures({ project }: { readonly project: ProjectDetails }): ReactNode {
  const { ref, capabilities } = project;
  const isActive = project.status === 'active';
  const maySeeMessages = isActive && capabilities.includes('secrets.manage');
  const maySeeRequests = isActive && capabilities.includes('audit.read');
  // The platform does not show projects its work on them.
  const maySeeWork = !isStudio();
  const operations = useQuery({ ...operationsQuery(ref), enabled: maySeeWork });
  const requests = useQuery({ ...failedRequestsQuery(ref), enabled: maySeeRequests });
  const messages = useQuery({ ...failedMessagesQuery(ref), enabled: maySeeMessages });
  const deliveries = useQuery({ ...failedDeliveriesQuery(ref), enabled: maySeeMessages });
  const asked = [
    ...(maySeeWork ? [operations] : []),
    ...(maySeeRequests ? [requests] : []),
    ...(maySeeMessages ? [messages, deliveries] : []),
  ];
  const error = asked.find((query) => query.error !== null)?.error ?? null;
  const isWaiting = error === null && asked.some((query) => query.isPending);
  const failures: readonly Failure[] = [
    ...(requests.data ?? []).map(({ requestId, method, route, status, code, at }) => ({
      id: `request ${requestId}`,
      what: `${method} ${route ?? 'a path that does not exist'}`,
      why: `Answered with ${status}${code === null ? '' : ` ${code}`}. Request ${requestId}`,
      at,
    })),
    ...(operations.data?.operations ?? [])
      .filter(({ lastError }) => lastError !== null)
      .map(({ id, kind, lastError, since }) => ({
        id: `operation ${id}`,
        what: `Work on the project: ${kind}`,
        why: lastError ?? '',
        at: since,
      })),
    ...(messages.data?.messages ?? []).map(
      ({ id, channel, kind, recipient, lastError, createdAt }) => ({
        id: `message ${id}`,
        what: `${channel === 'sms' ? 'SMS' : 'Mail'} to ${recipient} (${kind})`,
        why: lastError ?? 'It was not sent in time.',
        at: createdAt,
      }),
    ),
    ...(deliveries.data ?? []).map(
      ({ id, hook, target, error: why, responseStatus, createdAt }) => ({
        id: `delivery ${id}`,
        what: `Hook ${hook} to ${target}`,
        why: why ?? `It answered with status ${responseStatus ?? 'unknown'}.`,
        at: createdAt,
      }),
    ),
  ];
  const latest = failures.toSorted((one, other) => (one.at < other.at ? 1 : -1)).slice(0, shown);
  return (
    <Panel
      title="Last errors"
      side={
        maySeeRequests && (
          <Link
            to="/projects/$ref/requests"
            params={{ ref }}
            search={{ list: 'failed' }}
            className="text-[14px] text-accent underline underline-offset-2"
          >
            Failed requests
          </Link>
        )
      }
    >
      <ProblemNotice of={error} />
      {isWaiting && <Skeleton className="w-64" />}
      {!isWaiting && !error && latest.length === 0 && (
        <p className="flex items-center gap-2 text-[14px] text-soft">
          <CircleCheck aria-hidden className="size-4 shrink-0 text-good" />
          {noFailure({ maySeeMessages, maySeeRequests, maySeeWork })}
        </p>
      )}
      {!isWaiting && latest.length > 0 && (
        <ul className="-my-1 divide-y divide-line">
          {latest.map(({ id, what, why, at }) => (
            <li key={id} className="grid gap-0.5 py-2.5 text-[14px]">
              <p className="flex flex-wrap justify-between gap-x-4">
                <span className="min-w-0 break-words">{what}</span>
                <span className="text-[13px] text-soft">
                  <Time at={at} />
                </span>
              </p>
              <p className="text-[13px] break-words text-danger">{why}</p>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** Names only what the operator may see. */
function noFailure(may: {
  readonly maySeeMessages: boolean;
  readonly maySeeRequests: boolean;
  readonly maySeeWork: boolean;
}): string {
  const kinds = [
    ...(may.maySeeRequests ? ['request'] : []),
    ...(may.maySeeMessages ? ['mail', 'SMS', 'hook'] : []),
    ...(may.maySeeWork ? ['work on the project'] : []),
  ];
  return `No ${or(kinds)} has failed.`;
}

const or = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' or ');
