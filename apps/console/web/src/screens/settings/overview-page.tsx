import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';

import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { useTitle } from '../../shell/card.js';
import { CopyButton, CopyField } from '../../ui/copy.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { useProject } from '../project/use-project.js';
import { type GroupForm, groupOfStatus, placesIn } from './form.js';
import { groupQuery, statusesQuery } from './queries.js';
import { type Card, type Section, sectionsOf, type State, stateNames } from './status.js';
import { signUpGroup, useGroups } from './use-groups.js';

/** How far each way to sign in and each delivery is set up, with the way to what is missing. */
export function OverviewPage(): ReactNode {
  const { ref, name } = useProject();
  useTitle(`Settings of ${name}`);
  const groups = useGroups();
  const { data, error, refetch } = useQuery(statusesQuery(ref));
  const { isWaiting } = useSignUp();
  return (
    <>
      <header className="flex flex-wrap items-center gap-3 pb-4">
        <h1 className="mr-auto text-[22px] leading-tight font-semibold">Settings</h1>
        <CopyButton
          text={curlOf({ path: projectPath(ref, '/api/admin/auth/status') })}
          what="as curl: the status of each way to sign in"
        >
          Copy as curl
        </CopyButton>
      </header>
      <ProblemNotice of={error} onRetry={() => void refetch()} />
      {!error && (!data || isWaiting) && <Waiting />}
      {data && !isWaiting && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
          {sectionsOf(data, groups).map((section, index) => (
            <StatusSection key={section.title} of={section}>
              {index === 0 && <SignUp />}
            </StatusSection>
          ))}
        </div>
      )}
    </>
  );
}

interface StatusSectionProps {
  readonly of: Section;
  /** What is read before the list. */
  readonly children: ReactNode;
}

/** What is on or lacks something as cards, and then what is off. */
function StatusSection({ of: { title, cards }, children }: StatusSectionProps): ReactNode {
  const id = useId();
  const used = cards.filter(({ state }) => state !== 'off');
  const off = cards.filter(({ state }) => state === 'off');
  return (
    <section aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id={id} className="text-[16px] font-semibold">
        {title}
      </h2>
      {children}
      {used.length > 0 && (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-3">
          {used.map((card) => (
            <StatusCard key={card.name} of={card} />
          ))}
        </ul>
      )}
      {off.length > 0 && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
          <p id={`${id}-off`} className="text-[13px] font-medium text-soft">
            {stateNames.off}
          </p>
          <ul aria-labelledby={`${id}-off`} className="flex flex-wrap gap-2">
            {off.map(({ name, group, field, status }) => (
              <li key={name}>
                <FieldLink
                  group={group}
                  field={field}
                  className="inline-flex h-8 items-center gap-1.5 rounded-md border border-line bg-surface px-2.5 text-[14px] text-soft hover:bg-hover hover:text-ink"
                >
                  <CircleDashed aria-hidden className="size-3.5" />
                  {status.title}
                </FieldLink>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function useSignUp() {
  const { ref } = useProject();
  const group = useGroups().find(({ name }) => name === signUpGroup);
  const query = useQuery({ ...groupQuery(ref, signUpGroup), enabled: group !== undefined });
  return { group, data: query.data, isWaiting: query.isLoading };
}

/** Whether people can make an account themselves: the ways to sign in are for them, too, or for existing accounts. */
function SignUp(): ReactNode {
  const { group, data } = useSignUp();
  if (!group || !data) return null;
  return (
    <p className="text-[14px] text-soft">
      {data.values['enabled'] === true
        ? 'New people can make an account themselves.'
        : 'New people cannot make an account themselves: administrators make accounts.'}{' '}
      <FieldLink
        group={group}
        field="enabled"
        className="rounded-sm text-accent underline underline-offset-2"
      >
        Change who may sign up
      </FieldLink>
    </p>
  );
}

const looks: Readonly<Record<State, string>> = {
  on: 'text-good',
  'not-set-up': 'text-warn',
  off: 'text-soft',
};

function StatusCard({ of: { status, state, group, field } }: { readonly of: Card }): ReactNode {
  const { title, missing, callbackUrl } = status;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] content-start gap-2.5 rounded-lg border border-line bg-surface p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="min-w-0 font-semibold break-words">
          <FieldLink group={group} field={field} className="rounded-sm hover:underline">
            {title}
          </FieldLink>
        </h3>
        <span className={`flex items-center gap-1.5 text-[13px] font-medium ${looks[state]}`}>
          {state === 'on' ? (
            <CircleCheck aria-hidden className="size-4" />
          ) : (
            <TriangleAlert aria-hidden className="size-4" />
          )}
          {stateNames[state]}
        </span>
      </div>
      {missing.length > 0 && (
        <div className="text-[13px]">
          <p className="text-soft">Missing:</p>
          <ul className="list-disc pl-5">
            {missing.map((path) => (
              <li key={path}>
                <Missing path={path} group={group} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {callbackUrl !== null && <CopyField label="Callback URL" text={callbackUrl} />}
    </li>
  );
}

/** A field that has no value, with the way to it if the operator may set it. */
function Missing({ path, group }: { readonly path: string; readonly group: GroupForm }): ReactNode {
  const groups = useGroups();
  const own = labelOf(group, path);
  if (own !== undefined) {
    return (
      <FieldLink
        group={group}
        field={path}
        className="inline-block rounded-sm py-1 text-accent underline"
      >
        {own}
      </FieldLink>
    );
  }
  const other = groupOfStatus(path, groups);
  const label = other?.field === undefined ? undefined : labelOf(other.group, other.field);
  if (!other || label === undefined) return <code>{path}</code>;
  return (
    <FieldLink
      group={other.group}
      field={other.field}
      className="inline-block rounded-sm py-1 text-accent underline"
    >
      {other.group.title}: {label}
    </FieldLink>
  );
}

function labelOf({ fields }: GroupForm, path: string): string | undefined {
  return placesIn(fields).find((place) => place.path === path)?.label;
}

interface FieldLinkProps {
  readonly group: GroupForm;
  readonly field: string | undefined;
  readonly className: string;
  readonly children: ReactNode;
}

function FieldLink({ group, field, className, children }: FieldLinkProps): ReactNode {
  const { ref } = useProject();
  return (
    <Link
      to="/projects/$ref/settings/$part"
      params={{ ref, part: group.name }}
      search={{ field }}
      className={className}
    >
      {children}
    </Link>
  );
}

function Waiting(): ReactNode {
  return (
    <div
      role="group"
      aria-busy
      aria-label="Loading"
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-3"
    >
      {[0, 1, 2, 3].map((place) => (
        <div key={place} className="h-28 rounded-lg border border-line bg-surface" />
      ))}
    </div>
  );
}
