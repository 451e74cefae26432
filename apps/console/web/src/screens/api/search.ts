// What the address of the API pages says: which table or function is open, and in which language.
import { searchText } from '../../shell/search-text.js';

export const languages = ['curl', 'types'] as const;
export type Language = 'client' | (typeof languages)[number];

export interface ApiSearch {
  readonly table?: string | undefined;
  readonly function?: string | undefined;
  /** The client unless it is given. */
  readonly in?: (typeof languages)[number] | undefined;
  /** Part of the names in the list. */
  readonly q?: string | undefined;
}

/** The parameters that are valid. A table goes before a function. */
export function readApiSearch(given: Record<string, unknown>): ApiSearch {
  const text = (name: string): string | undefined => searchText(given[name]);
  const table = text('table');
  return {
    table,
    function: table === undefined ? text('function') : undefined,
    in: languages.find((language) => language === given['in']),
    q: text('q'),
  };
}
