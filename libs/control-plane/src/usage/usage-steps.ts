// The steps in which usage is read, and how long it is kept.
export const minuteMs = 60_000;
export const dayMs = 24 * 60 * minuteMs;

/** How long the rows of each table are kept. */
export const keptDays = { project_usage_minute: 30, project_usage_day: 366 } as const;

export const usageSteps = ['minute', 'hour', 'day'] as const;
export type UsageStep = (typeof usageSteps)[number];

interface StepRule {
  readonly ms: number;
  readonly table: keyof typeof keptDays;
  /** The longest span that can be read at once. */
  readonly maxMs: number;
  /** The span that is read when none is named. */
  readonly defaultMs: number;
}

export const stepRules: Readonly<Record<UsageStep, StepRule>> = {
  minute: {
    ms: minuteMs,
    table: 'project_usage_minute',
    maxMs: dayMs,
    defaultMs: 60 * minuteMs,
  },
  hour: {
    ms: 60 * minuteMs,
    table: 'project_usage_minute',
    maxMs: 7 * dayMs,
    defaultMs: dayMs,
  },
  day: {
    ms: dayMs,
    table: 'project_usage_day',
    maxMs: keptDays.project_usage_day * dayMs,
    defaultMs: 30 * dayMs,
  },
};
