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

/** An event that follows from a journal entry. */
export type WebhookNews =
  | { of: 'price'; event: WebhookEvent; price: Values }
  | {
      of: 'many'
      event: WebhookEvent
      importId: number | null
      /** The prices that the import added or revised, or those with these ids. */
      which: 'added' | 'revised' | { ids: readonly number[] }
      count: number
    }
  | { of: 'subscription'; event: WebhookEvent; subscriptionId: number; last: Values | null }

const priceEvents: Record<string, WebhookEvent> = {
  create: 'price.created',
  update: 'price.revised',
  delete: 'price.deleted',
}

/** The action on its price of a decision about a doubtful one. */
const decisions: Record<string, string> = { corrected: 'update', rejected: 'delete' }

/** Returns the events of an entry: none, one, or one for added and one for revised prices. */
export function newsOf({ action, entity, id, before, after }: Entry): WebhookNews[] {
  if (entity === 'reviews') {
    const decided = decisions[String(after?.state)]
    return decided ? newsOf({ action: decided, entity: 'prices', id, before, after }) : []
  }
  if (entity === 'prices') {
    // The import's own entry counts it.
    if (action === 'update' && after?.importId) return []
    const event = priceEvents[action]
    // After a rejection the change contains the decision, not the price.
    const price = action === 'delete' ? before : (after ?? before)
    if (event && id !== null && price) {
      const former = action === 'update' && before ? { former: pick(before, ['priceValue', 'currency']) } : {}
      return [{ of: 'price', event, price: { ...shownPrice(price), ...former } }]
    }
    if (action === 'import') return ofImport(after)
    if (action !== 'undo import') return []
    const { importId } = Object(before)
    return [
      ...ofMany('price.deleted', after?.prices, { importId, which: { ids: idsIn(after) } }),
      ...ofMany('price.revised', after?.revised, { importId, which: 'revised' }),
    ]
  }
  // A merge moves the prices of one product to another.
  if (entity === 'products' && action === 'merge') {
    return ofMany('price.revised', after?.prices, { importId: null, which: { ids: idsIn(after) } })
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

function ofImport(values: Values | null): WebhookNews[] {
  const importId = Number(values?.importId)
  if (!(importId > 0)) return []
  return [
    ...ofMany('price.created', values?.addedPrices, { importId, which: 'added' }),
    ...ofMany('price.revised', values?.revisedPrices, { importId, which: 'revised' }),
  ]
}

type Many = Extract<WebhookNews, { of: 'many' }>

function ofMany(event: WebhookEvent, counted: unknown, which: Pick<Many, 'importId' | 'which'>): Many[] {
  const count = Number(counted)
  return count > 0 ? [{ of: 'many', event, count, ...which }] : []
}

function idsIn(values: Values | null): readonly number[] {
  return Array.isArray(values?.priceIds) ? values.priceIds.map(Number) : []
}

/** Groups consecutive prices of the same event, up to `pricesPerMessage` in a message. */
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

/** Returns a price as messages show it, without its collector. */
function shownPrice(price: Values): Values {
  return {
    ...pick(price, [
      'id',
      'productId',
      'marketId',
      'priceValue',
      'currency',
      'source',
      'flag',
      'collectedAt',
      'observedOn',
      'createdAt',
      'updatedAt',
    ]),
    product: pick(Object(price.product), ['id', 'name', 'code']),
    market: pick(Object(price.market), ['id', 'name']),
  }
}

function pick(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(names.map((name) => [name, values[name] ?? null]))
}
