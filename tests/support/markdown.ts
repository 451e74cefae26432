// What tests read out of pages that they run: fenced blocks, and values in which `…` stands for any text.
import { expect } from 'vitest';

export interface Fence {
  readonly language: string;
  readonly text: string;
  /** The heading that the block stands under. */
  readonly heading: string;
  /** The line of the page that the text begins at, from 1. */
  readonly line: number;
}

/** The fenced blocks of a Markdown page in their order. */
export function readFences(markdown: string): readonly Fence[] {
  const fences: Fence[] = [];
  let heading = '';
  let open: { readonly language: string; readonly lines: string[]; line: number } | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    const mark = /^```(\w*)$/.exec(line);
    if (mark && open) {
      const { language, lines } = open;
      fences.push({ language, text: lines.join('\n'), heading, line: open.line });
      open = undefined;
    } else if (mark) open = { language: mark[1] ?? '', lines: [], line: index + 2 };
    else if (open) open.lines.push(line);
    else heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading;
  }
  return fences;
}

/** Returns the rows of the first table whose head begins with this cell, each as its cells; none without a table. */
export function readTable(markdown: string, head: string): readonly (readonly string[])[] {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => line.startsWith('|') && cellsOf(line)[0] === head);
  const rows: string[][] = [];
  for (const line of start === -1 ? [] : lines.slice(start + 2)) {
    if (!line.startsWith('|')) break;
    rows.push(cellsOf(line));
  }
  return rows;
}

function cellsOf(row: string): string[] {
  return row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}

/**
 * A matcher for a value of a page. `objects` says whether an object of the page shows all fields or some;
 * lists are always shown in full.
 */
export function patternOf(value: unknown, objects: 'whole' | 'part'): unknown {
  if (typeof value === 'string') return textPattern(value);
  if (Array.isArray(value)) return value.map((element) => patternOf(element, objects));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(
    ([name, field]) => [name, patternOf(field, objects)] as const,
  );
  const pattern = Object.fromEntries(fields);
  return objects === 'whole' ? pattern : expect.objectContaining(pattern);
}

/** The text, or a matcher for it when it has a `…`. */
export function textPattern(text: string): unknown {
  if (!text.includes('…')) return text;
  const parts = text.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return expect.stringMatching(new RegExp(`^${parts.join('[^]+')}$`));
}
