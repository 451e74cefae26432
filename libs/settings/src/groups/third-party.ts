import { defineGroup } from '../define-group.js';
import { choice, entries, flag, text } from '../field.js';

export const thirdParty = defineGroup('auth.thirdParty', {
  title: 'Tokens of other issuers',
  help: 'Users of another identity service call the API with tokens that it has signed.',
  rebuilds: ['auth', 'http'],
  isReported: true,
  fields: {
    enabled: flag({ label: 'Enabled', default: false }),
    issuers: entries({
      label: 'Issuers',
      key: 'name',
      maxItems: 20,
      fields: {
        name: text({ label: 'Name', format: 'id', maxLength: 64 }),
        issuer: text({ label: 'Issuer', help: 'The claim iss.', format: 'url', maxLength: 500 }),
        jwksUrl: text({
          label: 'Key set',
          help: 'Empty: taken from the discovery document of the issuer.',
          format: 'url',
          maxLength: 500,
        }),
        audience: text({
          label: 'Audience',
          help: 'The claim aud that a token must have. Leave it empty only for an issuer that serves your applications alone.',
          maxLength: 500,
        }),
        emails: choice({
          label: 'Email addresses',
          help: 'Which addresses policies see: verified addresses, all, or none.',
          of: ['verified', 'all', 'none'],
          default: 'verified',
        }),
        organizationClaims: flag({
          label: 'Organization claims',
          help: 'Policies see org_id, org_role and team_id of the token. Off unless the issuer knows the organizations of this project.',
          default: false,
        }),
        appMetadata: flag({
          label: 'Metadata of the application',
          help: 'Policies see app_metadata of the token. Off unless the issuer decides what your policies read there.',
          default: false,
        }),
      },
    }),
  },
  required: ({ enabled }) => (enabled ? ['issuers'] : []),
  conflict: ({ issuers }) => {
    const index = issuers.findIndex(({ issuer }) => issuer === undefined);
    if (index !== -1) return { field: `issuers[${index}].issuer`, reason: 'is required' };
    const known = issuers.map(({ issuer }) => issuer);
    const twice = known.findIndex((issuer, place) => known.indexOf(issuer) !== place);
    return twice === -1
      ? undefined
      : { field: `issuers[${twice}].issuer`, reason: 'is listed already' };
  },
});
