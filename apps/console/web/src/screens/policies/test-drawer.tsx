import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';

import { projectPath } from '../../api/place.js';
import { Dialog, DialogBody } from '../../ui/dialog.js';
import { Choice, Field } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { RequestButtons } from '../../ui/request-buttons.js';
import { showProblem, showToast } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { JsonField } from './json-field.js';
import { CallerFields, RequestFields } from './lab-form.js';
import { changeTest, policiesQuery, type PolicyTest, testsKey } from './queries.js';
import {
  changeOf,
  draftOf,
  type ExpectationKind,
  expectationKinds,
  type TestDraft,
} from './test-draft.js';

interface TestDrawerProps {
  readonly test: PolicyTest;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

const expectationNames: Readonly<Record<ExpectationKind, string>> = {
  rows: 'a number of rows',
  keys: 'exactly these rows',
  refused: 'a refusal',
};

/** Changes a saved test: its name, its caller, its request and what it expects. */
export default function TestDrawer({ test, onSaved, onClose }: TestDrawerProps): ReactNode {
  const { ref } = useProject();
  const queryClient = useQueryClient();
  const { data: list } = useQuery(policiesQuery(ref));
  // What another operator changes meanwhile does not change the form.
  const [before] = useState(test);
  const [draft, setDraft] = useState(() => draftOf(before));
  const change = (fields: Partial<TestDraft>): void =>
    setDraft((known) => ({ ...known, ...fields }));
  const read = changeOf(before, draft);
  const body = read.kind === 'ready' ? read.change : {};
  const reread = () => queryClient.invalidateQueries({ queryKey: testsKey(ref) });
  const saving = useMutation({
    mutationFn: () => changeTest(ref, before.id, body),
    async onSuccess() {
      await reread();
      onSaved();
      onClose();
      const undo = () => changeTest(ref, before.id, partsOf(before)).then(reread, showProblem);
      showToast({
        kind: 'done',
        text: `The test ${draft.name.trim()} is saved.`,
        undo: { label: 'Undo', run: () => void undo() },
      });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!saving.isPending) saving.mutate();
  };
  const fields = {
    search: draft.lab,
    onChange: (lab: TestDraft['lab']) => change({ lab: { ...draft.lab, ...lab } }),
    tables: list?.tables ?? [],
  };
  return (
    <Dialog
      title={`Change ${before.name}`}
      about="The next run tries what is saved here."
      place="drawer"
      onClose={onClose}
    >
      <form onSubmit={submit} className="contents">
        <DialogBody>
          <Field
            label="Name"
            value={draft.name}
            maxLength={200}
            required
            onChange={({ target }) => change({ name: target.value })}
          />
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
            <CallerFields {...fields} />
            <RequestFields {...fields} />
          </div>
          <ExpectationFields draft={draft} onChange={change} />
          {read.kind === 'unready' && <Notice kind="plain">{read.problem}</Notice>}
          <ProblemNotice of={saving.error} effect="Nothing was changed." />
        </DialogBody>
        <RequestButtons
          request={{
            method: 'PATCH',
            path: projectPath(ref, `/api/admin/policies/tests/${before.id}`),
            body,
          }}
          what="the change"
          isReady={Object.keys(body).length > 0}
          busy={saving.isPending}
          onCancel={onClose}
        >
          Save
        </RequestButtons>
      </form>
    </Dialog>
  );
}

interface ExpectationFieldsProps {
  readonly draft: TestDraft;
  readonly onChange: (fields: Partial<TestDraft>) => void;
}

function ExpectationFields({ draft, onChange }: ExpectationFieldsProps): ReactNode {
  const { kind, count, keys, code } = draft;
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <legend className="pb-2 text-[14px] font-semibold">Expectation</legend>
      <Choice
        label="It passes if the caller gets"
        value={kind}
        onChange={({ target }) => {
          const next = expectationKinds.find((one) => one === target.value);
          if (next) onChange({ kind: next });
        }}
      >
        {expectationKinds.map((one) => (
          <option key={one} value={one}>
            {expectationNames[one]}
          </option>
        ))}
      </Choice>
      {kind === 'rows' && (
        <Field
          label="Rows"
          inputMode="numeric"
          value={count}
          onChange={({ target }) => onChange({ count: target.value })}
        />
      )}
      {kind === 'keys' && (
        <JsonField
          label="Primary keys"
          value={keys}
          onChange={(text) => onChange({ keys: text })}
        />
      )}
      {kind === 'refused' && (
        <Field
          label="Code"
          value={code}
          placeholder="42501"
          spellCheck={false}
          className="font-mono text-[13px]"
          onChange={({ target }) => onChange({ code: target.value })}
        />
      )}
    </fieldset>
  );
}

/** A test as it was, for the way back. */
function partsOf({ name, as, request, expect }: PolicyTest) {
  return { name, as: objectOf(as), request: objectOf(request), expect: objectOf(expect) };
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
