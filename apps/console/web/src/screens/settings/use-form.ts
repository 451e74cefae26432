// The open form of a group: what is on the server, what was changed, and what the server has refused.
import { createContext, useContext, useState } from 'react';

import {
  type Draft,
  emptyDraft,
  shownValue,
  withoutChange,
  withoutValue,
  withValue,
} from './draft.js';
import { type GroupForm, type Loaded, type Source, sourceAt } from './form.js';

export interface FieldProblem {
  readonly path: string;
  readonly reason: string;
}

export interface Form {
  readonly group: GroupForm;
  readonly loaded: Loaded;
  readonly draft: Draft;
  readonly problem: FieldProblem | undefined;
  readonly value: (path: string) => unknown;
  readonly source: (path: string) => Source;
  /** Sets a field; undefined: its default. */
  readonly set: (path: string, value: unknown) => void;
  /** Returns a field to the environment or the default. */
  readonly unset: (path: string) => void;
  /** Takes back the change of a field. */
  readonly undo: (path: string) => void;
  readonly discard: () => void;
  readonly refuse: (problem: FieldProblem | undefined) => void;
}

/** The form of a group. The caller gives each group a state of its own (`key`). */
export function useForm(group: GroupForm, loaded: Loaded): Form {
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const [problem, setProblem] = useState<FieldProblem>();
  const change = (path: string, next: (before: Draft) => Draft): void => {
    setDraft(next);
    setProblem((before) => (before && isWithin(before.path, path) ? undefined : before));
  };
  return {
    group,
    loaded,
    draft,
    problem,
    value: (path) => shownValue(draft, loaded, path),
    source: (path) => sourceAt(loaded, path),
    set: (path, value) => change(path, (before) => withValue(before, loaded, path, value)),
    unset: (path) => change(path, (before) => withoutValue(before, loaded, path)),
    undo: (path) => change(path, (before) => withoutChange(before, path)),
    discard() {
      setDraft(emptyDraft);
      setProblem(undefined);
    },
    refuse: setProblem,
  };
}

/** Whether a path is that of a field or below it: `google.clientId`, `providers[0].id`. */
export function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
}

const FormContext = createContext<Form | undefined>(undefined);

export const FormProvider = FormContext.Provider;

export function useOpenForm(): Form {
  const form = useContext(FormContext);
  if (!form) throw new Error('no form of settings is open');
  return form;
}

/** The id of the input of a field, to which links lead; also of a field of an entry: `providers[0].clientId`. */
export function idOf(path: string): string {
  const [, list, index, name] = /^(.+)\[(\d+)\]\.(\w+)$/.exec(path) ?? [];
  return name === undefined ? `field-${path}` : `field-${list}-${index}-${name}`;
}
