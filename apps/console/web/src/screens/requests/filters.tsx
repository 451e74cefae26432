import type { ReactNode } from 'react';

import { Choice } from '../../ui/field.js';
import { SearchField } from '../../ui/search-field.js';
import {
  callers,
  type ChangeSearch,
  methods,
  readSearch,
  type RequestsSearch,
  statusClasses,
} from './search.js';
import { callerNames, statusNames } from './words.js';

interface FiltersProps {
  readonly search: RequestsSearch;
  readonly onSearch: ChangeSearch;
}

type Options = readonly (readonly [value: string, name: string])[];

const choices: readonly {
  readonly name: 'list' | 'status' | 'method' | 'caller';
  readonly label: string;
  readonly any: string;
  readonly options: Options;
}[] = [
  {
    name: 'list',
    label: 'List',
    any: 'The last 1,000',
    options: [
      ['failed', 'Failed'],
      ['slow', 'Slow (1 s and more)'],
    ],
  },
  {
    name: 'status',
    label: 'Status',
    any: 'Any status',
    options: statusClasses.map((each) => [each, statusNames[each]]),
  },
  {
    name: 'method',
    label: 'Method',
    any: 'Any method',
    options: methods.map((each) => [each, each]),
  },
  {
    name: 'caller',
    label: 'Caller',
    any: 'Any caller',
    options: callers.map((each) => [each, callerNames[each]]),
  },
];

/** Which requests are shown. All of it is in the address. */
export function Filters({ search, onSearch }: FiltersProps): ReactNode {
  return (
    <div className="grid grid-cols-2 gap-2 pb-3 sm:flex sm:flex-wrap sm:items-center">
      <SearchField
        label="Search requests"
        placeholder="Path, code or id"
        value={search.q}
        onChange={(q) => onSearch({ q, open: undefined }, { isTyped: true })}
      />
      {choices.map(({ name, label, any, options }) => (
        <Choice
          key={name}
          label={label}
          isBare
          className="w-full sm:w-auto"
          value={search[name] ?? ''}
          onChange={({ currentTarget: { value } }) =>
            onSearch({ ...readSearch({ ...search, [name]: value }), open: undefined })
          }
        >
          <option value="">{any}</option>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Choice>
      ))}
    </div>
  );
}
