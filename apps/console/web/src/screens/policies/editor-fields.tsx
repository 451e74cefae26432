import type { sql } from '@codemirror/lang-sql';
import type { ReactNode } from 'react';

import { CodeEditor } from '../../ui/code-editor.js';
import { Tick } from '../../ui/field.js';

interface ExpressionProps {
  readonly label: string;
  readonly value: string;
  readonly language: ReturnType<typeof sql>;
  readonly onChange: (text: string) => void;
}

/** An expression of SQL with its label. */
export function Expression({ label, value, language, onChange }: ExpressionProps): ReactNode {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
      <p className="text-[13px] font-semibold">{label}</p>
      <CodeEditor
        label={label}
        value={value}
        onChange={onChange}
        language={language}
        className="h-24"
      />
      {value.trim() === '' && (
        <p className="text-[13px] text-soft">
          For example <code className="font-mono text-[12px]">user_id = (select auth.uid())</code>
        </p>
      )}
    </div>
  );
}

const knownRoles = [
  { role: 'public', name: 'Everyone' },
  { role: 'anon', name: 'Visitors (anon)' },
  { role: 'authenticated', name: 'Signed-in users (authenticated)' },
] as const;

/** “Everyone” is all roles; roles of the project's own stay as they are. */
export function Roles({
  roles,
  onChange,
}: {
  readonly roles: readonly string[];
  readonly onChange: (roles: readonly string[]) => void;
}): ReactNode {
  const toggled = (role: string): readonly string[] => {
    if (roles.includes(role)) return roles.filter((one) => one !== role);
    return role === 'public' ? ['public'] : [...roles.filter((one) => one !== 'public'), role];
  };
  const others = roles.filter((role) => knownRoles.every((known) => known.role !== role));
  return (
    <fieldset className="grid content-start gap-1.5">
      <legend className="pb-1.5 text-[13px] font-semibold">Roles</legend>
      {[...knownRoles, ...others.map((role) => ({ role, name: role }))].map(({ role, name }) => (
        <Tick
          key={role}
          label={name}
          checked={roles.includes(role)}
          onChange={() => onChange(toggled(role))}
        />
      ))}
    </fieldset>
  );
}
