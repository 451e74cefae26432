// Which columns of a result can be drawn, and as what.
import { isNumeric, isTime, type StatementResult } from './result.js';

export type ChartKind = 'lines' | 'bars';

/** What a chart shows: columns by their place. */
export interface ChartChoice {
  readonly x: number;
  readonly y: readonly number[];
  readonly kind: ChartKind;
}

type Table = Pick<StatementResult, 'fields' | 'rows'>;

/** The columns that can be drawn upwards. */
export function numericColumns({ fields }: Table): readonly number[] {
  return fields.flatMap((field, index) => (isNumeric(field) ? [index] : []));
}

/**
 * The chart to begin with: the first column of times, else the first that is no number, else the first, from left to
 * right, and up to three other numbers upwards. Undefined if nothing can be drawn.
 */
export function suggestChart(table: Table): ChartChoice | undefined {
  const { fields, rows } = table;
  if (rows.length === 0) return undefined;
  const byTime = fields.findIndex(isTime);
  const byName = fields.findIndex((field) => !isNumeric(field));
  const x = byTime >= 0 ? byTime : Math.max(0, byName);
  const y = numericColumns(table).filter((index) => index !== x);
  if (y.length === 0) return undefined;
  return { x, y: y.slice(0, 3), kind: byTime >= 0 ? 'lines' : 'bars' };
}

/** Points from left to right. */
export interface ChartData {
  /** Seconds since 1970 of times, numbers, or the places of texts. */
  readonly xs: readonly number[];
  /** What is written below the points; undefined: `xs` are numbers. */
  readonly labels: readonly string[] | undefined;
  readonly isTime: boolean;
  /** A list for each column of `y`; null where there is no number. */
  readonly ys: readonly (readonly (number | null)[])[];
}

/** The points of a choice. Times and numbers are in order; texts keep the order of the rows. */
export function chartData({ fields, rows }: Table, { x, y }: ChartChoice): ChartData {
  const field = fields[x];
  const isOfTime = field !== undefined && isTime(field);
  const isOrdered = isOfTime || (field !== undefined && isNumeric(field));
  const points = rows.flatMap((row, place) => {
    const text = row[x] ?? null;
    const at = isOrdered ? positionOf(text, isOfTime) : place;
    return at === null
      ? []
      : [{ at, text: text ?? 'null', values: y.map((i) => numberOf(row[i])) }];
  });
  const sorted = isOrdered ? points.toSorted((one, other) => one.at - other.at) : points;
  return {
    xs: sorted.map(({ at }) => at),
    labels: isOrdered ? undefined : sorted.map(({ text }) => text),
    isTime: isOfTime,
    ys: y.map((_, index) => sorted.map(({ values }) => values[index] ?? null)),
  };
}

function positionOf(text: string | null, isOfTime: boolean): number | null {
  if (text === null) return null;
  if (!isOfTime) return numberOf(text);
  // `2026-11-27 08:00:00+00`, as PostgreSQL writes times here; a day or a time without a zone counts as UTC.
  const ms = Date.parse(isoOf(text));
  return Number.isNaN(ms) ? null : ms / 1000;
}

function isoOf(text: string): string {
  const [day = '', time] = text.split(' ', 2);
  if (time === undefined) return day;
  const isZoned = /[+-]\d\d(?::\d\d)?$/.test(time);
  return `${day}T${isZoned ? time.replace(/([+-]\d\d)$/, '$1:00') : `${time}Z`}`;
}

function numberOf(text: string | null | undefined): number | null {
  if (text === null || text === undefined) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}
