import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';

import type { ProjectSchemas } from '../../api/client.js';
import { curlOf } from '../../api/curl.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { Field } from '../../ui/field.js';
import { Panel } from '../../ui/panel.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { showToast } from '../../ui/toast.js';
import { useMay, useProject } from '../project/use-project.js';
import { refreshFiles } from './bucket-actions.js';
import { saveCors } from './bucket-queries.js';
import {
  type CorsDraft,
  draftsOf,
  emptyDraft,
  lacksMethods,
  methods,
  ruleOf,
} from './cors-draft.js';
import { type Bucket, proxied } from './queries.js';

/** Which pages of other origins may call the routes of the bucket. */
export function CorsPanel({ bucket }: { readonly bucket: Bucket }): ReactNode {
  const { ref } = useProject();
  const mayWrite = useMay('content.write');
  // What another operator has saved replaces what is in the form.
  const saved = JSON.stringify(bucket.cors);
  return (
    <Panel
      title="Pages of other origins (CORS)"
      side={
        <CopyButton
          text={curlOf({ path: proxied(ref, `/admin/storage/buckets/${bucket.slug}/cors`) })}
          what="as curl: the rules"
        >
          Copy as curl
        </CopyButton>
      }
    >
      <p className="max-w-prose text-[14px] text-soft">
        These rules are for the addresses /api/storage/{bucket.slug}/…, where files are read and
        uploaded with tokens. Without a rule, the origins of the project’s settings hold. The first
        rule that covers a request decides. Rules never allow cookies.
      </p>
      <CorsForm key={saved} bucket={bucket} isReadOnly={!mayWrite} />
    </Panel>
  );
}

interface CorsFormProps {
  readonly bucket: Bucket;
  readonly isReadOnly: boolean;
}

function CorsForm({ bucket, isReadOnly }: CorsFormProps): ReactNode {
  const { ref } = useProject();
  const queryClient = useQueryClient();
  const [drafts, setDrafts] = useState(() => draftsOf(bucket.cors));
  const [isTried, setTried] = useState(false);
  const saving = useMutation({
    mutationFn: (rules: ProjectSchemas['CorsRuleBody'][]) => saveCors(ref, bucket.slug, rules),
    async onSuccess() {
      await refreshFiles(queryClient, ref);
      showToast({ kind: 'done', text: 'The rules are saved.' });
    },
  });
  const isChanged = JSON.stringify(drafts) !== JSON.stringify(draftsOf(bucket.cors));
  const change = (index: number, next: Partial<CorsDraft>): void =>
    setDrafts(drafts.map((draft, at) => (at === index ? { ...draft, ...next } : draft)));
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setTried(true);
    if (drafts.some(lacksMethods)) return;
    saving.mutate(drafts.map(ruleOf));
  };
  return (
    <form onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {drafts.length === 0 && <p className="text-[14px]">There is no rule.</p>}
      <fieldset disabled={isReadOnly} className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <legend className="sr-only">Rules</legend>
        {drafts.map((draft, index) => (
          <RuleFields
            key={index}
            number={index + 1}
            draft={draft}
            isTried={isTried}
            onChange={(next) => change(index, next)}
            onRemove={
              isReadOnly ? undefined : () => setDrafts(drafts.filter((_, at) => at !== index))
            }
          />
        ))}
      </fieldset>
      <ProblemNotice of={saving.error} />
      {!isReadOnly && (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setDrafts([...drafts, emptyDraft])}>
            <Plus aria-hidden className="size-4" />
            Add a rule
          </Button>
          <Button type="submit" look="primary" disabled={!isChanged} busy={saving.isPending}>
            Save the rules
          </Button>
        </div>
      )}
    </form>
  );
}

interface RuleFieldsProps {
  readonly number: number;
  readonly draft: CorsDraft;
  /** Saving was tried: what is missing is said. */
  readonly isTried: boolean;
  readonly onChange: (next: Partial<CorsDraft>) => void;
  /** Absent: the rules cannot be changed. */
  readonly onRemove: (() => void) | undefined;
}

function RuleFields(props: RuleFieldsProps): ReactNode {
  const { number, draft, isTried, onChange, onRemove } = props;
  const problemId = useId();
  const isWithoutMethods = isTried && lacksMethods(draft);
  return (
    <section
      aria-label={`Rule ${number}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-md border border-line p-3"
    >
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-[14px] font-semibold">Rule {number}</h3>
        {onRemove && (
          <Button size="small" aria-label={`Remove rule ${number}`} onClick={onRemove}>
            <Trash2 aria-hidden className="size-3.5" />
            Remove
          </Button>
        )}
      </div>
      <Field
        label="Origins"
        value={draft.origins}
        placeholder="https://app.example.org, https://*.example.org"
        hint="With commas between them; * for every origin."
        onChange={(event) => onChange({ origins: event.currentTarget.value })}
        required
        spellCheck={false}
      />
      <fieldset
        className="grid gap-1.5"
        aria-describedby={isWithoutMethods ? problemId : undefined}
      >
        <legend className="text-[13px] font-semibold">Methods</legend>
        <div className="flex flex-wrap gap-x-4 gap-y-1.5">
          {methods.map((method) => (
            <label key={method} className="flex items-center gap-2 text-[14px]">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={draft.methods.includes(method)}
                onChange={(event) =>
                  onChange({
                    methods: methods.filter((each) =>
                      each === method ? event.currentTarget.checked : draft.methods.includes(each),
                    ),
                  })
                }
              />
              {method}
            </label>
          ))}
        </div>
        {isWithoutMethods && (
          <p id={problemId} role="alert" className="text-[13px] text-danger">
            Choose at least one method, or remove the rule.
          </p>
        )}
      </fieldset>
      <div className="grid gap-3 sm:grid-cols-3">
        <Field
          label="Headers that pages may send"
          value={draft.allowedHeaders}
          placeholder="x-bucket-token"
          onChange={(event) => onChange({ allowedHeaders: event.currentTarget.value })}
          spellCheck={false}
        />
        <Field
          label="Headers that pages may read"
          value={draft.exposedHeaders}
          placeholder="etag"
          onChange={(event) => onChange({ exposedHeaders: event.currentTarget.value })}
          spellCheck={false}
        />
        <Field
          label="Remembered for (seconds)"
          type="number"
          required
          min={0}
          max={86_400}
          value={draft.maxAgeSeconds}
          onChange={(event) => onChange({ maxAgeSeconds: event.currentTarget.value })}
        />
      </div>
    </section>
  );
}
