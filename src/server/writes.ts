import { constraintOf } from '#server/db/errors.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError, conflictingField, invalidField, notFound } from '#server/errors.ts'
import type { Call } from '#server/http/endpoint.ts'
import type { Endpoint } from '#shared/contract.ts'
import type { Noun } from '#shared/resource.ts'

/** What still refers to a row: `{ count: 3, one: 'produit', many: 'produits' }`. */
export type Use = { count: number; one: string; many: string }

/** PostgreSQL constraint → the field at fault and what to say. */
export type Constraints = Record<string, { field: string; message: string }>

/** Who asked, for the audit. */
export function authorOf(call: Pick<Call<Endpoint>, 'actor' | 'request'>) {
  return { actor: call.actor, requestId: call.request.id }
}

/** @throws AppError 409 when the version that the caller read is not the current one */
export function refuseStale(read: string | null | undefined, current: unknown): void {
  if (read && Date.parse(read) !== Date.parse(String(current))) {
    throw new AppError(
      'conflict',
      'Quelqu’un d’autre a modifié cette fiche entre-temps. Vérifiez ses changements avant d’enregistrer les vôtres.',
    )
  }
}

/** Runs a write; a broken unique constraint becomes a 409, any other named one a 400, both under their field. */
export async function explainConstraints<T>(constraints: Constraints, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const broken = constraintOf(error)
    const known = broken && constraints[broken.name]
    if (!known) throw error
    throw (broken.kind === 'unique' ? conflictingField : invalidField)(known.field, known.message)
  }
}

/**
 * Runs a deletion in a transaction, unless something refers to the row.
 *
 * @param uses counts what refers to it
 * @param deletion calls `refuseIfUsed` once it knows that the row is there
 * @throws AppError 409 that says by how many things the row is used
 */
export async function deleteUnlessUsed<T>(
  db: Db,
  uses: (from: Db) => Promise<Use[]>,
  deletion: (tx: Db, refuseIfUsed: () => Promise<void>) => Promise<T>,
): Promise<T> {
  try {
    return await inTransaction(db, (tx) => deletion(tx, async () => refuseUsed(await uses(tx))))
  } catch (error) {
    if (constraintOf(error)?.kind !== 'foreign-key') throw error
    // Somebody began to use it between the count and the delete, or something that is not counted refers to it.
    refuseUsed(await uses(db))
    throw new AppError('conflict', 'Suppression impossible\u00a0: d’autres données en dépendent.')
  }
}

function refuseUsed(uses: Use[]): void {
  const used = uses.filter(({ count }) => count > 0)
  if (used.length === 0) return
  const total = used.reduce((sum, { count }) => sum + count, 0)
  const list = used.map(({ count, one, many }) => `${count} ${count > 1 ? many : one}`).join(' et ')
  throw new AppError(
    'conflict',
    `Suppression impossible\u00a0: ${list} ${total > 1 ? 'en dépendent' : 'en dépend'}.`,
  )
}

/** @throws AppError 404 with the agreement of the noun */
export function missing({ one, gender }: Noun): never {
  const [pronoun, e] = gender === 'f' ? ['elle', 'e'] : ['il', '']
  throw notFound(`${one} introuvable\u00a0: ${pronoun} n’existe pas ou a été supprimé${e}.`)
}
