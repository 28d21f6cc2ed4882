import type { Db } from '#server/db/pool.ts'

/** What is true of this database as a whole. */
export function getInstallation(db: Db) {
  return db.selectFrom('installation').select('has_demonstration_data').executeTakeFirstOrThrow()
}

/** From now on every screen says that its figures are made up. */
export async function markDemonstration(tx: Db): Promise<void> {
  await tx.updateTable('installation').set({ has_demonstration_data: true }).execute()
}
