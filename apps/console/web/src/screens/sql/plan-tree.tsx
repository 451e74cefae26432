import type { ReactNode } from 'react';

import { counted } from '../../ui/counted.js';
import { nodesOf, type Plan, type PlanNode } from './plan.js';

const inMs = (ms: number): string =>
  `${ms.toLocaleString('en', { maximumFractionDigits: ms < 10 ? 2 : 0 })} ms`;

/** A plan as a tree: each step above the steps that it reads from, the costliest ones marked. */
export function PlanTree({
  of: { root, planningMs, executionMs },
}: {
  readonly of: Plan;
}): ReactNode {
  const isMeasured = executionMs !== undefined;
  const steps = [...nodesOf(root)];
  const largest = Math.max(...steps.map(({ node }) => node.share));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <p className="text-[13px] text-soft">
        {isMeasured
          ? `Run and undone in ${inMs(executionMs)}${planningMs === undefined ? '' : `, planned in ${inMs(planningMs)}`}. Shares are of the time.`
          : 'Planned, not run. Shares are of the cost, in units of the planner.'}
      </p>
      <ul aria-label="Plan" className="grid grid-cols-[minmax(0,1fr)] gap-1.5 overflow-x-auto">
        {steps.map(({ node, depth }) => (
          <Step
            key={node.id}
            of={node}
            depth={depth}
            isCostly={node.isCostly || node.share === largest}
          />
        ))}
      </ul>
    </div>
  );
}

/** How far a step is moved to the right, at most. */
const maxDepth = 12;

interface StepProps {
  readonly of: PlanNode;
  readonly depth: number;
  readonly isCostly: boolean;
}

function Step({ of: node, depth, isCostly }: StepProps): ReactNode {
  const { title, facts, expectedRows, rows, cost, ms, share } = node;
  const percent = Math.round(share * 100);
  return (
    <li
      className="min-w-64"
      // Fluid in the width of the page: a deep plan stays readable on a small one.
      style={{ paddingLeft: `min(${Math.min(depth, maxDepth) * 1.25}rem, ${depth * 3}vw)` }}
    >
      <div
        className={`grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 rounded-md border px-3 py-2 text-[14px] ${isCostly ? 'border-warn bg-warn-soft' : 'border-line bg-surface'}`}
      >
        <span className="font-semibold break-words">
          <span className="sr-only">Level {depth + 1}: </span>
          {title}
        </span>
        <span className={`tabular-nums ${isCostly ? 'font-semibold text-warn' : 'text-soft'}`}>
          {isCostly && <span className="sr-only">Costly: </span>}
          {percent}%
        </span>
        <span className="col-span-2 text-[13px] text-soft">
          {rows === undefined
            ? `${counted(expectedRows, 'row')} expected`
            : `${counted(rows, 'row')}, ${expectedRows.toLocaleString('en')} expected`}
          {ms === undefined ? `, cost ${cost.toLocaleString('en')}` : `, ${inMs(ms)}`}
        </span>
        {facts.map((fact) => (
          <span key={fact} className="col-span-2 font-mono text-[12px] break-words text-soft">
            {fact}
          </span>
        ))}
        <span aria-hidden className="col-span-2 mt-1.5 h-1 rounded-full bg-sunken">
          <span
            className={`block h-1 rounded-full ${isCostly ? 'bg-warn' : 'bg-accent'}`}
            style={{ width: `${percent}%` }}
          />
        </span>
      </div>
    </li>
  );
}
