import { LayoutGrid, List, Search } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { Choice } from '../../ui/field.js';
import type { Organization, Project } from './queries.js';
import { hasStatus, type ProjectsSearch, type StatusFilter, statusFilters } from './search.js';

interface FiltersProps {
  readonly search: ProjectsSearch;
  readonly projects: readonly Project[];
  readonly organizations: readonly Organization[];
  readonly onChange: (change: ProjectsSearch) => void;
}

const names: Readonly<Record<StatusFilter, string>> = {
  active: 'Active',
  paused: 'Paused',
  deleted: 'Deleted',
};

/** Search, state, organization and the way of showing: all of them are in the address. */
export function Filters({ search, projects, organizations, onChange }: FiltersProps): ReactNode {
  return (
    <div className="flex flex-wrap items-center gap-2 pb-4">
      <label className="relative grow basis-48 sm:max-w-xs">
        <span className="sr-only">Search by name or ref</span>
        <Search aria-hidden className="absolute top-2.5 left-3 size-4 text-soft" />
        <input
          type="search"
          value={search.q ?? ''}
          placeholder="Search by name or ref"
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange({ q: event.currentTarget.value || undefined })}
          className="h-9 w-full rounded-md border border-line-strong bg-surface pr-3 pl-9 shadow-lift focus-visible:outline-offset-0"
        />
      </label>
      <div role="group" aria-label="Status" className="flex flex-wrap gap-1 max-sm:order-1">
        <Chip isOn={search.status === undefined} onPress={() => onChange({ status: undefined })}>
          All
        </Chip>
        {statusFilters.map((status) => {
          const count = projects.filter((project) => hasStatus(project, status)).length;
          return (
            <Chip
              key={status}
              isOn={search.status === status}
              onPress={() => onChange({ status })}
              count={count}
            >
              {names[status]}
            </Chip>
          );
        })}
      </div>
      {organizations.length > 1 && (
        <Choice
          label="Organization"
          isBare
          className="w-auto max-w-52"
          value={search.organization ?? ''}
          onChange={(event) => onChange({ organization: event.currentTarget.value || undefined })}
        >
          <option value="">Every organization</option>
          {organizations.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
      )}
      <div role="group" aria-label="View" className="ml-auto flex gap-1">
        <Button
          look="quiet"
          size="icon"
          aria-label="List"
          aria-pressed={search.view !== 'grid'}
          className="aria-pressed:bg-hover aria-pressed:text-ink"
          onClick={() => onChange({ view: undefined })}
        >
          <List aria-hidden className="size-4" />
        </Button>
        <Button
          look="quiet"
          size="icon"
          aria-label="Grid"
          aria-pressed={search.view === 'grid'}
          className="aria-pressed:bg-hover aria-pressed:text-ink"
          onClick={() => onChange({ view: 'grid' })}
        >
          <LayoutGrid aria-hidden className="size-4" />
        </Button>
      </div>
    </div>
  );
}

interface ChipProps {
  readonly isOn: boolean;
  readonly onPress: () => void;
  readonly count?: number;
  readonly children: ReactNode;
}

function Chip({ isOn, onPress, count, children }: ChipProps): ReactNode {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onPress}
      className="h-9 rounded-md px-3 text-[14px] text-soft max-sm:px-2 hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
    >
      {children}
      {count !== undefined && (
        // Two digits have their place before the projects are read.
        <span className="ml-1.5 inline-block min-w-[2ch] text-left text-[13px] tabular-nums">
          {count > 0 && count.toLocaleString('en')}
        </span>
      )}
    </button>
  );
}
