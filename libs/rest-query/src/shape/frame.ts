import type { CallPlan, Plan, RowStyle } from '../types/plan.js';

/** How rows become a body: `open`, the rows with `separator` between them, `close`. */
export interface BodyFrame {
  readonly open: string;
  readonly separator: string;
  readonly close: string;
}

const JSON_ARRAY: BodyFrame = { open: '[', separator: ',', close: ']' };
const JSON_VALUE: BodyFrame = { open: '', separator: '', close: '' };
const LINES: BodyFrame = { open: '', separator: '\n', close: '' };
const FEATURES: BodyFrame = {
  open: '{"type":"FeatureCollection","features":[',
  separator: ',',
  close: ']}',
};

/** The frame of the rows of a plan; undefined if the answer has no body. */
export function bodyFrame(plan: Plan): BodyFrame | undefined {
  if (plan.kind !== 'insert' && plan.kind !== 'update' && plan.kind !== 'delete') {
    if (!plan.readsRows) return undefined;
  }
  if (plan.explain) return LINES;
  switch (plan.kind) {
    case 'read':
      return frameOf(plan.rows.style, namesOf(plan.rows.level));
    case 'insert':
    case 'update':
    case 'delete': {
      if (plan.returning.kind !== 'rows') return undefined;
      const { style, level } = plan.returning.rows;
      return frameOf(style, namesOf(level));
    }
    case 'call':
      return callFrame(plan);
  }
}

function callFrame({ result, style, routine, isMinimal }: CallPlan): BodyFrame | undefined {
  if (result.kind === 'void' || isMinimal) return undefined;
  const names = result.kind === 'rows' ? namesOf(result.rows.level) : [routine.name];
  // A function that returns no set has one value, which has no frame.
  return style.kind === 'array' && !result.isSet ? JSON_VALUE : frameOf(style, names);
}

function namesOf({
  outputs,
}: {
  readonly outputs: readonly { readonly name: string }[];
}): string[] {
  return outputs.map(({ name }) => name);
}

function frameOf(style: RowStyle, names: readonly string[]): BodyFrame {
  switch (style.kind) {
    case 'array':
      return JSON_ARRAY;
    case 'object':
      return JSON_VALUE;
    case 'csv':
      return { open: names.map(csvField).join(','), separator: '', close: '\r\n' };
    case 'geojson':
      return FEATURES;
  }
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
