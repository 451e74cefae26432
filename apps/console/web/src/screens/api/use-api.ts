import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';

import { schemaQuery } from '../project/schema.js';
import { useProject } from '../project/use-project.js';
import { type ApiContent, readDocument } from './document.js';
import { documentQuery, typesQuery } from './queries.js';

export interface ApiDocuments {
  /** Undefined while it is read. */
  readonly content: ApiContent | undefined;
  /** The text of the OpenAPI document. */
  readonly document: string | undefined;
  /** The generated types. */
  readonly types: string | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** What the API of the project that is open has, read again after each change of the schema. */
export function useApi(): ApiDocuments {
  const { ref } = useProject();
  const queryClient = useQueryClient();
  const schema = useQuery(schemaQuery(ref));
  const document = useQuery(documentQuery(ref));
  const types = useQuery(typesQuery(ref));
  const tables = schema.data?.tables;
  const known = useRef(tables);
  useEffect(() => {
    if (known.current !== undefined && known.current !== tables) {
      void queryClient.invalidateQueries({ queryKey: documentQuery(ref).queryKey });
      void queryClient.invalidateQueries({ queryKey: typesQuery(ref).queryKey });
    }
    known.current = tables;
  }, [tables, ref, queryClient]);
  const text = document.data;
  const content = useMemo(
    () =>
      text === undefined || tables === undefined
        ? undefined
        : readDocument(JSON.parse(text), tables),
    [text, tables],
  );
  const asked = [schema, document, types];
  return {
    content,
    document: text,
    types: types.data,
    error: asked.find((query) => query.data === undefined && query.error)?.error ?? null,
    retry: () => {
      for (const query of asked) if (query.error) void query.refetch();
    },
  };
}
