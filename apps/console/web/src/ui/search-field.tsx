import { Search } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

/** A search begins this long after the last key. */
const pauseMs = 300;

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string | undefined;
  /** What is offered while typing. */
  readonly options?: readonly { readonly value: string; readonly label?: string }[];
  readonly className?: string;
  /** Undefined: the field is empty. */
  readonly onChange: (value: string | undefined) => void;
  /** Enter was pressed; what is in the field by now becomes the value. */
  readonly onEnter?: (value: string | undefined) => void;
}

/** A filter that is typed. It follows the address, and changes it some time after the last key. */
export function SearchField({
  label,
  placeholder,
  value = '',
  options = [],
  className = 'grow basis-56 sm:max-w-xs',
  onChange,
  onEnter,
}: SearchFieldProps): ReactNode {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  /** The value that the address will have soon, unless it is there already. */
  const [sent, setSent] = useState<string>();
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  if (value !== shown) {
    setShown(value);
    setSent(undefined);
    // What was typed since it was sent stays.
    if (value !== sent) setTyped(value);
  }
  useEffect(() => {
    const next = typed.trim();
    if (next === value) return;
    const timer = window.setTimeout(() => {
      setSent(next);
      latest.current(next || undefined);
    }, pauseMs);
    return () => window.clearTimeout(timer);
  }, [typed, value]);
  return (
    <label className={`relative max-sm:col-span-2 ${className}`}>
      <span className="sr-only">{label}</span>
      <Search aria-hidden className="absolute top-2.5 left-3 size-4 text-soft" />
      <input
        type="search"
        list={options.length > 0 ? id : undefined}
        value={typed}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !onEnter) return;
          const next = typed.trim();
          if (next !== value) setSent(next);
          onEnter(next || undefined);
        }}
        className="h-9 w-full rounded-md border border-line-strong bg-surface pr-3 pl-9 shadow-lift focus-visible:outline-offset-0"
      />
      {options.length > 0 && (
        <datalist id={id}>
          {options.map((option) => (
            <option key={option.value} value={option.value} label={option.label} />
          ))}
        </datalist>
      )}
    </label>
  );
}
