export {
  Outbox,
  type Deliverer,
  type DeliveryCounts,
  type OutboxParts,
  type Outcome,
} from './outbox.js';
export {
  deliveryConditions,
  deliveryRow,
  dropSource,
  insertDelivery,
  listDeliveries,
  reviveDelivery,
  sweepDeliveries,
  type DeliveryFilter,
  type DeliveryKind,
  type DeliveryRow,
  type DeliveryStatus,
  type NewDelivery,
  type OutboxQueries,
  type TakenDelivery,
} from './outbox-rows.js';
