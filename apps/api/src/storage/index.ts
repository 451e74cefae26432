export { findFile, getFile, parseLocator } from './core/locate.js';
export { requireRights } from './core/reservations.js';
export { takenError } from './core/taken-error.js';
export { getDeletable } from './files/delete-files.js';
