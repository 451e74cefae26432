import type { ReactNode } from 'react';

import { counted } from '../../ui/counted.js';
import type { ProjectUsage } from './queries.js';

const stepMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
const stepNames = { minute: 'a minute', hour: 'an hour', day: 'a day' } as const;
const height = 100;
/** In the units of the picture; the space between two bars is the rest. */
const barWidth = 0.7;
/** One failed request among thousands is still seen. */
const least = 1;

interface Step {
  readonly at: Date;
  readonly requests: number;
  readonly clientErrors: number;
  readonly serverErrors: number;
}

/** Requests of each step as bars: refused and failed ones in colors of their own, on top. */
export function UsageChart({ usage }: { readonly usage: ProjectUsage }): ReactNode {
  const steps = stepsOf(usage);
  const most = Math.max(1, ...steps.map(({ requests }) => requests));
  const first = steps[0];
  const last = steps.at(-1);
  return (
    <figure className="grid min-h-48 content-start gap-1">
      <figcaption className="flex flex-wrap justify-between gap-x-4 text-[12px] text-soft">
        <span>
          {most.toLocaleString('en')} at most in {stepNames[usage.step]}
        </span>
        <span className="flex gap-3" aria-hidden>
          <Key look="bg-accent">answered</Key>
          <Key look="bg-warn">refused</Key>
          <Key look="bg-danger">failed</Key>
        </span>
      </figcaption>
      <svg
        aria-hidden
        viewBox={`0 0 ${Math.max(1, steps.length)} ${height}`}
        preserveAspectRatio="none"
        className="h-36 w-full border-b border-line-strong/60"
      >
        {steps.map((step, index) => (
          <Bar key={step.at.getTime()} step={step} index={index} most={most} kind={usage.step} />
        ))}
      </svg>
      {first && last && (
        <p aria-hidden className="flex justify-between text-[12px] text-soft">
          <span>{nameOf(first.at, usage.step)}</span>
          <span>{nameOf(last.at, usage.step)}</span>
        </p>
      )}
      <Table steps={steps} kind={usage.step} />
    </figure>
  );
}

interface BarProps {
  readonly step: Step;
  readonly index: number;
  readonly most: number;
  readonly kind: ProjectUsage['step'];
}

function Bar({ step, index, most, kind }: BarProps): ReactNode {
  const { requests, clientErrors, serverErrors } = step;
  const sized = (count: number): number =>
    count === 0 ? 0 : Math.max(least, (count / most) * height);
  const parts = [
    ['fill-accent', sized(requests - clientErrors - serverErrors)],
    ['fill-warn', sized(clientErrors)],
    ['fill-danger', sized(serverErrors)],
  ] as const;
  let top = height;
  return (
    <g>
      <title>{`${nameOf(step.at, kind)}: ${said(step)}`}</title>
      <rect
        x={index}
        y={0}
        width={1}
        height={height}
        className="fill-transparent hover:fill-hover"
      />
      {parts.map(([look, size]) => {
        top -= size;
        return (
          size > 0 && (
            <rect
              key={look}
              x={index + (1 - barWidth) / 2}
              y={Math.max(0, top)}
              width={barWidth}
              height={size}
              className={`pointer-events-none ${look}`}
            />
          )
        );
      })}
    </g>
  );
}

function Key({
  look,
  children,
}: {
  readonly look: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className={`size-2 rounded-sm ${look}`} />
      {children}
    </span>
  );
}

/** The same for screen readers: the steps in which something was counted. */
function Table({
  steps,
  kind,
}: {
  readonly steps: readonly Step[];
  readonly kind: ProjectUsage['step'];
}): ReactNode {
  const used = steps.filter(({ requests }) => requests > 0);
  if (used.length === 0) return <p className="sr-only">No request in this time.</p>;
  return (
    <div className="sr-only">
      <table>
        <caption>Requests by {kind}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Requests</th>
          </tr>
        </thead>
        <tbody>
          {used.map((step) => (
            <tr key={step.at.getTime()}>
              <th scope="row">{nameOf(step.at, kind)}</th>
              <td>{said(step)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Every step of the time, also those without a request. */
function stepsOf({ from, to, step, points }: ProjectUsage): readonly Step[] {
  const size = stepMs[step];
  const start = Math.floor(Date.parse(from) / size) * size;
  const count = Math.max(1, Math.ceil((Date.parse(to) - start) / size));
  const byTime = new Map(points.map((point) => [Date.parse(point.at), point]));
  return Array.from({ length: count }, (_, index) => {
    const at = start + index * size;
    const { requests = 0, clientErrors = 0, serverErrors = 0 } = byTime.get(at) ?? {};
    return { at: new Date(at), requests, clientErrors, serverErrors };
  });
}

function nameOf(at: Date, step: ProjectUsage['step']): string {
  return step === 'day'
    ? // Days are those of UTC.
      at.toLocaleDateString(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
    : at.toLocaleTimeString(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' });
}

function said({ requests, clientErrors, serverErrors }: Step): string {
  return `${counted(requests, 'request')}, ${clientErrors.toLocaleString('en')} refused, ${serverErrors.toLocaleString('en')} failed`;
}
