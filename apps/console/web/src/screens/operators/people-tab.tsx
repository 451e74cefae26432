import type { ReactNode } from 'react';

import { Choice } from '../../ui/field.js';
import { NoMatch } from './empty.js';
import { type Person, selectPeople } from './people.js';
import { PeopleTable } from './people-table.js';
import { personEntries, type Task } from './person-entries.js';
import { SearchField } from '../../ui/search-field.js';
import { type OperatorsSearch, type StateFilter, states } from './search.js';
import { useOperatorActions } from './actions.js';
import type { OperatorsWorld } from './world.js';

interface PeopleTabProps {
  readonly world: OperatorsWorld;
  readonly search: OperatorsSearch;
  readonly onSearch: (change: OperatorsSearch) => void;
  readonly onTask: (task: Task, person: Person) => void;
}

const stateNames: Readonly<Record<StateFilter, string>> = {
  active: 'Active',
  disabled: 'Deactivated',
  admin: 'Administrators',
  'no-second-factor': 'Without a second factor',
};

/** The second factor is shown to administrators of the deployment alone. */
function isKnown(state: StateFilter, { isAdmin }: OperatorsWorld): boolean {
  return isAdmin || state !== 'no-second-factor';
}

/** The operators with their roles and the state of their accounts. */
export function PeopleTab({ world, search, onSearch, onTask }: PeopleTabProps): ReactNode {
  const actions = useOperatorActions();
  const shown = selectPeople(world.people, search);
  const open = ({ id }: Person): void => onSearch({ open: id });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap sm:items-center">
        <SearchField
          label="Search operators"
          placeholder="Name or email"
          value={search.q}
          onChange={(q) => onSearch({ q })}
        />
        {world.organizations.length > 1 && (
          <Choice
            label="Organization"
            isBare
            className="w-full sm:w-auto sm:max-w-60"
            value={search.organization ?? ''}
            onChange={(event) => onSearch({ organization: event.currentTarget.value || undefined })}
          >
            <option value="">Any organization</option>
            {world.organizations.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Choice>
        )}
        <Choice
          label="State"
          isBare
          className="w-full sm:w-auto"
          value={search.state ?? ''}
          onChange={(event) => {
            const { value } = event.currentTarget;
            onSearch({ state: states.find((each) => each === value) });
          }}
        >
          <option value="">Any state</option>
          {states
            .filter((state) => isKnown(state, world))
            .map((state) => (
              <option key={state} value={state}>
                {stateNames[state]}
              </option>
            ))}
        </Choice>
      </div>
      {shown.length === 0 ? (
        <NoMatch
          onClear={() => onSearch({ q: undefined, organization: undefined, state: undefined })}
        >
          {search.q === undefined
            ? 'No operator matches the filters.'
            : `No operator matches “${search.q}”.`}
        </NoMatch>
      ) : (
        <PeopleTable
          world={world}
          people={shown}
          onOpen={open}
          entriesOf={(person) =>
            personEntries(person, {
              world,
              actions,
              onTask: (task) => onTask(task, person),
              onOpen: () => open(person),
            })
          }
        />
      )}
    </div>
  );
}
