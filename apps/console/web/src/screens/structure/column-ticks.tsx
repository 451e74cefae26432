import type { ReactNode } from 'react';

interface ColumnTicksProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Columns to choose, with the place of each in the order of choosing. */
export function ColumnTicks({ label, columns, chosen, onChange }: ColumnTicksProps): ReactNode {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-[13px] font-semibold">{label}</legend>
      <div className="grid max-h-56 gap-1 overflow-y-auto rounded-md border border-line p-2 sm:grid-cols-2">
        {columns.map((column) => {
          const place = chosen.indexOf(column);
          return (
            <label key={column} className="flex items-center gap-2.5 text-[14px]">
              <input
                type="checkbox"
                className="size-4 shrink-0 accent-accent"
                checked={place >= 0}
                onChange={() =>
                  onChange(
                    place >= 0 ? chosen.filter((name) => name !== column) : [...chosen, column],
                  )
                }
              />
              <span className="min-w-0 break-words">{column}</span>
              {place >= 0 && chosen.length > 1 && (
                <span className="text-[12px] text-soft">{place + 1}</span>
              )}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
