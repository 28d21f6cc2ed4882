// Follows deposits until it is killed. Arguments: a JSON of DepositsOptions. Prints « ready ».

import { depositTask } from '#features/payments/deposits/deposits.jobs.ts'
import { createPawapay } from '#features/payments/pawapay/pawapay.gateway.ts'
import { openDatabase, type PoolOptions } from '#server/db/pool.ts'
import { startJobs } from '#server/jobs/jobs.ts'
import { createLog } from '#server/log.ts'

export type DepositsOptions = { connection: PoolOptions['connection']; url: string; token: string }

const { connection, url, token } = JSON.parse(process.argv[2] ?? '') as DepositsOptions
const log = createLog('silent')
const { db } = await openDatabase({ connection })
const task = depositTask({
  ledger: { db, team: 'equipe@exemple.cd' },
  providers: [createPawapay({ url, token, log })],
  log,
  clock: () => new Date(),
})
startJobs({ db, connection, tasks: [task], log })
console.log('ready')
