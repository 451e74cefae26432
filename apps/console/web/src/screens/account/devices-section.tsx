import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Time } from '../../ui/time.js';
import { deviceName } from './device-name.js';
import { devicesQuery, forgetDevice, useChange } from './queries.js';
import { Row, Rows, Section } from './section.js';

const noDevice = 'None. Tick “Trust this device” at the second step of a sign-in to add one.';

export function DevicesSection(): ReactNode {
  const { data, error } = useQuery(devicesQuery);
  const forgetting = useChange(forgetDevice);
  return (
    <Section title="Trusted devices" about="They skip the second step for 30 days after a sign-in.">
      <ProblemNotice of={forgetting.error} />
      {!data && error && <ProblemNotice of={error} />}
      {!data && !error && (
        // The place of the answer for most operators.
        <p aria-hidden className="skeleton w-fit text-transparent select-none">
          {noDevice}
        </p>
      )}
      {data?.length === 0 && <p className="text-soft">{noDevice}</p>}
      {data !== undefined && data.length > 0 && (
        <Rows>
          {data.map((device) => (
            <Row
              key={device.id}
              title={deviceName(device.userAgent)}
              about={
                <>
                  {device.ip ?? 'unknown address'} · used <Time at={device.lastUsedAt} /> · trust
                  ends <Time at={device.expiresAt} />
                </>
              }
              action={
                <Button
                  size="small"
                  aria-label={`Stop trusting ${deviceName(device.userAgent)}`}
                  onClick={() => forgetting.mutate(device.id)}
                >
                  Stop trusting
                </Button>
              }
            />
          ))}
        </Rows>
      )}
    </Section>
  );
}
