import { pollDepositsNow } from '#features/payments/deposits/deposits.jobs.ts'
import { findDepositId, makeDepositDue } from '#features/payments/deposits/deposits.sql.ts'
import { lookReasons } from '#features/payments/deposits/mails.rules.ts'
import { payments } from '#features/payments/payments.contract.ts'
import { paymentRows } from '#features/payments/payments.sql.ts'
import {
  compareDeposits,
  compareTransfers,
  depositKey,
  differ,
  namedOrder,
  soughtFor,
  withCandidates,
} from '#features/reconciliation/differences.rules.ts'
import { readStatement, type StatementLine, tooManyRows } from '#features/reconciliation/lines.rules.ts'
import {
  mostDifferences,
  mostRows,
  reconciliation,
  type StatementSource,
} from '#features/reconciliation/reconciliation.contract.ts'
import {
  listDoubts,
  listNamed,
  listOrders,
  listRecorded,
} from '#features/reconciliation/reconciliation.sql.ts'
import { statements } from '#features/reconciliation/statements.rules.ts'
import type { Stray } from '#features/reconciliation/strays/strays.contract.ts'
import { listCandidates, listStraysNamed } from '#features/reconciliation/strays/strays.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, invalidField } from '#server/errors.ts'
import { readTable } from '#server/files/read-table.ts'
import type { Api } from '#server/http/endpoint.ts'
import { authorOf, getRow } from '#server/writes.ts'
import type { TableBatch } from '#shared/csv/table.ts'

/** Age (ms) from which an unfinished payment is doubtful. */
const doubtfulAfterMs = 15 * 60_000
const mostFaults = 50

export function reconciliationRoutes(api: Api, db: Db, clock: () => Date): void {
  api.on(reconciliation.doubts, async () => {
    const { rows, total } = await listDoubts(db, new Date(clock().getTime() - doubtfulAfterMs))
    const differences = rows.map(({ state, failureCode, payment }) => {
      if (state !== 'review') return differ('silent', { payment })
      const why = lookReasons[failureCode ?? '']
      return differ('contradictory', { payment, ...(why && { why }) })
    })
    return { differences, total }
  })

  api.on(reconciliation.compare, async ({ query, body }) => {
    const { lines, leaving, faults } = readStatement(await batchesOf(body.file, query.source), query.source)
    if (lines.length === 0 && leaving === 0) {
      const [first] = faults
      throw invalidField(
        'file',
        first
          ? `Aucune ligne de ce relevé ne se lit. Ligne ${first.number}\u00a0: ${first.reason}`
          : 'Ce relevé n’a aucune ligne.',
      )
    }
    const compared =
      query.source === 'bank' ? await toTransfers(lines) : await toDeposits(query.source, lines)
    const days = lines.map(({ day }) => day).sort()
    return {
      differences: compared.differences.slice(0, mostDifferences),
      total: compared.differences.length,
      read: lines.length + leaving + faults.length,
      matched: compared.matched,
      ignored: compared.ignored + leaving,
      from: days[0] ?? null,
      to: days.at(-1) ?? null,
      faults: faults.slice(0, mostFaults),
      faultCount: faults.length,
    }
  })

  api.on(reconciliation.ask, async (call) => {
    const { id } = call.params
    await inTransaction(db, async (tx) => {
      const { status } = await getRow(tx, { ...payments, find: paymentRows.find }, id)
      const depositId = await findDepositId(tx, id)
      if (depositId === undefined)
        throw new AppError(
          'conflict',
          'Ce paiement ne passe par aucun opérateur\u00a0: il n’y a personne à interroger.',
        )
      const reference = call.body.reference ?? undefined
      await makeDepositDue(tx, { depositId, reference }, clock())
      await pollDepositsNow(tx)
      const after = { status, reference }
      await insertAudit(tx, authorOf(call), { action: 'ask', entity: 'payments', entityId: id, after })
    })
    return { message: 'L’opérateur est interrogé. Sa réponse arrive en quelques secondes.' }
  })

  async function toDeposits(provider: Stray['provider'], lines: readonly StatementLine[]) {
    const named = {
      keys: lines.flatMap(({ id }) => depositKey(id) ?? []),
      references: lines.flatMap(({ reference }) => reference || []),
      attached: lines.map(({ key }) => key),
    }
    const ours = await listNamed(db, provider, named, periodOf(lines))
    const compared = compareDeposits(lines, ours, await listStraysNamed(db, provider, named.attached))
    return withCandidates(compared, await listCandidates(db, soughtFor(compared)))
  }

  async function toTransfers(lines: readonly StatementLine[]) {
    const days = lines.map(({ day }) => day).sort()
    const [from, to] = [days[0], days.at(-1)]
    const references = lines.map(({ reference }) => reference)
    return compareTransfers(lines, {
      orders: await listOrders(
        db,
        lines.flatMap((line) => namedOrder(line) ?? []),
      ),
      recorded: await listRecorded(db, references, from && to ? { from, to } : null),
    })
  }
}

function periodOf(lines: readonly StatementLine[]): { from: string; to: string } | null {
  const from = lines.map((line) => line.from).sort()[0]
  const to = lines
    .map((line) => line.to)
    .sort()
    .at(-1)
  return from && to ? { from, to } : null
}

async function batchesOf(file: File, source: StatementSource): Promise<TableBatch[]> {
  const batches: TableBatch[] = []
  let rows = 0
  async function* bytes() {
    yield new Uint8Array(await file.arrayBuffer())
  }
  for await (const batch of readTable(bytes(), statements[source].table)) {
    rows += batch.rows.length
    if (rows > mostRows) throw invalidField('file', tooManyRows)
    batches.push(batch)
  }
  return batches
}
