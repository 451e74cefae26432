import { useQuery, useQueryClient } from '@tanstack/react-query';
import { EllipsisVertical } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { asProblem } from '../../api/problem.js';
import { Field } from '../../ui/field.js';
import { Menu } from '../../ui/menu.js';
import type { MenuEntry } from '../../ui/menu-entry.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Tabs } from '../../ui/tabs.js';
import { Time } from '../../ui/time.js';
import { showToast } from '../../ui/toast.js';
import type { PastRun } from './history.js';
import {
  changeQuery,
  deleteQuery,
  readSavedQuery,
  savedQueriesQuery,
  type SavedEntry,
  saveQuery,
} from './queries.js';

interface QueryListProps {
  readonly projectRef: string;
  readonly openId: string | undefined;
  readonly history: readonly PastRun[];
  /** Whether the operator runs SQL as the owner, and may tidy up. */
  readonly isOwner: boolean;
  readonly onOpen: (id: string) => void;
  readonly onOpenText: (sql: string) => void;
}

/** The saved queries, and the last runs. */
export function QueryList(props: QueryListProps): ReactNode {
  return (
    <Tabs
      label="Queries"
      tabs={[
        { name: 'Saved', content: <Saved {...props} /> },
        { name: 'History', content: <History {...props} /> },
      ]}
    />
  );
}

function Saved({ projectRef, openId, isOwner, onOpen }: QueryListProps): ReactNode {
  const [search, setSearch] = useState('');
  const { data, error } = useQuery(savedQueriesQuery(projectRef));
  const wanted = search.trim().toLowerCase();
  const found = data?.filter(({ name }) => name.toLowerCase().includes(wanted)) ?? [];
  const groups = [
    { title: 'Yours', queries: found.filter(({ isOwn }) => isOwn) },
    { title: 'Shared by others', queries: found.filter(({ isOwn }) => !isOwn) },
  ].filter(({ queries }) => queries.length > 0);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <ProblemNotice of={data ? null : error} />
      {data && data.length > 0 && (
        <Field
          label="Find a query"
          type="search"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {!data && !error && <Skeleton className="w-32" />}
      {data?.length === 0 && (
        <p className="text-[14px] text-soft">
          Nothing is saved yet. “Save” keeps the text of a tab here, for you or for everyone who may
          run SQL on this project.
        </p>
      )}
      {data && data.length > 0 && found.length === 0 && (
        <p className="text-[14px] text-soft">No query has “{search}” in its name.</p>
      )}
      {groups.map(({ title, queries }) => (
        <section key={title} aria-label={title}>
          <h3 className="pb-1 text-[13px] font-semibold text-soft">{title}</h3>
          <ul>
            {queries.map((query) => (
              <Entry
                key={query.id}
                of={query}
                projectRef={projectRef}
                isOpen={query.id === openId}
                mayDelete={query.isOwn || isOwner}
                onOpen={() => onOpen(query.id)}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface EntryProps {
  readonly of: SavedEntry;
  readonly projectRef: string;
  readonly isOpen: boolean;
  readonly mayDelete: boolean;
  readonly onOpen: () => void;
}

function Entry({ of: query, projectRef, isOpen, mayDelete, onOpen }: EntryProps): ReactNode {
  const { id, name, isOwn, isShared, author } = query;
  const queryClient = useQueryClient();
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      showToast({ kind: 'failed', text: `${name}: ${asProblem(error).message}` });
    }
    await queryClient.invalidateQueries(savedQueriesQuery(projectRef));
  };
  const remove = async (): Promise<void> => {
    const { sql } = await readSavedQuery(projectRef, id);
    await deleteQuery(projectRef, id);
    const again = () => saveQuery(projectRef, { name, sql, isShared });
    showToast({
      kind: 'done',
      text: `“${name}” is deleted.`,
      // It comes back as the operator's own.
      ...(isOwn && { undo: { label: 'Undo', run: () => void change(again) } }),
    });
  };
  const share = () => changeQuery(projectRef, id, { isShared: !isShared });
  const entries: MenuEntry[] = [
    ...(isOwn
      ? [
          {
            name: isShared ? 'Share it no longer' : 'Share with everyone',
            icon: null,
            run: () => void change(share),
          },
        ]
      : []),
    ...(mayDelete
      ? [{ name: 'Delete', icon: null, isDangerous: true, run: () => void change(remove) }]
      : []),
  ];
  return (
    <li className={`flex items-center rounded-md ${isOpen ? 'bg-accent-soft' : 'hover:bg-hover'}`}>
      <button
        type="button"
        aria-current={isOpen || undefined}
        className="grid min-w-0 grow rounded-md px-2 py-1.5 text-left text-[14px] -outline-offset-2"
        onClick={onOpen}
      >
        <span className="truncate">{name}</span>
        {(isShared || !isOwn) && (
          <span className="truncate text-[13px] text-soft">
            {isOwn ? 'Shared' : (author ?? 'The secret key')}
          </span>
        )}
      </button>
      {entries.length > 0 && (
        <Menu
          label={`Actions on ${name}`}
          icon={<EllipsisVertical aria-hidden className="size-4" />}
          entries={entries}
        />
      )}
    </li>
  );
}

const endings = { done: 'Done', failed: 'Failed', cancelled: 'Cancelled' } as const;

function History({ history, onOpenText }: QueryListProps): ReactNode {
  if (history.length === 0) {
    return (
      <p className="text-[14px] text-soft">
        What you run in this tab of the browser is listed here until you sign out.
      </p>
    );
  }
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
      {history.map(({ id, at, sql, as, outcome, ms }) => (
        <li key={id} className="rounded-md hover:bg-hover">
          <button
            type="button"
            title="Open in a new tab"
            className="grid w-full rounded-md px-2 py-1.5 text-left -outline-offset-2"
            onClick={() => onOpenText(sql)}
          >
            <code className="line-clamp-2 text-[13px] break-words">{sql}</code>
            <span className={`text-[12px] ${outcome === 'failed' ? 'text-danger' : 'text-soft'}`}>
              {endings[outcome]}, {ms.toLocaleString('en')} ms, as {as}, <Time at={at} isInRow />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
