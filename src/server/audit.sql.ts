import type { Db } from '#server/db/pool.ts'
import type { Actor } from '#server/http/actor.ts'

/** Who asked, by which request, and from where. */
export type Author = {
  actor: (Pick<Actor, 'userId'> & Partial<Pick<Actor, 'name'>>) | null
  requestId: string | null
  address?: string | null
  userAgent?: string | null
}

type AuditEntry = {
  action: string
  entity: string
  entityId?: number | null
  before?: unknown
  after?: unknown
}

/** Writes who changed what, in the transaction that changes it. */
export async function insertAudit(tx: Db, author: Author, entry: AuditEntry): Promise<void> {
  await tx
    .insertInto('audit_entry')
    .values({
      user_id: author.actor?.userId ?? null,
      request_id: author.requestId,
      address: author.address ?? null,
      user_agent: author.userAgent ?? null,
      action: entry.action,
      entity: entry.entity,
      entity_id: entry.entityId ?? null,
      before: entry.before === undefined ? null : JSON.stringify(entry.before),
      after: entry.after === undefined ? null : JSON.stringify(entry.after),
    })
    .execute()
}
