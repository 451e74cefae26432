import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Choice, Field } from '../../ui/field.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { showToast } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { rowsInWords } from './decision-words.js';
import { saveTest, testsKey, type TryResult } from './queries.js';

interface SaveTestProps {
  readonly tried: { readonly as: object; readonly request: object };
  readonly result: TryResult;
}

/** What a test of this try can expect. */
type Expected =
  | { readonly kind: 'keys'; readonly keys: readonly unknown[] }
  | { readonly kind: 'rows'; readonly count: number }
  | { readonly kind: 'refused'; readonly code: string };

/** Saves a try as a test that expects what came. */
export function SaveTest({ tried, result }: SaveTestProps): ReactNode {
  const { ref } = useProject();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const offered = expectationsOf(result);
  const [chosen, setChosen] = useState<Expected['kind']>();
  const expected = offered.find(({ kind }) => kind === chosen) ?? offered[0];
  const { mutate, isPending, error } = useMutation({
    mutationFn: (expect: Expected) => saveTest(ref, { name: name.trim(), ...tried, expect }),
    onSuccess: async () => {
      setName('');
      showToast({ kind: 'done', text: 'The test is saved.' });
      await queryClient.invalidateQueries({ queryKey: testsKey(ref) });
    },
  });
  if (!expected) return null;
  const hasKeyText = 'key' in tried.as;
  return (
    <form
      aria-label="Save as a test"
      className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-lg border border-line bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault();
        mutate(expected);
      }}
    >
      <h3 className="text-[14px] font-semibold">Save as a test</h3>
      {hasKeyText ? (
        <Notice kind="plain">
          Tests do not keep the text of a key. Try with the id of a key instead.
        </Notice>
      ) : (
        <>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:grid-cols-2">
            <Field
              label="Name"
              value={name}
              maxLength={200}
              placeholder="Visitors see published notes"
              required
              onChange={({ target }) => setName(target.value)}
            />
            <Choice
              label="It passes if the caller gets"
              value={expected.kind}
              onChange={({ target }) =>
                setChosen(offered.find(({ kind }) => kind === target.value)?.kind)
              }
            >
              {offered.map((one) => (
                <option key={one.kind} value={one.kind}>
                  {inWords(one)}
                </option>
              ))}
            </Choice>
          </div>
          <ProblemNotice of={error} />
          <Button type="submit" busy={isPending} className="justify-self-start">
            Save as test
          </Button>
        </>
      )}
    </form>
  );
}

function expectationsOf({ outcome, count, keys }: TryResult): readonly Expected[] {
  if (outcome.kind === 'refused') return [{ kind: 'refused', code: outcome.code }];
  return [
    ...(keys && keys.length < 1000 ? [{ kind: 'keys' as const, keys }] : []),
    ...(count === null ? [] : [{ kind: 'rows' as const, count }]),
  ];
}

function inWords(expected: Expected): string {
  switch (expected.kind) {
    case 'keys':
      return expected.keys.length === 0 ? 'no rows at all' : 'exactly these rows';
    case 'rows':
      return `${rowsInWords(expected.count)}, whichever they are`;
    case 'refused':
      return `a refusal with ${expected.code}`;
  }
}
