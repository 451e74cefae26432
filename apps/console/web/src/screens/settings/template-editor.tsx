import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';

import { answer, projectApi, type ProjectSchemas } from '../../api/client.js';
import { curlOf } from '../../api/curl.js';
import type { JsonObject } from '../../api/json.js';
import { projectPath } from '../../api/place.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { Choice } from '../../ui/field.js';
import { Panel } from '../../ui/panel.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { useProject } from '../project/use-project.js';
import { FieldRow } from './field-row.js';
import { below, type LeafForm } from './form.js';
import { MailView } from './mail-view.js';
import { templatesQuery } from './queries.js';
import { useOpenForm } from './use-form.js';

type Kind = ProjectSchemas['PreviewMailBody']['kind'];

/** The texts of one kind of mail, its variables, and what the mail would say. */
export default function TemplateEditor(): ReactNode {
  const { ref } = useProject();
  const { group, draft, value, set } = useOpenForm();
  const { data, error, refetch } = useQuery(templatesQuery(ref));
  const { mail, field = '' } = useSearch({ from: '/signed-in/projects/$ref/settings/$part' });
  const navigate = useNavigate();
  const wanted = mail ?? field.split('.', 1)[0];
  const chosen = data?.kinds.find(({ kind }) => kind === wanted) ?? data?.kinds[0];
  if (!chosen) {
    return error ? (
      <ProblemNotice of={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton className="w-64" />
    );
  }
  const { kind, variables, needs } = chosen;
  const defaults: JsonObject = chosen.defaults;
  const object = group.fields.find((each) => each.name === kind);
  const fields = object?.kind === 'object' ? object.fields.filter(isLeaf) : [];
  const texts = Object.fromEntries(
    fields.flatMap(({ name }) => {
      const text = value(below(kind, name));
      return typeof text === 'string' ? [[name, text] as const] : [];
    }),
  );
  const changed = (name: string): boolean =>
    [...draft.keys()].some((path) => path.startsWith(`${name}.`));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-2">
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
        <Choice
          label="Mail"
          value={kind}
          hint={chosen.help}
          onChange={({ currentTarget }) =>
            void navigate({
              to: '.',
              search: (before) => ({ ...before, mail: currentTarget.value, field: undefined }),
              replace: true,
              resetScroll: false,
            })
          }
        >
          {data?.kinds.map((each) => (
            <option key={each.kind} value={each.kind}>
              {each.title}
              {changed(each.kind) ? ' (not saved)' : ''}
            </option>
          ))}
        </Choice>
        {fields.map((each) => {
          const path = below(kind, each.name);
          const text = defaults[each.name];
          return (
            <div key={path} className="grid grid-cols-[minmax(0,1fr)] gap-1">
              <FieldRow field={each} path={path} placeholder="The text of the product" />
              {typeof text === 'string' && value(path) === undefined && (
                <Button
                  look="quiet"
                  size="small"
                  className="ml-3 justify-self-start"
                  aria-label={`Begin with the text of the product: ${each.label}`}
                  onClick={() => set(path, text)}
                >
                  Begin with the text of the product
                </Button>
              )}
            </div>
          );
        })}
        <Panel title="Variables">
          <p className="text-[13px] text-soft">
            {needs.length > 0 &&
              `The text and the HTML must each have ${needs.map((any) => any.join(' or ')).join(', and ')}. `}
            Words that need a variable which a mail may lack are put between {'{{# name }}'} and{' '}
            {'{{/ name }}'}: they appear if the variable has a value.
          </p>
          <ul className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
            {variables.map(({ name, holds, required }) => (
              <li key={name} className="flex items-start gap-1 text-[13px]">
                <CopyButton text={`{{ ${name} }}`} what={`the variable ${name}`} />
                <span className="min-w-0 py-1.5 break-words">
                  <code className="font-semibold">{name}</code>
                  <span className="block text-soft">
                    {holds}
                    {required ? '' : '; not in every mail'}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </Panel>
      </div>
      <div className="xl:sticky xl:top-18 xl:self-start">
        <Preview kind={kind} texts={texts} />
      </div>
    </div>
  );
}

const isLeaf = (field: { readonly kind: string }): field is LeafForm =>
  field.kind !== 'object' && field.kind !== 'entries';

const pauseMs = 400;

interface PreviewProps {
  readonly kind: Kind;
  readonly texts: Readonly<Record<string, string>>;
}

/** The mail with the values of examples, as it is typed. */
function Preview({ kind, texts }: PreviewProps): ReactNode {
  const { ref } = useProject();
  const body = usePaused({ kind, template: texts });
  const { data, error } = useQuery({
    queryKey: ['projects', ref, 'settings', 'preview', body],
    queryFn: () => answer(projectApi(ref).POST('/api/admin/settings/email/preview', { body })),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
    retry: false,
  });
  return (
    <Panel
      title="Preview"
      side={
        <CopyButton
          text={curlOf({
            method: 'POST',
            path: projectPath(ref, '/api/admin/settings/email/preview'),
            body,
          })}
          what="as curl: the preview"
        >
          Copy as curl
        </CopyButton>
      }
    >
      <ProblemNotice of={error} effect="The mail could not be stored like this." />
      {data && !error && <MailView {...data} />}
      {!data && !error && <Skeleton className="w-56" />}
    </Panel>
  );
}

/** A value of JSON once it has not changed for a moment. */
function usePaused<Value>(value: Value): Value {
  const [paused, setPaused] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setPaused(value), pauseMs);
    return () => window.clearTimeout(timer);
    // The value is another object in each render.
  }, [text]);
  return paused;
}
