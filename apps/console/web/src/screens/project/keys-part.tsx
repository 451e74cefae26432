import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { answer, api, type Schemas } from '../../api/client.js';
import { CopyField } from '../../ui/copy.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Time } from '../../ui/time.js';
import { keysQuery } from './queries.js';
import { SecretStep } from './secret-step.js';

type Kind = Schemas['NewKey']['kind'];
type NewKeys = Readonly<Partial<Record<Kind, string>>>;

interface KeysPartProps {
  readonly projectRef: string;
  /** The keys that were made in this dialog, which are shown once. */
  readonly made: NewKeys;
  readonly onMade: (kind: Kind, key: string) => void;
}

const titles: Readonly<Record<Kind, string>> = {
  publishable: 'Publishable key, for apps',
  secret: 'Secret key, for servers: it passes every policy',
};

/** The keys of the project. The server keeps their hashes, so an existing key is known by its last characters. */
export function KeysPart({ projectRef, made, onMade }: KeysPartProps): ReactNode {
  const queryClient = useQueryClient();
  const { data, error } = useQuery(keysQuery(projectRef));
  const make = async (kind: Kind): Promise<string> => {
    const call = { params: { path: { ref: projectRef } }, body: { kind } };
    const { key } = await answer(api.POST('/platform/projects/{ref}/keys', call));
    await queryClient.invalidateQueries({ queryKey: keysQuery(projectRef).queryKey });
    return key;
  };
  return (
    <section aria-label="Keys" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <ProblemNotice of={error} />
      {Object.values(made).length > 0 && (
        <Notice kind="warning">Copy the key now: it is not shown again.</Notice>
      )}
      {(['publishable', 'secret'] as const).map((kind) => {
        const key = made[kind];
        if (key !== undefined) return <CopyField key={kind} label={titles[kind]} text={key} />;
        const known = data?.keys.filter((each) => each.kind === kind);
        return (
          <div key={kind} className="grid gap-1.5">
            <p className="text-[13px] font-semibold">{titles[kind]}</p>
            {known ? (
              <ul className="flex flex-wrap gap-x-4 gap-y-1 text-[13px] text-soft">
                {known.map(({ id, hint, createdAt, expiresAt }) => (
                  <li key={id}>
                    <code>…{hint}</code>, made <Time at={createdAt} />
                    {expiresAt !== null && (
                      <>
                        , ends <Time at={expiresAt} />
                      </>
                    )}
                  </li>
                ))}
              </ul>
            ) : (
              <Skeleton className="w-40" />
            )}
            <div>
              <SecretStep
                action={`Make another ${kind} key`}
                read={() => make(kind)}
                onRead={(text) => onMade(kind, text)}
              />
            </div>
          </div>
        );
      })}
    </section>
  );
}
