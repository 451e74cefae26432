import type { ReactNode } from 'react';

interface SparklineProps {
  /** One number for each step, oldest first. */
  readonly values: readonly number[];
  /** Those of the values that are bad, in the same order. */
  readonly bad: readonly number[];
  readonly className?: string;
}

const height = 20;
const step = 2;
/** A step with one request among thousands is still seen. */
const least = 1.5;

/** Bars of a small picture without axes. The numbers are said beside it, so screen readers pass it over. */
export function Sparkline({ values, bad, className = '' }: SparklineProps): ReactNode {
  const most = Math.max(1, ...values);
  const bars = (numbers: readonly number[]): string =>
    numbers
      .map((value, index) => {
        const size = value === 0 ? 0 : Math.max(least, (value / most) * height);
        return size === 0 ? '' : `M${index * step + step / 2} ${height}v-${size.toFixed(1)}`;
      })
      .join('');
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${Math.max(1, values.length) * step} ${height}`}
      preserveAspectRatio="none"
      className={`h-5 ${className}`}
      fill="none"
      strokeWidth={step * 0.75}
    >
      <path
        d={`M0 ${height - 0.5}h${values.length * step}`}
        className="stroke-line"
        strokeWidth={1}
      />
      <path d={bars(values)} className="stroke-accent" />
      <path d={bars(bad)} className="stroke-danger" />
    </svg>
  );
}
