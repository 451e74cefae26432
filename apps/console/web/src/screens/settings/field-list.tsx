import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';

import { CopyField } from '../../ui/copy.js';
import { useProject } from '../project/use-project.js';
import { EntriesInput } from './entries-input.js';
import { FieldRow } from './field-row.js';
import { below, type Fields, type ObjectForm, placesIn } from './form.js';
import { statusesQuery } from './queries.js';
import { idOf, isWithin, useOpenForm } from './use-form.js';

interface FieldListProps {
  readonly fields: Fields;
  readonly path?: string;
  /** The field that is shown first: its object is open. */
  readonly wanted: string | undefined;
}

/** The number of objects up to which all are open from the start; of more, those in use are. */
const openObjects = 8;

/** The inputs of fields, in the order of the declaration. */
export function FieldList({ fields, path = '', wanted }: FieldListProps): ReactNode {
  const callbackOf = useCallbacks();
  const objects = fields.filter(({ kind }) => kind === 'object').length;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {fields.map((field) => {
        const at = below(path, field.name);
        if (field.kind === 'entries') {
          return <EntriesInput key={at} field={field} path={at} callbackOf={callbackOf} />;
        }
        if (field.kind === 'object') {
          return (
            <ObjectFields
              key={at}
              field={field}
              path={at}
              wanted={wanted}
              isOpenAtFirst={objects <= openObjects}
              callback={path === '' ? callbackOf(field.name) : undefined}
            />
          );
        }
        return <FieldRow key={at} field={field} path={at} />;
      })}
    </div>
  );
}

interface ObjectProps {
  readonly field: ObjectForm;
  readonly path: string;
  readonly wanted: string | undefined;
  readonly isOpenAtFirst: boolean;
  readonly callback: string | undefined;
}

function ObjectFields({ field, path, wanted, isOpenAtFirst, callback }: ObjectProps): ReactNode {
  const form = useOpenForm();
  const places = placesIn(field.fields, path);
  const isUsed = places.some((place) => form.source(place.path) !== 'default');
  const changes = places.filter((place) => form.draft.has(place.path)).length;
  const isWanted =
    (wanted !== undefined && isWithin(wanted, path)) ||
    (form.problem !== undefined && isWithin(form.problem.path, path));
  const [isOpen, setOpen] = useState(isOpenAtFirst || isUsed || isWanted);
  useEffect(() => {
    if (isWanted) setOpen(true);
  }, [isWanted]);
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="group rounded-md border border-line"
    >
      <summary
        id={idOf(path)}
        className="flex cursor-pointer list-none items-center gap-2 rounded-md px-3 py-2 text-[14px] font-semibold hover:bg-hover"
      >
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 text-soft transition-transform group-open:rotate-90"
        />
        <span className="min-w-0 grow break-words">{field.label}</span>
        {changes > 0 ? (
          <span className="text-[12px] font-normal text-accent">{changes} not saved</span>
        ) : (
          isUsed && <span className="text-[12px] font-normal text-soft">in use</span>
        )}
      </summary>
      {isOpen && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line p-3">
          {field.help !== undefined && <p className="text-[13px] text-soft">{field.help}</p>}
          <FieldList fields={field.fields} path={path} wanted={wanted} />
          {callback !== undefined && <CopyField label="Callback URL" text={callback} />}
        </div>
      )}
    </details>
  );
}

/** The address to register at a provider, by the name of its part of the group. */
function useCallbacks(): (part: string) => string | undefined {
  const { ref } = useProject();
  const { group } = useOpenForm();
  const { data: statuses } = useQuery(statusesQuery(ref));
  return (part) => statuses?.[`${group.name}.${part}`]?.callbackUrl ?? undefined;
}
