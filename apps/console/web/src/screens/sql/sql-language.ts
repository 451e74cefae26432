// SQL for the editor: PostgreSQL's words, the names of the project, and a mark where PostgreSQL has found an error.
import {
  type CompletionContext,
  type CompletionResult,
  completionStatus,
  startCompletion,
} from '@codemirror/autocomplete';
import { PostgreSQL, sql } from '@codemirror/lang-sql';
import { type Extension, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';

import type { SchemaContent } from '../project/schema.js';
import { namespaceOf, wordsOf } from './completion.js';
import type { Range } from './error-place.js';

/** The language with the names of a schema; without one, the words of SQL alone. */
export function sqlLanguage(schema: SchemaContent | undefined): Extension {
  if (!schema) return [sql({ dialect: PostgreSQL }), completeLater];
  const words = wordsOf(schema);
  const complete = (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/[\w.]+/);
    return word && word.from < word.to ? { from: word.from, options: [...words] } : null;
  };
  return [
    sql({ dialect: PostgreSQL, schema: namespaceOf(schema), defaultSchema: 'public' }),
    PostgreSQL.language.data.of({ autocomplete: complete }),
  ];
}

/**
 * Stays until the names of the schema are read. If a word is being typed then, it is completed: the editor itself
 * completes after the next key alone.
 */
const completeLater = ViewPlugin.fromClass(
  class {
    #isTyping = false;

    constructor(private readonly view: EditorView) {}

    update({ transactions, docChanged, selectionSet, startState, state }: ViewUpdate): void {
      const isTyped = transactions.some(
        (each) => each.isUserEvent('input.type') || each.isUserEvent('delete.backward'),
      );
      const isOpen = completionStatus(state) === 'active';
      const isClosed = completionStatus(startState) === 'active' && !isOpen;
      if (isTyped) this.#isTyping = true;
      else if (docChanged || selectionSet || isClosed) this.#isTyping = false;
    }

    destroy(): void {
      if (!this.#isTyping) return;
      const { view } = this;
      // The editor has the new language once it has been updated.
      window.setTimeout(() => {
        const { head } = view.state.selection.main;
        const isAtWord = /[\w.]$/.test(view.state.sliceDoc(Math.max(0, head - 1), head));
        if (view.dom.isConnected && view.hasFocus && isAtWord) startCompletion(view);
      });
    }
  },
);

const mark = Decoration.mark({
  class: 'cm-error-place',
  attributes: { title: 'PostgreSQL has found the error here' },
});
const look = EditorView.baseTheme({
  '.cm-error-place': {
    textDecoration: 'underline wavy var(--danger)',
    textUnderlineOffset: '3px',
    background: 'var(--danger-soft)',
  },
});

/** Marks a part of the text; the mark moves with it, and goes when the part is changed. */
export function errorMark(place: Range | undefined): Extension {
  if (!place) return [];
  return [
    look,
    StateField.define<DecorationSet>({
      create: ({ doc }) => {
        const to = Math.min(place.to, doc.length);
        const from = Math.min(place.from, Math.max(0, to - 1));
        return from < to ? Decoration.set([mark.range(from, to)]) : Decoration.none;
      },
      update: (marks, { changes }) => marks.map(changes),
      provide: (field) => EditorView.decorations.from(field),
    }),
  ];
}
