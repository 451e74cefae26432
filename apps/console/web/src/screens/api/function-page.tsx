import type { ReactNode } from 'react';

import { useProject } from '../project/use-project.js';
import { functionSnippets } from './client-snippets.js';
import { functionCommands } from './curl-snippets.js';
import type { ApiFunction } from './document.js';
import { FieldTable } from './field-table.js';
import { LanguageTabs } from './language-tabs.js';
import type { ApiSearch } from './search.js';
import { keyPlaceholder } from './snippet.js';
import { functionTypesUse, typeOf } from './types-part.js';

interface FunctionPageProps {
  readonly function: ApiFunction;
  readonly types: string | undefined;
  readonly search: ApiSearch;
  readonly onSearch: (next: ApiSearch) => void;
}

/** The calls of a function. */
export function FunctionPage(props: FunctionPageProps): ReactNode {
  const { function: called, types, search, onSearch } = props;
  const { name, comment, overloads } = called;
  const { url } = useProject();
  return (
    <section
      aria-label={`The function ${name}`}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-5"
    >
      <header>
        <h2 className="text-[17px] font-semibold break-words">{name}</h2>
        {comment !== undefined && <p className="text-[14px] break-words">{comment}</p>}
        {overloads.length > 1 && (
          <p className="text-[13px] text-soft">
            It has {overloads.length} forms. The names of the arguments choose one.
          </p>
        )}
      </header>
      {overloads.map((fields, index) => (
        <Arguments key={index} of={fields} form={overloads.length > 1 ? index + 1 : undefined} />
      ))}
      <LanguageTabs
        client={functionSnippets(called)}
        curl={functionCommands(called, { url, key: keyPlaceholder })}
        type={types === undefined ? undefined : (typeOf(types, 'Functions', name) ?? null)}
        typesUse={functionTypesUse(name)}
        search={search}
        onSearch={onSearch}
      />
    </section>
  );
}

interface ArgumentsProps {
  readonly of: ApiFunction['overloads'][number];
  /** Undefined if the function has one form alone. */
  readonly form: number | undefined;
}

function Arguments({ of: fields, form }: ArgumentsProps): ReactNode {
  const title = form === undefined ? 'Arguments' : `Arguments of form ${form}`;
  if (fields === 'body' || fields.length === 0)
    return (
      <p className="text-[14px] text-soft">
        {form !== undefined && `Form ${form}: `}
        {fields === 'body' ? 'The body of the request is the argument.' : 'No arguments.'}
      </p>
    );
  return (
    <FieldTable
      label={title}
      fields={fields}
      about={({ isRequired }) => (isRequired ? 'required' : 'may be left out')}
    />
  );
}
