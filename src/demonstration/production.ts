import { findPasswords } from '#demonstration/accounts.sql.ts'
import { accounts, demonstrationPassword } from '#demonstration/facts/people.ts'
import type { Db } from '#server/db/pool.ts'
import { getInstallation } from '#server/installation.sql.ts'
import { verifyPassword } from '#server/session/passwords.ts'

/**
 * Refuses to start production on made-up data, or with an account whose password is public.
 *
 * @throws Error in French that tells the operator what to do
 */
export async function assertNoDemonstration(db: Db): Promise<void> {
  const { has_demonstration_data } = await getInstallation(db)
  if (!has_demonstration_data && !(await hasPublicPassword(db))) return
  throw new Error(
    'Cette base de données a reçu la démonstration, dont les prix sont inventés et les mots de passe publics : NODE_ENV=production la refuse. Créez une base vide (createdb) et indiquez-la dans DATABASE_URL. Sans NODE_ENV=production, Ntalo démarre encore sur celle-ci, pour essayer ou pour en exporter ce qui est vrai.',
  )
}

async function hasPublicPassword(db: Db): Promise<boolean> {
  for (const hash of await findPasswords(
    db,
    accounts.map(({ email }) => email),
  )) {
    if (await verifyPassword(hash, demonstrationPassword)) return true
  }
  return false
}
