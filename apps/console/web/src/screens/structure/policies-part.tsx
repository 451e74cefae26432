import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { SchemaTable, TableDetails } from '../project/schema.js';
import { useProject } from '../project/use-project.js';
import { ObjectList } from './object-list.js';
import { useTableDetails } from './use-structure.js';

/** The policies of a table, and what the roles of requests may do with it at all. */
export function PoliciesPart({ table }: { readonly table: SchemaTable }): ReactNode {
  const { ref } = useProject();
  const { data, error, refetch } = useTableDetails(table.name);
  return (
    <>
      <ObjectList
        title="Policies"
        empty={
          table.hasRls
            ? 'No policy yet: requests of apps reach no row of the table.'
            : 'Row level security is off: requests reach every row that their role has rights on.'
        }
        side={
          <Link
            to="/projects/$ref/policies"
            params={{ ref }}
            className="rounded-sm text-[14px] font-medium text-accent hover:underline"
          >
            Edit policies
          </Link>
        }
        objects={data?.policies.map((policy) => ({
          name: policy.name,
          marks: [
            policy.command,
            ...policy.roles.map((role) => (role === 'public' ? 'every role' : role)),
            ...(policy.isPermissive ? [] : ['restrictive']),
          ],
          code: [
            ...(policy.using === null ? [] : [`USING ${policy.using}`]),
            ...(policy.check === null ? [] : [`WITH CHECK ${policy.check}`]),
          ].join('\n'),
          note: policy.comment ?? undefined,
        }))}
        error={error}
        onRetry={() => void refetch()}
      />
      {data && <Grants of={data} />}
    </>
  );
}

function Grants({ of: { grants } }: { readonly of: TableDetails }): ReactNode {
  const roles = ['anon', 'authenticated', 'service_role'] as const;
  return (
    <ObjectList
      title="Rights of roles"
      empty=""
      objects={roles.map((role) => ({
        name: role,
        code: '',
        note: grants[role].length === 0 ? 'None' : grants[role].join(', '),
      }))}
      error={null}
      onRetry={() => undefined}
    />
  );
}
