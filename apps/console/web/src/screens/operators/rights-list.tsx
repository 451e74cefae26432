import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';

import { capabilityAbouts, capabilityNames, roleTitles } from './capabilities.js';
import { type Person, type Place, rightsAt, type Source } from './people.js';

interface RightsListProps {
  readonly person: Person;
  readonly place: Place;
  readonly organizationName: string;
}

/** What a person may do at a place now, and where each right comes from. */
export function RightsList({ person, place, organizationName }: RightsListProps): ReactNode {
  const rights = rightsAt(person, place);
  const isProject = place.ref !== null;
  return (
    <ul aria-label="Capabilities now" className="grid gap-1.5 text-[14px]">
      {capabilityNames.map((name) => {
        const sources = rights.get(name);
        const Icon = sources ? Check : Minus;
        return (
          <li key={name} className="flex items-start gap-2.5" title={capabilityAbouts[name]}>
            <Icon
              aria-hidden
              className={`mt-1 size-3.5 shrink-0 ${sources ? 'text-good' : 'text-soft'}`}
            />
            <span className="min-w-0">
              <code className={`text-[13px] ${sources ? '' : 'text-soft'}`}>{name}</code>{' '}
              <span className="text-[13px] break-words text-soft">
                {sources
                  ? sources.map((each) => inWords(each, { organizationName, isProject })).join('; ')
                  : 'no'}
              </span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function inWords(
  source: Source,
  { organizationName, isProject }: { organizationName: string; isProject: boolean },
): string {
  switch (source.kind) {
    case 'administrator':
      return 'as an administrator of the deployment';
    case 'organization':
      return `${roleTitles[source.role]} ${isProject ? `in the organization ${organizationName}` : 'here'}`;
    case 'project':
      return `${roleTitles[source.role]} on the project`;
  }
}
