import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { useMay, useProject } from '../project/use-project.js';
import { enforcementQuery } from './queries.js';

/** Whether requests need a key, with the way to the setting. */
export function Enforcement(): ReactNode {
  const { ref } = useProject();
  const maySee = useMay('settings.manage');
  const { data } = useQuery({ ...enforcementQuery(ref), enabled: maySee });
  if (data === undefined) return null;
  return (
    <p className="text-[14px] text-soft">
      {data
        ? 'Every request needs a key of the project.'
        : 'Requests without a key are answered, too.'}{' '}
      <Link
        to="/projects/$ref/settings/$part"
        params={{ ref, part: 'security.keys' }}
        className="text-accent underline underline-offset-2"
      >
        Change this in the settings
      </Link>
    </p>
  );
}
