import { type ReactNode, useMemo } from 'react';

import { Choice } from '../../ui/field.js';
import { capabilityAbouts, capabilityNames } from './capabilities.js';
import { NoMatch } from './empty.js';
import { columnsOf, rowsOf } from './matrix.js';
import { MatrixGrid } from './matrix-grid.js';
import type { Person, Place } from './people.js';
import { SearchField } from '../../ui/search-field.js';
import type { OperatorsSearch } from './search.js';
import type { OperatorsWorld } from './world.js';

interface MatrixTabProps {
  readonly world: OperatorsWorld;
  readonly search: OperatorsSearch;
  readonly onSearch: (change: OperatorsSearch) => void;
  readonly onOpen: (person: Person, place: Place) => void;
}

/** Who may do what where: a row for each organization and project, a column for each operator. */
export default function MatrixTab({ world, search, onSearch, onOpen }: MatrixTabProps): ReactNode {
  const { organizations, projects, people } = world;
  const { capability, organization, project, q } = search;
  const rows = useMemo(
    () => rowsOf(organizations, projects, { organization, project }),
    [organizations, projects, organization, project],
  );
  const columns = useMemo(
    () => columnsOf(people, rows, { q, capability }),
    [people, rows, q, capability],
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap sm:items-center">
        <SearchField
          label="Search operators"
          placeholder="Operator: name or email"
          value={q}
          onChange={(next) => onSearch({ q: next })}
        />
        <SearchField
          label="Search projects"
          placeholder="Project: name or ref"
          value={project}
          onChange={(next) => onSearch({ project: next })}
        />
        {organizations.length > 1 && (
          <Choice
            label="Organization"
            isBare
            className="w-full sm:w-auto sm:max-w-60"
            value={organization ?? ''}
            onChange={(event) => onSearch({ organization: event.currentTarget.value || undefined })}
          >
            <option value="">Any organization</option>
            {organizations.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Choice>
        )}
        <Choice
          label="Capability"
          isBare
          className="w-full sm:w-auto"
          value={capability ?? ''}
          onChange={(event) => {
            const { value } = event.currentTarget;
            onSearch({ capability: capabilityNames.find((each) => each === value) });
          }}
        >
          <option value="">All capabilities</option>
          {capabilityNames.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Choice>
      </div>
      <Legend capability={capability && `${capability}: ${capabilityAbouts[capability]}`} />
      {rows.length === 0 || columns.length === 0 ? (
        <NoMatch
          onClear={() =>
            onSearch({
              q: undefined,
              project: undefined,
              organization: undefined,
              capability: undefined,
            })
          }
        >
          {rows.length === 0 ? 'No project matches.' : 'No operator matches.'}
        </NoMatch>
      ) : (
        <MatrixGrid rows={rows} people={columns} capability={capability} onOpen={onOpen} />
      )}
    </div>
  );
}

function Legend({ capability }: { readonly capability: string | undefined }): ReactNode {
  return (
    <div className="grid gap-1 text-[13px] text-soft">
      {capability !== undefined && <p>{capability}</p>}
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Sample look="bg-accent">a role given there</Sample>
        <Sample look="bg-line-strong">from the organization</Sample>
        <Sample look="bg-warn">as an administrator of the deployment</Sample>
        <span>Click a cell, or press Enter on it, to see why and to change it.</span>
      </p>
    </div>
  );
}

function Sample({
  look,
  children,
}: {
  readonly look: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden className={`size-2 rounded-full ${look}`} />
      {children}
    </span>
  );
}
