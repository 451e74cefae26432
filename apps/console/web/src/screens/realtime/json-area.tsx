import { type ReactNode, useId } from 'react';

interface JsonAreaProps {
  readonly label: string;
  readonly value: string;
  readonly hint: string;
  /** What is wrong with the value. */
  readonly problem: string | undefined;
  readonly onChange: (text: string) => void;
}

/** A field for a few lines of JSON. */
export function JsonArea({ label, value, hint, problem, onChange }: JsonAreaProps): ReactNode {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-[13px] font-semibold">
        {label}
      </label>
      <textarea
        id={id}
        rows={4}
        value={value}
        spellCheck={false}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={`${id}-about`}
        className="w-full rounded-md border border-line-strong bg-surface px-3 py-2 font-mono text-[13px] text-ink shadow-lift focus-visible:outline-offset-0 aria-[invalid=true]:border-danger"
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <p
        // Another element, so that a problem is read out when it comes.
        key={problem === undefined ? 'hint' : 'problem'}
        id={`${id}-about`}
        role={problem === undefined ? undefined : 'alert'}
        className={`text-[13px] ${problem === undefined ? 'text-soft' : 'text-danger'}`}
      >
        {problem ?? hint}
      </p>
    </div>
  );
}
