import type { ReactNode } from 'react';

import { Code } from '../../ui/code.js';
import type { Snippet } from './snippet.js';

/** Code for each request, with a button that copies it. */
export function SnippetList({ of: snippets }: { readonly of: readonly Snippet[] }): ReactNode {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {snippets.map(({ title, code, note }) => (
        <div key={title} className="grid grid-cols-[minmax(0,1fr)] gap-1">
          {code === undefined ? (
            <p className="text-[13px] font-semibold">{title}</p>
          ) : (
            <Code label={title} text={code} />
          )}
          {note !== undefined && <p className="text-[13px] text-soft">{note}</p>}
        </div>
      ))}
    </div>
  );
}
