import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { Choice } from '../../ui/field.js';
import { SearchField } from '../../ui/search-field.js';
import type { TableBox } from './graph.js';
import { columnChoices, type DiagramSearch } from './search.js';

interface ToolbarProps {
  readonly search: DiagramSearch;
  /** The names of tables, to draw one with its relations. */
  readonly names: readonly string[];
  /** The tables that the search has found; undefined without a search. */
  readonly found: readonly TableBox[] | undefined;
  readonly onSearch: (next: DiagramSearch) => void;
  /** Goes to the next table that the text finds. */
  readonly onNext: (text: string | undefined) => void;
}

const columnNames = { keys: 'Keys alone', none: 'Names of tables alone' } as const;
/** In front of the name of a table, so that no name means something else. */
const around = 'around ';

/** What is searched, and the part of the schema that is drawn. All of it is in the address. */
export function Toolbar(props: ToolbarProps): ReactNode {
  const { search, names, found, onSearch, onNext } = props;
  return (
    <div className="flex flex-wrap items-end gap-3">
      <SearchField
        className="w-full sm:w-64"
        label="Find a table or column"
        placeholder="Table or column"
        value={search.q}
        onChange={(q) => onSearch({ q })}
        onEnter={onNext}
      />
      <div className="w-full min-w-0 sm:w-56">
        <Choice
          label="Tables"
          value={search.around === undefined ? (search.only ?? 'all') : around + search.around}
          onChange={({ currentTarget: { value } }) =>
            onSearch({
              only: value === 'related' ? 'related' : undefined,
              around: value.startsWith(around) ? value.slice(around.length) : undefined,
            })
          }
        >
          <option value="all">All tables</option>
          <option value="related">Tables with relations</option>
          <optgroup label="A table and its relations">
            {names.map((name) => (
              <option key={name} value={around + name}>
                {name}
              </option>
            ))}
          </optgroup>
        </Choice>
      </div>
      <div className="w-full sm:w-52">
        <Choice
          label="Columns"
          value={search.columns ?? 'all'}
          onChange={({ currentTarget: { value } }) =>
            onSearch({ columns: columnChoices.find((choice) => choice === value) })
          }
        >
          <option value="all">All columns</option>
          {columnChoices.map((choice) => (
            <option key={choice} value={choice}>
              {columnNames[choice]}
            </option>
          ))}
        </Choice>
      </div>
      {found && (
        <div className="flex h-9 items-center gap-2 text-[13px] text-soft">
          <span role="status">
            {found.length === 0
              ? 'No table or column has this name'
              : `${counted(found.length, 'table')} found`}
          </span>
          {found.length > 0 && (
            <Button size="small" onClick={() => onNext(search.q)}>
              Next
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
