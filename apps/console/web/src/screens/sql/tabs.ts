// The open texts of the editor. They are kept in the session storage of the tab of the browser.
import { parseJson } from '../../api/json.js';

/** The id of a tab is that of its saved query, or a UUID of its own. */
export interface SqlTab {
  readonly id: string;
  readonly name: string;
  readonly sql: string;
  /** The text as it is saved; undefined for a tab that was never saved. */
  readonly savedSql?: string | undefined;
  /** Whether the saved query is the operator's own. */
  readonly isOwn?: boolean | undefined;
}

export interface Tabs {
  readonly list: readonly SqlTab[];
  /** The id of the tab that was open last. */
  readonly last: string | undefined;
}

export const noTabs: Tabs = { list: [], last: undefined };
/** More of them no list shows. */
const maxTabs = 30;

export function addTab({ list }: Tabs, tab: SqlTab, place = list.length): Tabs {
  if (list.some(({ id }) => id === tab.id)) return { list, last: tab.id };
  return { list: list.toSpliced(place, 0, tab).slice(-maxTabs), last: tab.id };
}

/** The tab beside the closed one is open next. */
export function closeTab({ list, last }: Tabs, id: string): Tabs {
  const place = list.findIndex((tab) => tab.id === id);
  if (place < 0) return { list, last };
  const rest = list.toSpliced(place, 1);
  const next = rest[Math.min(place, rest.length - 1)]?.id;
  return { list: rest, last: last === id ? next : last };
}

/** Changes a tab; a new id is that of the query that it was saved as. */
export function changeTab({ list, last }: Tabs, id: string, changes: Partial<SqlTab>): Tabs {
  return {
    list: list.map((tab) => (tab.id === id ? { ...tab, ...changes } : tab)),
    last: last === id ? (changes.id ?? id) : last,
  };
}

/** Whether the text differs from what is saved. */
export const isChanged = ({ sql, savedSql }: SqlTab): boolean =>
  savedSql === undefined ? sql.trim() !== '' : sql !== savedSql;

/** A name that no tab has: `Query 1`, `Query 2`, … */
export function freeName({ list }: Tabs): string {
  const names = new Set(list.map(({ name }) => name));
  let count = 1;
  while (names.has(`Query ${count}`)) count++;
  return `Query ${count}`;
}

/** The tabs in a stored text; none if it was not written by this version. */
export function readTabs(text: string | null): Tabs {
  const value = text === null ? undefined : parseJson(text);
  if (typeof value !== 'object' || value === null || !('list' in value)) return noTabs;
  if (!Array.isArray(value.list)) return noTabs;
  const list = value.list.filter(isTab);
  const last = 'last' in value && typeof value.last === 'string' ? value.last : undefined;
  return { list, last };
}

function isTab(value: unknown): value is SqlTab {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, sql } = { id: undefined, name: undefined, sql: undefined, ...value };
  return typeof id === 'string' && typeof name === 'string' && typeof sql === 'string';
}
