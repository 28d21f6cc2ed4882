// The cost of the same work without our code: a Fastify of two lines on the same driver. Arguments: a JSON of its
// options. Prints its address.

import Fastify from 'fastify'
import { openPool, type PoolOptions } from '#server/db/pool.ts'

export type Statement = { sql: string; parameters: readonly unknown[] }
export type BareProgramOptions = {
  connection: PoolOptions['connection']
  /** Statements that GET /read runs one after the other; `write` is the one of POST /write. */
  reads: Statement[]
  write: Statement
}

// Our own caller passes what the type says.
const { connection, reads, write } = JSON.parse(process.argv[2] ?? '') as BareProgramOptions
const pool = openPool({ connection })
const run = async ({ sql, parameters }: Statement) => (await pool.query(sql, [...parameters])).rows
const http = Fastify()
http.get('/read', async () => {
  const answers: unknown[] = []
  for (const read of reads) answers.push(await run(read))
  return answers
})
http.post('/write', async () => run(write))
console.log(await http.listen({ port: 0, host: '127.0.0.1' }))
