// Reads a page of commands and answers: each fenced block of `sh` is a step, and the block of `json` or
// `text` behind it is what the step prints.
import { expect } from 'vitest';

import { type Fence, patternOf, readFences, textPattern } from '../support/markdown.js';

/** What a step must print; `…` in it stands for any text. */
export type Answer =
  /** Nothing at all. */
  | { readonly kind: 'silent' }
  /** A JSON document with at least these fields; lists are compared in full. */
  | { readonly kind: 'json'; readonly value: unknown }
  /** At least these lines. */
  | { readonly kind: 'text'; readonly lines: readonly string[] };

export interface Step {
  /** The heading that the step stands under, and its number there. */
  readonly name: string;
  readonly command: string;
  readonly answer: Answer;
}

/** The steps of a Markdown page in their order. Throws for an answer without a step before it. */
export function readSteps(markdown: string): readonly Step[] {
  const steps: Step[] = [];
  for (const fence of readFences(markdown)) {
    if (fence.language === 'sh') {
      const number = steps.filter(({ name }) => name.startsWith(fence.heading)).length + 1;
      const name = `${fence.heading}, step ${number}`;
      steps.push({ name, command: fence.text, answer: { kind: 'silent' } });
      continue;
    }
    const step = steps.pop();
    if (step?.answer.kind !== 'silent') throw new Error(`an answer without a step: ${fence.text}`);
    steps.push({ ...step, answer: readAnswer(fence) });
  }
  return steps;
}

/** Fails the test unless the output of a step is the answer that the page shows. */
export function expectAnswer(output: string, answer: Answer): void {
  switch (answer.kind) {
    case 'silent':
      expect(output.trim()).toBe('');
      return;
    case 'json':
      expect(parsedOr(output)).toEqual(patternOf(answer.value, 'part'));
      return;
    case 'text':
      expect(output.split('\n').map((line) => line.trim())).toEqual(
        expect.arrayContaining(answer.lines.map(textPattern)),
      );
      return;
  }
}

function readAnswer({ language, text }: Fence): Answer {
  if (language === 'json') return { kind: 'json', value: JSON.parse(text) };
  if (language === 'text') return { kind: 'text', lines: text.split('\n') };
  throw new Error(`a block of ${language || 'no language'} is neither a step nor an answer`);
}

/** The output as JSON, or as it is: then the comparison shows what was printed instead. */
function parsedOr(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch (error) {
    if (error instanceof SyntaxError) return output;
    throw error;
  }
}
