import { untouchedText } from '#features/imports/created.rules.ts'
import { type ImportDependencies, importJob } from '#features/imports/import-job.jobs.ts'
import { activeStates, keptDays } from '#features/imports/imports.contract.ts'
import { failState, findStoredImport, forgetFiles, listStoredFiles } from '#features/imports/imports.sql.ts'
import { rejectedKey } from '#features/imports/rejected.jobs.ts'
import { dayMs } from '#shared/days.ts'

// A file that is still being uploaded has been modified more recently.
const abandonedUploadMs = dayMs

/** Ends imports whose job has died, and removes files that are no longer needed. */
export async function sweepImports(dependencies: ImportDependencies): Promise<void> {
  await endGivenUp(dependencies)
  await sweepFiles(dependencies)
}

/** Ends the imports whose attempts all ended with their process, so that none could store the failure. */
async function endGivenUp({ db }: ImportDependencies): Promise<void> {
  for (const { importId, actor } of await importJob.givenUp(db)) {
    const found = await findStoredImport(db, importId)
    if (!found || !activeStates.some((state) => state === found.state)) continue
    const failure = `Le serveur s’est arrêté à chaque essai. ${untouchedText(found.state)}.`
    await failState(db, found, failure, actor)
  }
}

/** Removes the files of imports that ended a week ago, and of uploads that never finished. */
async function sweepFiles({ db, files }: ImportDependencies): Promise<void> {
  for (const key of await forgetFiles(db, keptDays)) {
    await files.remove(key)
    await files.remove(rejectedKey(key))
  }
  const old = await files.listOlder(abandonedUploadMs)
  const keyOf = (name: string) => name.split('.')[0] ?? ''
  const referenced = await listStoredFiles(db, old.map(keyOf))
  for (const name of old) {
    if (name.endsWith('.unfinished') || !referenced.has(keyOf(name))) await files.remove(name)
  }
}
