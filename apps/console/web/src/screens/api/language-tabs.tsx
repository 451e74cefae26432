import type { ReactNode } from 'react';

import { Code } from '../../ui/code.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Tabs } from '../../ui/tabs.js';
import { type ApiSearch, languages } from './search.js';
import type { Snippet } from './snippet.js';
import { SnippetList } from './snippet-list.js';

interface LanguageTabsProps {
  readonly client: readonly Snippet[];
  readonly curl: readonly Snippet[];
  /** The generated type; undefined while it is read, null if the types do not have it. */
  readonly type: string | null | undefined;
  /** How a program names the types. */
  readonly typesUse: string;
  readonly search: ApiSearch;
  readonly onSearch: (next: ApiSearch) => void;
}

const names = { client: 'Client', curl: 'curl', types: 'Types' } as const;

/** The requests of a table or function in each language; the language is in the address. */
export function LanguageTabs(props: LanguageTabsProps): ReactNode {
  const { client, curl, type, typesUse, search, onSearch } = props;
  return (
    <Tabs
      label="Languages"
      open={names[search.in ?? 'client']}
      onOpen={(opened) => onSearch({ in: languages.find((each) => names[each] === opened) })}
      tabs={[
        { name: names.client, content: <SnippetList of={client} /> },
        { name: names.curl, content: <SnippetList of={curl} /> },
        {
          name: names.types,
          content: (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
              {type === undefined && <Skeleton className="w-64" />}
              {type === null && (
                <p className="text-[14px] text-soft">
                  The generated types do not have it: they leave out what the client cannot call.
                </p>
              )}
              {typeof type === 'string' && (
                <>
                  <Code label="Use in a program" text={typesUse} />
                  <Code label="Generated type" text={type} />
                </>
              )}
            </div>
          ),
        },
      ]}
    />
  );
}
