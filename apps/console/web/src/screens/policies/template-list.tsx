import type { ReactNode } from 'react';

import { useProject } from '../project/use-project.js';
import type { PolicyDraft } from './policy-sql.js';
import type { PolicyTable } from './queries.js';
import { policySentence } from './sentence.js';
import { templatesFor } from './templates.js';

interface TemplateListProps {
  readonly table: PolicyTable;
  readonly tables: readonly PolicyTable[];
  readonly onChoose: (draft: PolicyDraft) => void;
}

/** Policies to begin with, each with its sentence. */
export function TemplateList({ table, tables, onChoose }: TemplateListProps): ReactNode {
  const { idType } = useProject();
  return (
    <section aria-label="Templates" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="text-[13px] font-semibold">Begin with a template</h3>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-2 sm:grid-cols-2">
        {templatesFor({ table, tables, idType }).map(({ key, title, draft, lacks }) => (
          <li key={key} className="grid">
            <button
              type="button"
              className="grid content-start gap-0.5 rounded-md border border-line-strong/60 px-3 py-2 text-left text-[13px] hover:bg-hover"
              onClick={() => onChoose(draft)}
            >
              <span className="text-[14px] font-semibold">{title}</span>
              <span className="text-soft">{policySentence({ ...draft, check: null })}</span>
              {lacks !== undefined && <span className="text-warn">{lacks}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
