import { useQueries, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { useMay, useProject } from '../project/use-project.js';
import { tableDetailsQuery } from '../structure/queries.js';
import type { Listener } from './listener.js';
import { tablesQuery } from './queries.js';
import { reasonsOfSilence } from './silence.js';

/** Why a listener that has joined may have received nothing. */
export function SilenceNotice({ of: listener }: { readonly of: Listener }): ReactNode {
  const { ref } = useProject();
  const mayRead = useMay('content.read');
  const { data: announced } = useQuery(tablesQuery(ref));
  const details = useQueries({
    queries: listener.tables.map((table) => ({
      ...tableDetailsQuery(ref, table),
      enabled: mayRead,
    })),
  });
  const reasons = reasonsOfSilence(
    listener,
    listener.tables.map((name, index) => ({
      name,
      announced: announced?.find(({ table }) => table === name),
      details: details[index]?.data,
    })),
  );
  return (
    <div className="rounded-md bg-sunken px-3 py-2 text-[13px]">
      <p className="font-medium">Nothing received yet. It may be that:</p>
      <ul className="list-disc pl-4">
        {reasons.map(({ text, isCertain }) => (
          <li key={text} className={`break-words ${isCertain ? 'font-medium text-warn' : ''}`}>
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}
