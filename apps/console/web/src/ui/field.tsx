import { type ComponentProps, type ReactNode, useId } from 'react';

const control =
  'w-full rounded-md border border-line-strong bg-surface px-3 text-ink shadow-lift focus-visible:outline-offset-0 disabled:opacity-60 aria-[invalid=true]:border-danger';

interface FieldProps extends ComponentProps<'input'> {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong with the value. */
  readonly problem?: string | undefined;
}

/** An input of one line with its label. */
export function Field({ label, hint, problem, className = '', ...rest }: FieldProps): ReactNode {
  const id = useId();
  const about = problem ?? hint;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-[13px] font-semibold">
        {label}
      </label>
      <input
        id={id}
        className={`${control} h-9 ${className}`}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={about === undefined ? undefined : `${id}-about`}
        {...rest}
      />
      {about !== undefined && (
        <p
          // Another element, so that a problem is read out when it comes.
          key={problem === undefined ? 'hint' : 'problem'}
          id={`${id}-about`}
          role={problem === undefined ? undefined : 'alert'}
          className={`text-[13px] ${problem === undefined ? 'text-soft' : 'text-danger'}`}
        >
          {about}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps extends ComponentProps<'select'> {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The label is for screen readers alone. */
  readonly isBare?: boolean;
}

/** A choice from a list; `children` are its options. */
export function Choice({
  label,
  hint,
  isBare = false,
  className = '',
  ...rest
}: ChoiceProps): ReactNode {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className={isBare ? 'sr-only' : 'text-[13px] font-semibold'}>
        {label}
      </label>
      <select id={id} className={`${control} h-9 pr-2 ${className}`} {...rest} />
      {hint !== undefined && <p className="text-[13px] text-soft">{hint}</p>}
    </div>
  );
}

/** A box to tick. */
export function Tick({
  label,
  hint,
  ...rest
}: ComponentProps<'input'> & { readonly label: string; readonly hint?: string }): ReactNode {
  return (
    <label className="flex items-start gap-2.5 text-[14px]">
      <input type="checkbox" className="mt-0.5 size-4 accent-accent" {...rest} />
      <span>
        {label}
        {hint !== undefined && <span className="block text-[13px] text-soft">{hint}</span>}
      </span>
    </label>
  );
}

/** The texts of a form's named inputs. */
export function textsOf(form: HTMLFormElement): (name: string) => string {
  const fields = new FormData(form);
  return (name) => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : '';
  };
}
