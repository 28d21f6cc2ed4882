import { pricesPerMessage, type WebhookEvent } from '#features/webhooks/webhooks.rules.ts'

type Values = Readonly<Record<string, unknown>>

/** An entry of the journal that may become a message. */
export type Entry = {
  action: string
  entity: string
  id: number | null
  before: Values | null
  after: Values | null
}

/** The events that an entry of the journal stands for. */
export type WebhookNews =
  | { of: 'price'; event: WebhookEvent; price: Values }
  | {
      of: 'import'
      event: WebhookEvent
      importId: number
      which: 'added' | 'revised' | 'removed'
      count: number
    }
  | { of: 'subscription'; event: WebhookEvent; subscriptionId: number; last: Values | null }

const priceEvents: Record<string, WebhookEvent> = {
  create: 'price.created',
  update: 'price.revised',
  delete: 'price.deleted',
}

/** What one entry means: nothing, one thing, or what was added and what was revised. */
export function newsOf({ action, entity, id, before, after }: Entry): WebhookNews[] {
  if (entity === 'prices') {
    const event = priceEvents[action]
    const price = after ?? before
    if (event && id !== null && price) {
      const former = action === 'update' && before ? { former: pick(before, ['priceValue', 'currency']) } : {}
      return [{ of: 'price', event, price: { ...shownPrice(price), ...former } }]
    }
    if (action === 'import') return ofImport(after, 'price.created')
    return action === 'undo import' ? ofImport(before, 'price.deleted') : []
  }
  if (entity === 'subscriptions' && id !== null) {
    const event = action === 'create' ? 'subscription.created' : 'subscription.updated'
    return [{ of: 'subscription', event, subscriptionId: id, last: action === 'delete' ? before : null }]
  }
  const paidFor = entity === 'payments' ? Number(after?.subscriptionId) : 0
  return paidFor > 0 && after?.status !== 'PENDING'
    ? [{ of: 'subscription', event: 'subscription.updated', subscriptionId: paidFor, last: null }]
    : []
}

function ofImport(values: Values | null, added: WebhookEvent): WebhookNews[] {
  const importId = Number(values?.importId)
  if (!(importId > 0)) return []
  const isUndone = added === 'price.deleted'
  const of = (event: WebhookEvent, count: unknown, which: 'added' | 'revised' | 'removed') =>
    Number(count) > 0 ? [{ of: 'import' as const, event, importId, which, count: Number(count) }] : []
  return [
    ...of(added, values?.added, isUndone ? 'removed' : 'added'),
    ...of('price.revised', values?.revised, 'revised'),
  ]
}

/** Prices of the same event that follow each other go together, so many in a message. */
export function batched(news: readonly WebhookNews[]): (Exclude<WebhookNews, { of: 'price' }> | Batch)[] {
  const batches: (Exclude<WebhookNews, { of: 'price' }> | Batch)[] = []
  for (const each of news) {
    if (each.of !== 'price') {
      batches.push(each)
      continue
    }
    const last = batches.at(-1)
    const fits = last?.of === 'prices' && last.event === each.event && last.prices.length < pricesPerMessage
    if (fits) last.prices.push(each.price)
    else batches.push({ of: 'prices', event: each.event, prices: [each.price] })
  }
  return batches
}

type Batch = { of: 'prices'; event: WebhookEvent; prices: Values[] }

/** A price as messages show it: who collected it is nobody's business there. */
function shownPrice(price: Values): Values {
  return {
    ...pick(price, [
      ...['id', 'productId', 'marketId', 'priceValue', 'currency', 'source', 'flag'],
      ...['collectedAt', 'observedOn', 'createdAt', 'updatedAt'],
    ]),
    product: pick(Object(price.product), ['id', 'name', 'code']),
    market: pick(Object(price.market), ['id', 'name']),
  }
}

function pick(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(names.map((name) => [name, values[name] ?? null]))
}
