// The open tabs, and which of them the address names.
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';

import { newUuid } from '../../api/uuid.js';
import { showToast } from '../../ui/toast.js';
import { useKept } from './kept.js';
import { readSavedQuery, savedQueriesQuery, type SavedQuery } from './queries.js';
import {
  addTab,
  changeTab,
  closeTab,
  freeName,
  noTabs,
  readTabs,
  type SqlTab,
  type Tabs,
} from './tabs.js';

export interface OpenTabs {
  readonly list: readonly SqlTab[];
  readonly current: SqlTab | undefined;
  /** Why the query that the address names cannot be opened. */
  readonly error: unknown;
  /** Opens a tab, or a saved query. */
  readonly open: (id: string) => void;
  /** Opens a new tab with a text. */
  readonly add: (sql?: string) => void;
  readonly change: (id: string, changes: Partial<SqlTab>) => void;
  /** Shows a tab as the query that it was saved as. */
  readonly saved: (id: string, query: SavedQuery) => void;
  readonly close: (id: string) => void;
}

const newTab = (tabs: Tabs, sql: string): SqlTab => ({
  id: newUuid(),
  name: freeName(tabs),
  sql,
});

/** With no tab at all there is an empty one. */
function readOrStart(text: string | null): Tabs {
  const tabs = readTabs(text);
  return tabs.list.length > 0 ? tabs : addTab(noTabs, newTab(noTabs, ''));
}

export function useTabs(owner: string, projectRef: string): OpenTabs {
  const [tabs, setTabs] = useKept(owner, 'sql', readOrStart);
  const { open: wanted } = useSearch({ from: '/signed-in/projects/$ref/sql' });
  const navigate = useNavigate({ from: '/projects/$ref/sql' });
  const queryClient = useQueryClient();
  const [error, setError] = useState<unknown>(null);
  const open = useCallback(
    (id: string, replace = false): void => void navigate({ search: { open: id }, replace }),
    [navigate],
  );
  const { list, last } = tabs;
  const current = list.find(({ id }) => id === wanted);
  const isMissing = wanted !== undefined && current === undefined;
  const loading = useRef<string>(undefined);
  /** The address names it until the next one has come; then it is not opened again. */
  const leaving = useRef<string>(undefined);
  useEffect(() => {
    if (wanted !== undefined && wanted === leaving.current) return;
    leaving.current = undefined;
    if (wanted === undefined) {
      const first = list.find(({ id }) => id === last) ?? list[0];
      if (first) open(first.id, true);
      return;
    }
    if (!isMissing || loading.current === wanted) return;
    loading.current = wanted;
    setError(null);
    readSavedQuery(projectRef, wanted).then(
      ({ id, name, sql, isOwn }) => {
        loading.current = undefined;
        setTabs((before) => addTab(before, { id, name, sql, savedSql: sql, isOwn }));
      },
      (thrown: unknown) => setError(thrown),
    );
  }, [wanted, isMissing, list, last, open, projectRef, setTabs]);
  useEffect(() => {
    if (current && current.id !== last) setTabs((before) => ({ ...before, last: current.id }));
  }, [current, last, setTabs]);
  const add = (sql = ''): void => {
    const tab = newTab(tabs, sql);
    setTabs((before) => addTab(before, tab));
    open(tab.id);
  };
  const close = (id: string): void => {
    const place = list.findIndex((tab) => tab.id === id);
    const tab = list[place];
    if (!tab) return;
    const rest = closeTab({ list, last: wanted ?? last }, id);
    const next = rest.list.length > 0 ? rest : addTab(noTabs, newTab(noTabs, ''));
    if (id === wanted) leaving.current = id;
    setTabs(() => next);
    if (next.last !== undefined) open(next.last, true);
    if (tab.sql.trim() === '') return;
    const undo = (): void => {
      leaving.current = undefined;
      setTabs((before) => addTab(before, tab, place));
      open(tab.id);
    };
    showToast({ kind: 'done', text: `${tab.name} is closed.`, undo: { label: 'Undo', run: undo } });
  };
  return {
    list,
    current,
    error: isMissing ? error : null,
    open: (id) => open(id),
    add,
    change: (id, changes) => setTabs((before) => changeTab(before, id, changes)),
    saved(id, { id: savedId, name, sql, isOwn }) {
      leaving.current = id;
      setTabs((before) => changeTab(before, id, { id: savedId, name, savedSql: sql, isOwn }));
      open(savedId, true);
      void queryClient.invalidateQueries(savedQueriesQuery(projectRef));
    },
    close,
  };
}
