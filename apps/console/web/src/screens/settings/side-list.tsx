import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { counted } from '../../ui/counted.js';
import { Field } from '../../ui/field.js';
import { useMay, useProject } from '../project/use-project.js';
import { findGroups, type Found, type GroupForm } from './form.js';
import { statusesQuery } from './queries.js';
import { stateNames } from './status.js';

const headings: Readonly<Record<string, string>> = {
  auth: 'Authentication',
  email: 'Mail',
  phone: 'SMS',
  api: 'API',
  security: 'Security',
};

/** The lists beside the groups, and the heading under which they are. */
const lists = [
  { part: 'messages', title: 'Sent messages', heading: 'Mail' },
  { part: 'inbox', title: 'Development inbox', heading: 'Mail' },
] as const;

const otherHeading = 'More';

/** The groups by the area that their name begins with; a search looks into titles and fields. */
export function SideList({ groups }: { readonly groups: readonly GroupForm[] }): ReactNode {
  const { find = '' } = useSearch({ from: '/signed-in/projects/$ref/settings' });
  const navigate = useNavigate();
  const found = findGroups(groups, find);
  const isSearch = find.trim() !== '';
  const mayRead = useMay('secrets.manage');
  const sections = sectionsOf(found);
  return (
    <nav aria-label="Settings" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Field
        label="Search settings"
        type="search"
        value={find}
        placeholder="Title or field"
        onChange={({ currentTarget: { value } }) =>
          void navigate({
            to: '.',
            search: (before) => ({ ...before, find: value === '' ? undefined : value }),
            replace: true,
            resetScroll: false,
          })
        }
      />
      <span role="status" className="sr-only">
        {isSearch ? `${counted(found.length, 'group')} found` : ''}
      </span>
      {!isSearch && <Overview />}
      {sections.map(([heading, members]) => (
        <section key={heading} className="grid gap-0.5">
          <h2 className="px-2.5 pt-1 text-[12px] font-semibold text-soft">{heading}</h2>
          {members.map((each) => (
            <GroupLink key={each.group.name} of={each} find={isSearch ? find : ''} />
          ))}
          {!isSearch &&
            mayRead &&
            lists
              .filter((list) => list.heading === heading)
              .map(({ part, title }) => <PartLink key={part} part={part} title={title} />)}
        </section>
      ))}
      {isSearch && found.length === 0 && (
        <p className="px-2.5 text-[14px] text-soft">
          No group and no field has these words. Try one of them alone.
        </p>
      )}
    </nav>
  );
}

const look =
  'flex min-h-8 items-center gap-2 rounded-md px-2.5 py-1 text-[14px] text-soft -outline-offset-2 hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent';

function Overview(): ReactNode {
  const { ref } = useProject();
  return (
    <Link
      to="/projects/$ref/settings"
      params={{ ref }}
      activeOptions={{ exact: true, includeSearch: false }}
      className={look}
    >
      Ways to sign in
    </Link>
  );
}

function PartLink({ part, title }: { readonly part: string; readonly title: string }): ReactNode {
  const { ref } = useProject();
  return (
    <Link
      to="/projects/$ref/settings/$part"
      params={{ ref, part }}
      activeOptions={{ includeSearch: false }}
      className={look}
    >
      {title}
    </Link>
  );
}

function GroupLink({
  of: { group, field },
  find,
}: {
  readonly of: Found;
  /** What is searched for; the link keeps it. */
  readonly find: string;
}): ReactNode {
  const { ref } = useProject();
  const { data: statuses } = useQuery(statusesQuery(ref));
  const status = statuses?.[group.name];
  const isIncomplete = status?.enabled === true && !status.configured;
  return (
    <Link
      to="/projects/$ref/settings/$part"
      params={{ ref, part: group.name }}
      search={find === '' ? {} : { find, field: field?.path }}
      activeOptions={{ includeSearch: false }}
      className={look}
    >
      <span className="min-w-0 grow">
        {group.title}
        {field && <span className="block truncate text-[12px]">{field.label}</span>}
      </span>
      {isIncomplete && (
        <span className="size-2 shrink-0 rounded-full bg-warn">
          <span className="sr-only">{stateNames['not-set-up']}</span>
        </span>
      )}
    </Link>
  );
}

function sectionsOf(found: readonly Found[]): readonly (readonly [string, readonly Found[]])[] {
  const sections = new Map<string, Found[]>();
  for (const each of found) {
    const area = each.group.name.split('.', 1)[0] ?? '';
    const heading = headings[area] ?? otherHeading;
    const members = sections.get(heading) ?? [];
    members.push(each);
    sections.set(heading, members);
  }
  return [...sections].toSorted(
    ([one], [other]) => Number(one === otherHeading) - Number(other === otherHeading),
  );
}
