// Reads a page whose blocks of `ts` are one program. A block of `json` says what the block before it prints,
// and a block of `sh` is a command.
import { type Fence, readFences } from '../support/markdown.js';

export interface Part {
  /** Where it stands on the page. */
  readonly name: string;
  readonly text: string;
  /** What it prints; undefined when the page does not say. */
  readonly prints: string | undefined;
}

export interface Program {
  readonly commands: readonly string[];
  /** Statements of the whole program, without its imports. */
  readonly parts: readonly Part[];
  readonly imports: readonly string[];
}

const IMPORT = /^import .*;\n+/gm;

/** The program of a page. Throws for a block that is no part of one. */
export function readProgram(markdown: string): Program {
  const commands: string[] = [];
  const imports: string[] = [];
  const parts: Part[] = [];
  for (const fence of readFences(markdown)) {
    if (fence.language === 'sh') commands.push(...fence.text.split('\n'));
    else if (fence.language === 'ts') {
      imports.push(...(fence.text.match(IMPORT) ?? []).map((line) => line.trim()));
      parts.push({ name: nameOf(fence), text: fence.text.replace(IMPORT, ''), prints: undefined });
    } else parts.push(withOutput(parts.pop(), fence));
  }
  return { commands, parts, imports };
}

function withOutput(part: Part | undefined, fence: Fence): Part {
  if (fence.language === 'json' && part && part.prints === undefined) {
    return { ...part, prints: fence.text };
  }
  throw new Error(`line ${fence.line} is not what a part of the program prints`);
}

function nameOf({ heading, line }: Fence): string {
  return `${heading}, line ${line}`;
}
