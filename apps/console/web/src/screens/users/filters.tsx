import { X } from 'lucide-react';
import type { ReactNode } from 'react';

import { Choice } from '../../ui/field.js';
import { SearchField } from '../../ui/search-field.js';
import { providerName, providerNames } from './names.js';
import type { FilterName, UsersSearch } from './search.js';

interface FiltersProps {
  readonly search: UsersSearch;
  /** The providers of the users in sight. */
  readonly providers: readonly string[];
  readonly onSearch: (text: string | undefined) => void;
  /** Undefined takes the filter away. */
  readonly onFilter: (name: FilterName, value: string | undefined) => void;
}

type Options = readonly (readonly [value: string, name: string])[];

const periodOptions: Options = [
  ['day', 'In the last day'],
  ['week', 'In the last 7 days'],
  ['month', 'In the last 30 days'],
];
const options: Readonly<Record<Exclude<FilterName, 'provider'>, Options>> = {
  kind: [
    ['user', 'Users'],
    ['admin', 'Administrators'],
    ['guest', 'Guests'],
  ],
  status: [
    ['active', 'Active'],
    ['inactive', 'Inactive'],
  ],
  signedIn: [...periodOptions, ['never', 'Never']],
  created: periodOptions,
};
const filters = [
  ['kind', 'Role', 'Any role'],
  ['status', 'Status', 'Any status'],
  ['provider', 'Provider', 'Any provider'],
  ['signedIn', 'Last sign-in', 'Any sign-in'],
  ['created', 'Created', 'Any age'],
] as const;

/** The search, the choices, and a chip for each choice that was made. All of them are in the address. */
export function Filters({ search, providers, onSearch, onFilter }: FiltersProps): ReactNode {
  const known = new Set([...Object.keys(providerNames), ...providers, search.provider ?? '']);
  const providerOptions = [...known]
    .filter((id) => id !== '')
    .map((id) => [id, providerName(id)] as const);
  const optionsOf = (name: FilterName): Options =>
    name === 'provider' ? providerOptions : options[name];
  const chosen = filters.filter(([name]) => search[name] !== undefined);
  return (
    <div className="grid gap-2 pb-4">
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap sm:items-center">
        <SearchField
          label="Search users"
          placeholder="Name, email, phone or id"
          value={search.q}
          onChange={onSearch}
        />
        {filters.map(([name, label, any]) => (
          <Choice
            key={name}
            label={label}
            isBare
            className="w-full sm:w-auto"
            value={search[name] ?? ''}
            onChange={(event) => onFilter(name, event.currentTarget.value || undefined)}
          >
            <option value="">{any}</option>
            {optionsOf(name).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </Choice>
        ))}
      </div>
      {chosen.length > 0 && (
        <ul aria-label="Filters" className="flex flex-wrap items-center gap-1.5">
          {chosen.map(([name, label]) => {
            const text = optionsOf(name).find(([value]) => value === search[name])?.[1];
            return (
              <li key={name}>
                <button
                  type="button"
                  onClick={() => onFilter(name, undefined)}
                  className="inline-flex h-7 items-center gap-1.5 rounded-md bg-accent-soft px-2 text-[13px] font-medium text-accent"
                >
                  <span className="sr-only">Remove the filter </span>
                  {label}: {text}
                  <X aria-hidden className="size-3.5" />
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
