import type { Plan, Representation } from '../types.js';

/** How rows become a body: `open`, the rows with `separator` between them, `close`. */
export interface BodyFrame {
  readonly open: string;
  readonly separator: string;
  readonly close: string;
}

const JSON_ARRAY: BodyFrame = { open: '[', separator: ',', close: ']' };
const JSON_OBJECT: BodyFrame = { open: '', separator: '', close: '' };

/** The frame of the rows of a plan; undefined when the answer has no body. */
export function bodyFrame(plan: Plan): BodyFrame | undefined {
  if (plan.kind === 'read') return plan.readsRows ? frameOf(plan.rows) : undefined;
  return plan.returning.kind === 'rows' ? frameOf(plan.returning.rows) : undefined;
}

function frameOf({ format, outputs }: Representation): BodyFrame {
  switch (format.kind) {
    case 'array':
      return JSON_ARRAY;
    case 'object':
      return JSON_OBJECT;
    case 'csv':
      return {
        open: outputs.map(({ name }) => csvField(name)).join(','),
        separator: '',
        close: '\r\n',
      };
  }
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The media type of the answer's body. */
export function contentType(rows: Representation): string {
  const { kind, stripNulls } = rows.format;
  const nulls = stripNulls ? '; nulls=stripped' : '';
  switch (kind) {
    case 'array':
      return stripNulls
        ? `application/vnd.pgrst.array+json${nulls}; charset=utf-8`
        : 'application/json; charset=utf-8';
    case 'object':
      return `application/vnd.pgrst.object+json${nulls}; charset=utf-8`;
    case 'csv':
      return 'text/csv; charset=utf-8';
  }
}
