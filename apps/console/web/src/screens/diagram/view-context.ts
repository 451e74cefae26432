import { createContext, useContext } from 'react';

/** How boxes and lines look at the moment. */
export interface DiagramView {
  /** Names alone are drawn: rows would be too small to be read. */
  readonly isFar: boolean;
  /** The id of the table that is chosen. */
  readonly chosen: string | undefined;
  /** The tables that the search has found; undefined without a search. */
  readonly found: ReadonlySet<string> | undefined;
  /** The chosen table and those that it is related to; undefined if none is chosen. */
  readonly related: ReadonlySet<string> | undefined;
}

const ViewContext = createContext<DiagramView>({
  isFar: false,
  chosen: undefined,
  found: undefined,
  related: undefined,
});

export const ViewProvider = ViewContext.Provider;

export function useDiagramView(): DiagramView {
  return useContext(ViewContext);
}
