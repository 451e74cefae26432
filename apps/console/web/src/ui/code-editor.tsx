// A text field for code. It lives in a shadow root: there CodeMirror uses constructed style sheets, which the
// Content-Security-Policy permits; in the document it would write style elements.
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  type KeyBinding,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useRef } from 'react';

/** What the owner of an editor does with it. */
export interface CodeEditorHandle {
  /** The selected text; the whole text if nothing is selected. */
  selectedText(): string;
  /** Where the selection begins and ends; the same offset twice is the cursor. */
  selection(): { readonly from: number; readonly to: number };
  /** Selects from one offset to another and shows it. */
  select(from: number, to: number): void;
  focus(): void;
}

interface CodeEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onChange?: (text: string) => void;
  /** The language with its completion: `sql({ dialect: PostgreSQL, schema })` or `json()`. Keep it between renders. */
  readonly language: Extension;
  readonly keys?: readonly KeyBinding[];
  readonly hint?: string;
  readonly isReadOnly?: boolean;
  readonly className?: string;
  readonly ref?: Ref<CodeEditorHandle>;
}

const colors = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--accent)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--warn)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--danger)' },
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: [tags.typeName, tags.propertyName], color: 'var(--good)' },
]);

const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--ink)', background: 'var(--surface)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'ui-monospace, Menlo, monospace', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { background: 'var(--sunken)', color: 'var(--soft)', border: 'none' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground, ::selection': {
    background: 'var(--accent-soft) !important',
  },
  '.cm-placeholder': { color: 'var(--soft)' },
  '.cm-matchingBracket': {
    background: 'var(--accent-soft)',
    outline: '1px solid var(--line-strong)',
  },
  '.cm-tooltip, .cm-panels': {
    background: 'var(--surface)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    background: 'var(--accent-soft)',
    color: 'var(--ink)',
  },
});

/**
 * Text typed over a selection. Left to the browser, Chromium writes the look of the selected text into a style
 * attribute, which the Content-Security-Policy refuses.
 */
const typeOverSelection = EditorView.domEventHandlers({
  beforeinput({ inputType, data }, view) {
    if (inputType !== 'insertText' || data === null) return false;
    if (view.state.readOnly || view.composing) return false;
    if (view.state.selection.main.empty) readSelection(view);
    const { state } = view;
    const { from, to, empty } = state.selection.main;
    if (empty) return false;
    const insert = () =>
      state.update(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
    const handlers = state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
    return true;
  },
});

/** Takes over the selection of the page, which the editor otherwise reads only after the event. */
function readSelection(view: EditorView): void {
  const root: DocumentOrShadowRoot & { getSelection?(): Selection | null } = view.root;
  const selected = root.getSelection?.();
  if (!selected?.anchorNode || !selected.focusNode) return;
  const anchor = view.posAtDOM(selected.anchorNode, selected.anchorOffset);
  const head = view.posAtDOM(selected.focusNode, selected.focusOffset);
  view.dispatch({ selection: { anchor, head } });
}

/** More texts than an owner is behind. */
const maxPassedOn = 50;

/** The lowest number of rows is that of `className` (`h-40`). Tab leaves the field, as it does in every other field. */
export function CodeEditor({
  label,
  value,
  onChange,
  language,
  keys,
  hint = '',
  isReadOnly = false,
  className = 'h-40',
  ref,
}: CodeEditorProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(undefined);
  const parts = useRef({ language: new Compartment(), state: new Compartment() }).current;
  /** Texts that the owner was given and has not come back with. */
  const passedOn = useRef<string[]>([]);
  // What the editor calls is that of the last render.
  const latest = useRef({ onChange, keys });
  useEffect(() => {
    latest.current = { onChange, keys };
  });
  useEffect(() => {
    if (!place.current) return;
    const root = place.current.shadowRoot ?? place.current.attachShadow({ mode: 'open' });
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: value,
        extensions: [
          keymap.of(
            (keys ?? []).map((key) => ({
              ...key,
              run: (target) => runLatest(latest.current.keys, key, target),
            })),
          ),
          lineNumbers(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          autocompletion({ icons: false }),
          search({ top: true }),
          highlightSelectionMatches(),
          keymap.of([
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...defaultKeymap,
          ]),
          placeholder(hint),
          EditorView.lineWrapping,
          typeOverSelection,
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (!docChanged) return;
            const text = state.doc.toString();
            passedOn.current = [...passedOn.current.slice(1 - maxPassedOn), text];
            latest.current.onChange?.(text);
          }),
          syntaxHighlighting(colors),
          look,
          parts.language.of(language),
          parts.state.of(EditorState.readOnly.of(isReadOnly)),
        ],
      }),
    });
    editor.current = view;
    return () => view.destroy();
    // Made once: the effects below carry changes into the editor.
  }, []);
  useEffect(() => {
    const view = editor.current;
    // The owner may still come with what the editor said a moment ago, while the text has gone on.
    const known = passedOn.current.indexOf(value);
    passedOn.current.splice(0, known < 0 ? Infinity : known + 1);
    if (!view || known >= 0 || view.state.doc.toString() === value) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    editor.current?.dispatch({
      effects: [
        parts.language.reconfigure(language),
        parts.state.reconfigure(EditorState.readOnly.of(isReadOnly)),
      ],
    });
  }, [parts, language, isReadOnly]);
  useImperativeHandle(ref, () => ({
    selectedText() {
      const state = editor.current?.state;
      if (!state) return '';
      const { from, to } = state.selection.main;
      return from === to ? state.doc.toString() : state.sliceDoc(from, to);
    },
    selection() {
      const { from = 0, to = 0 } = editor.current?.state.selection.main ?? {};
      return { from, to };
    },
    select(from, to) {
      const view = editor.current;
      const end = view?.state.doc.length ?? 0;
      view?.dispatch({
        selection: { anchor: Math.min(from, end), head: Math.min(to, end) },
        scrollIntoView: true,
      });
    },
    focus: () => editor.current?.focus(),
  }));
  return (
    <div
      ref={place}
      className={`overflow-hidden rounded-md border border-line-strong ${className}`}
    />
  );
}

/** Runs the binding that the owner has now, since its functions change from render to render. */
function runLatest(
  keys: readonly KeyBinding[] | undefined,
  { key }: KeyBinding,
  target: EditorView,
): boolean {
  return keys?.find((each) => each.key === key)?.run?.(target) ?? false;
}
