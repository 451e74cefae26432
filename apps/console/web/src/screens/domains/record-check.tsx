import { CircleAlert, CircleCheck, CircleDashed, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

import { CopyButton } from '../../ui/copy.js';

const kinds = {
  good: { Icon: CircleCheck, look: 'text-good' },
  open: { Icon: CircleDashed, look: 'text-soft' },
  warning: { Icon: TriangleAlert, look: 'text-warn' },
  problem: { Icon: CircleAlert, look: 'text-danger' },
} as const;

interface RecordCheckProps {
  /** What the record is for. */
  readonly title: string;
  /** The name of the record. */
  readonly name: string;
  readonly type: string;
  readonly verdict: {
    readonly kind: keyof typeof kinds;
    readonly word: string;
    readonly sentence: string;
  };
  readonly wanted: readonly string[];
  /** The value of the record to make, to be copied. */
  readonly value?: string;
  readonly found: readonly string[];
}

/** A record of DNS: what it should say beside what it says. */
export function RecordCheck({
  title,
  name,
  type,
  verdict: { kind, word, sentence },
  wanted,
  value,
  found,
}: RecordCheckProps): ReactNode {
  const { Icon, look } = kinds[kind];
  return (
    <section
      aria-label={`${title}: ${name}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-md border border-line px-3 py-2.5"
    >
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[13px]">
        <p className="font-semibold">{title}</p>
        <span className="rounded-sm bg-sunken px-1.5 font-mono text-[12px] text-soft">{type}</span>
        <code className="min-w-0 break-all">{name}</code>
        {value !== undefined && <CopyButton text={name} what={`the name ${name}`} />}
        <span className={`ml-auto inline-flex items-center gap-1.5 font-medium ${look}`}>
          <Icon aria-hidden className="size-4 shrink-0" />
          {word}
        </span>
      </header>
      <dl className="grid gap-x-6 gap-y-2 text-[13px] sm:grid-cols-2 [&_dt]:text-soft">
        <div>
          <dt>It should say</dt>
          <dd className="flex flex-wrap items-center gap-x-1">
            <Values of={wanted} none="anything" />
            {value !== undefined && <CopyButton text={value} what={`the value of ${name}`} />}
          </dd>
        </div>
        <div>
          <dt>DNS says</dt>
          {/* Most names have an address of IPv4 and one of IPv6. */}
          <dd className="min-h-[2lh]">
            <Values of={found} none="nothing" />
          </dd>
        </div>
      </dl>
      <p className="text-[13px] text-soft">{sentence}</p>
    </section>
  );
}

interface ValuesProps {
  readonly of: readonly string[];
  /** What is shown without a value. */
  readonly none: string;
}

function Values({ of: values, none }: ValuesProps): ReactNode {
  if (values.length === 0) return <span className="text-soft">{none}</span>;
  return (
    <ul className="min-w-0">
      {values.map((value) => (
        <li key={value} className="font-mono wrap-anywhere">
          {value}
        </li>
      ))}
    </ul>
  );
}
