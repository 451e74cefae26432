// Reads a page that is run. Its blocks of `ts` are one program; between its parts stand commands (`sh`) and
// statements for the project's database (`sql`). A block of `json` or `text` says what the block before it prints.
import { readFences } from '../support/markdown.js';

export interface Step {
  readonly kind: 'program' | 'command' | 'statement';
  /** Where it stands on the page. */
  readonly name: string;
  readonly text: string;
  /** The value or the text that it prints; undefined when the page does not say. */
  readonly prints: unknown;
}

const KINDS: Readonly<Record<string, Step['kind']>> = {
  ts: 'program',
  sh: 'command',
  sql: 'statement',
};
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  json: (text) => JSON.parse(text),
  text: (text) => text,
};
const IMPORT = /^import .*;\n+/gm;

/** The steps of a page in their order. Throws for a block that is none. */
export function readSteps(markdown: string): readonly Step[] {
  const steps: Step[] = [];
  for (const { language, heading, line, text } of readFences(markdown)) {
    const kind = KINDS[language];
    if (kind !== undefined) {
      steps.push({ kind, name: `${heading}, line ${line}`, text, prints: undefined });
      continue;
    }
    const read = READERS[language];
    const before = steps.pop();
    if (read === undefined || before === undefined || before.prints !== undefined) {
      throw new Error(`line ${line} is not what a step prints`);
    }
    steps.push({ ...before, prints: read(text) });
  }
  return steps;
}

/** The text of a part of the program without what it imports, and those imports. */
export function withoutImports(text: string): {
  readonly body: string;
  readonly imports: readonly string[];
} {
  const imports = (text.match(IMPORT) ?? []).map((line) => line.trim());
  return { body: text.replace(IMPORT, ''), imports };
}
