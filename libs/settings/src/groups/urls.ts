import { defineGroup } from '../define-group.js';
import { list, text } from '../field.js';

export const urls = defineGroup('auth.urls', {
  title: 'URL configuration',
  help:
    'Where your application lives. Pages of these origins may use session cookies, and a sign-in redirects ' +
    'to these addresses only. Pages of other origins may still call the API without cookies.',
  rebuilds: ['auth', 'http'],
  fields: {
    siteUrl: text({
      label: 'Site URL',
      help: 'The address of your application, such as https://app.example.com.',
      format: 'url',
      maxLength: 2000,
    }),
    redirectUrls: list({
      label: 'Further addresses',
      help:
        'Previews, other domains, apps: https://*.example.com, http://localhost:*, myapp://callback. ' +
        'Only scheme, host and port of a web address count.',
      format: 'redirect-url',
      default: [],
      maxItems: 100,
      maxLength: 2000,
    }),
  },
});
