// What the address of an audit log says: which entries, and which of them is open.
import { searchText } from '../../shell/search-text.js';

/** How many minutes ago an entry was written at most. */
export const periods = { hour: 60, day: 1440, week: 7 * 1440, month: 30 * 1440 } as const;
const times = ['hour', 'day', 'week', 'month', 'between'] as const;
export type TimeFilter = (typeof times)[number];

/** Undefined: as if the address did not say it. */
export interface AuditSearch {
  /** Of a project: the log that the project itself keeps. */
  readonly log?: 'project' | undefined;
  /** The id of an organization. */
  readonly organization?: string | undefined;
  /** The ref of a project. */
  readonly project?: string | undefined;
  /** The id of an operator. */
  readonly operator?: string | undefined;
  /** An action, or its first part. */
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  readonly time?: TimeFilter | undefined;
  /** Moments in the form of ISO 8601, for `between`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The id of the entry that is open. */
  readonly open?: string | undefined;
}

/** Changes some parameters of the address. What is typed makes no history: it is not a step to go back to. */
export type ChangeSearch = (change: AuditSearch, how?: { readonly isTyped?: boolean }) => void;

/** The parameters that are valid. The others are undefined: what is left out is taken from the address as it is. */
export function readSearch(given: Record<string, unknown>): AuditSearch {
  const text = (name: string): string | undefined => searchText(searchText(given[name])?.trim());
  const moment = (name: string): string | undefined => {
    const at = text(name);
    return at === undefined || Number.isNaN(Date.parse(at)) ? undefined : at;
  };
  const time = times.find((each) => each === given['time']);
  const open = text('open');
  return {
    log: given['log'] === 'project' ? 'project' : undefined,
    organization: text('organization'),
    project: text('project'),
    operator: text('operator'),
    action: text('action'),
    target: text('target'),
    time,
    from: time === 'between' ? moment('from') : undefined,
    to: time === 'between' ? moment('to') : undefined,
    open: open !== undefined && /^\d{1,17}$/.test(open) ? open : undefined,
  };
}

const filterNames = ['project', 'operator', 'action', 'target', 'time'] as const;

/** Without filters. The log stays the same. */
export const noFilters: AuditSearch = {
  project: undefined,
  operator: undefined,
  action: undefined,
  target: undefined,
  time: undefined,
  from: undefined,
  to: undefined,
};

export function hasFilters(search: AuditSearch): boolean {
  return filterNames.some((name) => search[name] !== undefined);
}

const minuteMs = 60_000;

/** The moments of the filter by time; `from` is included, `to` is not. */
export function momentsOf(
  { time, from, to }: AuditSearch,
  now: number,
): { readonly from?: string; readonly to?: string } {
  if (time === undefined) return {};
  if (time === 'between')
    return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const began = Math.floor(now / minuteMs) - periods[time];
  return { from: new Date(began * minuteMs).toISOString() };
}

/** A moment as a field for date and time shows it, in the zone of the browser. */
export function fieldTime(moment: string | undefined): string {
  if (moment === undefined) return '';
  const at = new Date(moment);
  return new Date(at.getTime() - at.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16);
}

/** The moment of a field for date and time; undefined if it is empty. */
export function momentIn(field: string): string | undefined {
  const at = new Date(field);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
