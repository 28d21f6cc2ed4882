import { sql } from 'kysely'
import type { JournalFault } from '#features/journal/journal.contract.ts'
import type { Db } from '#server/db/pool.ts'

type Found = {
  links: number
  erased: number
  head: Buffer
  entryId: number | null
  fault: JournalFault | null
}

/** Number of links checked by one statement. */
const lookedAtTogether = 20_000

/**
 * Adds entries to the chain.
 * @param behind how many of the last links are searched for entries whose transactions committed late
 * @returns how many were added
 */
export async function linkEntries(tx: Db, most: number, behind: number): Promise<number> {
  const { rows } = await sql<{ linked: number }>`
    select link_audit(${most}::int4, ${behind}::int4) as linked`.execute(tx)
  return rows[0]?.linked ?? 0
}

/**
 * Recomputes every link, until the first fault: an entry that differs from its link (`altered`) or is gone (`missing`),
 * links that do not follow each other or end before the last check did (`cut`), or an entry older than an hour without
 * a link (`unlinked`).
 * @returns undefined when `signal` interrupted it
 */
export async function checkChain(db: Db, signal?: AbortSignal): Promise<Found | undefined> {
  const { rows } = await sql<{ last: number; head: Buffer | null; is_cut: boolean }>`
    select coalesce(max(position), 0)::int8 as last,
           (select hash from audit_link order by position desc limit 1) as head,
           exists (select from (select head from audit_check where links > 0 order by id desc limit 1) last_check
                    where not exists (select from audit_link where hash = last_check.head)) as is_cut
      from audit_link`.execute(db)
  const { last = 0, head, is_cut = false } = rows[0] ?? {}
  const found: Found = {
    links: Number(last),
    erased: 0,
    head: head ?? Buffer.alloc(0),
    entryId: null,
    fault: is_cut ? 'cut' : null,
  }
  for (let from = 0; from < found.links && !found.fault; from += lookedAtTogether) {
    if (signal?.aborted) return undefined
    const part = await checkPart(db, from, Math.min(from + lookedAtTogether, found.links))
    found.erased += part.erased
    found.entryId = part.entry_id
    found.fault = part.fault
  }
  const { rows: newest } = await sql<{ id: number }>`
    select coalesce(max(id), 0)::int8 as id from audit_entry`.execute(db)
  for (let from = 0; from < Number(newest[0]?.id) && !found.fault; from += lookedAtTogether) {
    if (signal?.aborted) return undefined
    const { rows: left } = await sql<{ id: number }>`
      select e.id from audit_entry e left join audit_link l on l.entry_id = e.id
       where e.id > ${from}::int8 and e.id <= ${from + lookedAtTogether}::int8
         and l.entry_id is null and e.at < now() - interval '1 hour' limit 1`.execute(db)
    if (left[0]) Object.assign(found, { entryId: left[0].id, fault: 'unlinked' })
  }
  return found
}

type Part = { erased: number; entry_id: number | null; fault: JournalFault | null }

async function checkPart(db: Db, after: number, upTo: number): Promise<Part> {
  const { rows } = await sql<Part>`
    with looked as materialized (
      select l.position, l.entry_id, l.salt is null as is_erased,
             case
               when l.position > 1 and former.hash is null then 'cut'
               when e.id is null then 'missing'
               when l.hash <> sha256(coalesce(former.hash, '') || audit_facts(e) || l.values_digest)
                 or (l.salt is null and e.erased_at is null)
                 or l.values_digest <> sha256(l.salt || audit_values(e)) then 'altered'
             end as fault
        from audit_link l
        left join audit_link former on former.position = l.position - 1
        left join audit_entry e on e.id = l.entry_id
       where l.position > ${after}::int8 and l.position <= ${upTo}::int8)
    select (count(*) filter (where is_erased))::int as erased,
           case when count(*) < ${upTo}::int8 - ${after}::int8 then 'cut'
                else (array_agg(fault order by position) filter (where fault is not null))[1] end as fault,
           (array_agg(entry_id order by position) filter (where fault is not null))[1] as entry_id
      from looked`.execute(db)
  return rows[0]!
}

export async function insertCheck(db: Db, { links, erased, head, entryId, fault }: Found): Promise<void> {
  await db.insertInto('audit_check').values({ links, erased, head, entry_id: entryId, fault }).execute()
}

/** Returns the result of the last check of the whole chain. */
export async function findLastCheck(db: Db) {
  const { rows } = await sql<{
    at: string
    links: number
    erased: number
    head: string
    entryId: number | null
    fault: JournalFault | null
  }>`
    select at, links, erased, encode(head, 'hex') as head, entry_id as "entryId", fault
      from audit_check order by id desc limit 1`.execute(db)
  return rows[0] ?? null
}
