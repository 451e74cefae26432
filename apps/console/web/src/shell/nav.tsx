import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Network, ScrollText, UsersRound } from 'lucide-react';
import type { ReactNode } from 'react';

import { organizationsQuery } from '../screens/projects/queries.js';
import { Menu } from '../ui/menu.js';

/** The screens of the deployment, each for operators with its capability in an organization. */
const places = [
  { name: 'Operators', to: '/operators', Icon: UsersRound, capability: 'members.manage' },
  { name: 'Audit log', to: '/audit', Icon: ScrollText, capability: 'audit.read' },
] as const;

/** The ways to the screens of the deployment: links or, on a small page, a menu. */
export default function Nav(): ReactNode {
  const { data: organizations = [] } = useQuery(organizationsQuery);
  const navigate = useNavigate();
  const offered = places.filter((place) =>
    organizations.some(({ capabilities }) => capabilities.includes(place.capability)),
  );
  if (offered.length === 0) return null;
  return (
    <>
      <nav aria-label="Deployment" className="flex gap-1 max-md:hidden">
        {offered.map(({ name, to }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ includeSearch: false }}
            className="flex h-9 items-center rounded-md px-2.5 text-[14px] font-medium whitespace-nowrap text-soft hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
          >
            {name}
          </Link>
        ))}
      </nav>
      <span className="md:hidden">
        <Menu
          label="Deployment"
          icon={<Network aria-hidden className="size-4.5" />}
          entries={offered.map(({ name, to, Icon }) => ({
            name,
            icon: <Icon aria-hidden />,
            run: () => void navigate({ to }),
          }))}
        />
      </span>
    </>
  );
}
