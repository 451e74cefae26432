import { defineGroup } from '../define-group.js';
import { integer } from '../field.js';

export const rest = defineGroup('api.rest', {
  title: 'REST API',
  help: 'How tables are served.',
  rebuilds: [],
  fields: {
    maxRows: integer({
      label: 'Most rows of an answer',
      help: 'Both the number of rows without a limit and the greatest limit.',
      default: 1000,
      clamp: [1, 1000],
    }),
  },
});
