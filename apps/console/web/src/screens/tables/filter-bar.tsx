import { ListFilter, X } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Choice, Field } from '../../ui/field.js';
import type { SchemaColumn } from '../project/schema.js';
import { type Filter, filterInWords, operatorsFor, type Sort } from './filters.js';
import { isWords, type Operator, operators } from './operators.js';

interface FilterBarProps {
  readonly columns: readonly SchemaColumn[];
  readonly filters: readonly Filter[];
  readonly sorts: readonly Sort[];
  readonly onFilters: (filters: readonly Filter[]) => void;
  readonly onSorts: (sorts: readonly Sort[]) => void;
}

/** The filters and the order as chips. */
export function FilterBar(props: FilterBarProps): ReactNode {
  const { columns, filters, sorts, onFilters, onSorts } = props;
  const [edited, setEdited] = useState<number>();
  return (
    <div
      role="group"
      aria-label="Filters and order"
      className="flex flex-wrap items-center gap-1.5"
    >
      <Button size="small" onClick={() => setEdited(filters.length)}>
        <ListFilter aria-hidden className="size-3.5" />
        Filter
      </Button>
      {filters.map((filter, index) => (
        <Chip
          // Two filters may be the same.
          key={`${index} ${filterInWords(filter)}`}
          text={filterInWords(filter)}
          onPress={() => setEdited(index)}
          onRemove={() => onFilters(filters.filter((_, other) => other !== index))}
        />
      ))}
      {sorts.map((sort) => (
        <Chip
          key={`by ${sort.column}`}
          text={`${sort.isDescending ? '↓' : '↑'} ${sort.column}`}
          onPress={() =>
            onSorts(
              sorts.map((each) =>
                each === sort ? { ...sort, isDescending: !sort.isDescending } : each,
              ),
            )
          }
          onRemove={() => onSorts(sorts.filter((each) => each !== sort))}
        />
      ))}
      {edited !== undefined && (
        <FilterDialog
          columns={columns}
          filter={filters[edited]}
          onClose={() => setEdited(undefined)}
          onSet={(filter) => {
            onFilters([...filters.slice(0, edited), filter, ...filters.slice(edited + 1)]);
            setEdited(undefined);
          }}
        />
      )}
    </div>
  );
}

interface ChipProps {
  readonly text: string;
  readonly onPress: () => void;
  readonly onRemove: () => void;
}

function Chip({ text, onPress, onRemove }: ChipProps): ReactNode {
  return (
    <span className="inline-flex h-7 max-w-80 min-w-0 items-center rounded-full bg-accent-soft text-[13px] text-accent">
      <button type="button" onClick={onPress} className="min-w-0 truncate rounded-l-full pr-1 pl-3">
        {text}
      </button>
      <button
        type="button"
        aria-label={`Remove ${text}`}
        onClick={onRemove}
        className="grid size-7 shrink-0 place-items-center rounded-full hover:bg-hover"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </span>
  );
}

interface FilterDialogProps {
  readonly columns: readonly SchemaColumn[];
  readonly filter: Filter | undefined;
  readonly onSet: (filter: Filter) => void;
  readonly onClose: () => void;
}

function FilterDialog({ columns, filter, onSet, onClose }: FilterDialogProps): ReactNode {
  const [name, setName] = useState(filter?.column ?? columns[0]?.name ?? '');
  const column = columns.find((each) => each.name === name);
  const possible = column ? operatorsFor(column) : [];
  const [chosen, setOperator] = useState<Operator | undefined>(filter?.operator);
  const operator = possible.find((each) => each === chosen) ?? possible[0] ?? 'is';
  const [value, setValue] = useState(filter?.value ?? '');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const isWord = operator === 'is';
    onSet({ column: name, operator, value: isWord && !(value in isWords) ? 'null' : value });
  };
  return (
    <Dialog title={filter ? 'Change the filter' : 'Filter the rows'} onClose={onClose}>
      <form onSubmit={submit}>
        <DialogBody>
          <Choice
            label="Column"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          >
            {columns.map((each) => (
              <option key={each.name} value={each.name}>
                {each.name}
              </option>
            ))}
          </Choice>
          <Choice
            label="Condition"
            value={operator}
            onChange={({ currentTarget }) =>
              setOperator(operators.find(({ name: known }) => known === currentTarget.value)?.name)
            }
          >
            {possible.map((each) => (
              <option key={each} value={each}>
                {each === 'is'
                  ? 'is NULL, true or false'
                  : `${operators.find(({ name: known }) => known === each)?.words ?? ''} (${each})`}
              </option>
            ))}
          </Choice>
          {operator === 'is' ? (
            <Choice
              label="Value"
              value={value in isWords ? value : 'null'}
              onChange={(event) => setValue(event.currentTarget.value)}
            >
              {Object.entries(isWords)
                .filter(([word]) => column?.baseType === 'boolean' || word.endsWith('null'))
                .map(([word, words]) => (
                  <option key={word} value={word}>
                    {words}
                  </option>
                ))}
            </Choice>
          ) : (
            <Field
              label="Value"
              value={value}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => setValue(event.currentTarget.value)}
              hint={hintOf(operator)}
            />
          )}
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit">
            Apply
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function hintOf(operator: Operator): string | undefined {
  if (operator === 'in') return 'Separate values by commas; put one with a comma in quotes.';
  if (operator === 'ilike' || operator === 'not.ilike') return '* matches any text: *house*';
  if (operator === 'imatch') return 'A regular expression of PostgreSQL, in any case of letters';
  if (operator === 'cs' || operator === 'ov') return 'As PostgreSQL writes it: {a,b} or [1,5)';
  return undefined;
}
