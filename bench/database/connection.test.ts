import { expect, test } from 'vitest';
import { urlOfLogin, variablesOf } from './connection.js';

test.each(['/tmp/a folder/run', 'db.example.com'])('variables name the host %s', (host) => {
  const url = urlOfLogin({ host, port: 6432, database: 'p_x' }, { user: 'u', password: 'p-_w' });
  expect(variablesOf(url)).toEqual({
    PGHOST: host,
    PGPORT: '6432',
    PGUSER: 'u',
    PGPASSWORD: 'p-_w',
    PGDATABASE: 'p_x',
  });
});
