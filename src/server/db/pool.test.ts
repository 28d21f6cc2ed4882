import { connect, createServer, type Server, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../../tests/support/database.ts'
import { eventually } from '../../../tests/support/waiting.ts'
import { isStatementCancelled, isUnavailable } from './errors.ts'
import { type Db, openDatabase, openPool } from './pool.ts'
import { inTransaction } from './transaction.ts'

const { db, pool, connection } = await testDatabase()

test('values are returned in the types that JSON needs', async () => {
  const { rows } =
    await pool.query(`select 1234.50::numeric as price, 9007199254740991::int8 as big, '2026-01-31'::date as day,
    '2026-01-31 13:00:00.123456+01'::timestamptz as instant, null::timestamptz as never,
    '{"a": [1, null]}'::jsonb as json, '{1.5,null}'::numeric[] as prices, '{1,2}'::int8[] as ids,
    '{2026-01-31}'::date[] as days, '{2026-01-31 12:00:00+00}'::timestamptz[] as instants, '{a,"b c"}'::text[] as words`)
  expect(rows[0]).toEqual({
    price: 1234.5,
    big: 9007199254740991,
    day: '2026-01-31',
    instant: '2026-01-31T12:00:00.123Z',
    never: null,
    json: { a: [1, null] },
    prices: [1.5, null],
    ids: [1, 2],
    days: ['2026-01-31'],
    instants: ['2026-01-31T12:00:00.000Z'],
    words: ['a', 'b c'],
  })
})

test('an instant is the same whatever the time zone of the session', async () => {
  const client = await pool.connect()
  try {
    for (const zone of ['Africa/Lubumbashi', 'Asia/Kolkata', 'America/St_Johns']) {
      await client.query(`set time zone '${zone}'`)
      const { rows } = await client.query(`select '2026-07-14T10:00:00Z'::timestamptz as at`)
      expect(rows[0].at).toBe('2026-07-14T10:00:00.000Z')
    }
  } finally {
    client.release(true)
  }
})

test('a function that takes a Db also takes a transaction, and is rolled back with it', async () => {
  const insert = (on: Db) => on.insertInto('brand').values({ name: 'Simba', country: 'RDC' }).execute()
  await expect(
    db.transaction().execute(async (tx) => {
      await insert(tx)
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect(await db.selectFrom('brand').selectAll().execute()).toEqual([])
})

test('a statement that takes too long is cancelled', async () => {
  const impatient = openPool({ connection, statementTimeoutMs: 500 })
  onTestFinished(() => impatient.end())
  const error = await impatient.query('select pg_sleep(10)').catch((reason: unknown) => reason)
  expect(isStatementCancelled(error)).toBe(true)
  expect((await impatient.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('a transaction left open is ended, and its connection replaced', async () => {
  const impatient = openPool({ connection, idleInTransactionTimeoutMs: 50, max: 1 })
  onTestFinished(() => impatient.end())
  const client = await impatient.connect()
  const lost = new Promise((resolve) => client.once('end', resolve))
  await client.query('begin')
  await lost
  await expect(client.query('select 1')).rejects.toSatisfy(isUnavailable)
  client.release(true)
  expect((await impatient.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('connections ended by the server, idle or busy, are replaced without ending the process', async () => {
  const own = openPool({ connection, applicationName: 'victims' })
  onTestFinished(() => own.end())
  await Promise.all([own.query('select 1'), own.query('select 1')])
  const busy = own.query('select pg_sleep(10)').catch((reason: unknown) => reason)
  await eventually('the busy one is busy', async () => {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where application_name = 'victims' and state = 'active'`,
    )
    return rowCount === 1
  })
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'victims'`,
  )
  expect(await busy).toSatisfy(isUnavailable)
  // The other connection may be handed out once more before the pool notices that it has ended.
  await eventually('the pool is well again', () => own.query('select 1').then(Boolean, () => false))
})

test('with all connections in use, the next request is refused in time as unavailable', async () => {
  const small = openPool({ connection, max: 1, connectionTimeoutMs: 2_000 })
  const client = await small.connect()
  onTestFinished(() => {
    client.release()
    return small.end()
  })
  await expect(small.query('select 1')).rejects.toSatisfy(isUnavailable)
})

test('a server that stops answering is given up in time, and the next query gets a new connection', async () => {
  const { host } = connection
  const sockets = new Set<Socket>()
  let isSilent = false
  const port = await listen((socket) => {
    const upstream = connect(`${host}/.s.PGSQL.${connection.port}`).on('error', () => {})
    socket.on('data', (chunk) => isSilent || upstream.write(chunk)).on('close', () => upstream.destroy())
    upstream.on('data', (chunk) => isSilent || socket.write(chunk))
    sockets.add(socket)
  })
  const own = await openDatabase({
    connection: { ...connection, host: '127.0.0.1', port },
    statementTimeoutMs: 1_000,
    connectionTimeoutMs: 3_000,
    max: 1,
  })
  onTestFinished(own.close)
  for (const ask of [() => own.pool.query('select 1'), () => sql`select 1`.execute(own.db)]) {
    await ask()
    isSilent = true
    await expect(ask()).rejects.toSatisfy(isUnavailable)
    isSilent = false
    await eventually('the pool is well again', () => ask().then(Boolean, () => false))
  }
  // One connection for each time, and none of the silent ones is left.
  expect([...sockets].filter(({ destroyed }) => !destroyed)).toHaveLength(1)
})

test('closing waits for running statements', async () => {
  const own = await openDatabase({ connection })
  const running = own.pool.query('select pg_sleep(0.1), 1 as one')
  await own.close()
  expect((await running).rows).toMatchObject([{ one: 1 }])
})

const secret = 'motdepasse-secret'

test('a DATABASE_URL that does not answer is given up, and refused without its password', async () => {
  const port = await listen(() => {})
  const message = await refusal(`postgres://ntalo:${secret}@127.0.0.1:${port}/ntalo`)
  expect(message).toBe(
    `La base de données 127.0.0.1:${port}/ntalo est inaccessible : le serveur ne répond pas. Vérifiez DATABASE_URL et que PostgreSQL tourne.`,
  )
})

test('a DATABASE_URL that refuses connections says so', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  await new Promise((resolve) => server.close(resolve))
  for (const host of ['127.0.0.1', 'localhost']) {
    expect(await refusal(`postgres://ntalo:${secret}@${host}:${port}/ntalo`)).toContain(
      'la connexion est refusée',
    )
  }
})

test.each(['12/secret', '12?secret', '12#secret', 'a/secret', 'a@b/secret'])(
  'an error about a DATABASE_URL whose password %s is not encoded contains no part of it',
  async (password) => {
    const message = await refusal(`postgres://ntalo:${password}@127.0.0.1:9/ntalo`)
    expect(message).not.toContain('secret')
    expect(message).not.toMatch(/\b12\b/)
    expect(message).toContain('DATABASE_URL')
  },
)

test('the pool waits for a server that is starting', async () => {
  const body = Buffer.from(
    `${['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is starting up', ''].join('\0')}\0`,
  )
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(body.length + 4, 1)
  let asked = 0
  const port = await listen((socket) => {
    asked += 1
    if (asked <= 2) return socket.once('data', () => socket.end(Buffer.concat([head, body])))
    const upstream = connect(`${connection.host}/.s.PGSQL.${connection.port}`)
    socket.pipe(upstream).pipe(socket)
    for (const each of [socket, upstream]) each.on('error', () => {})
    return socket
  })
  const starting = { connection: { ...connection, host: '127.0.0.1', port } }
  const database = await openDatabase({ ...starting, startingMs: 60_000 })
  await database.close()
  expect(asked).toBe(3)
  asked = 0
  await expect(openDatabase(starting)).rejects.toThrow('le serveur est en train de démarrer')
})

test('a wrong password is recognised', async () => {
  const fields = ['SFATAL', 'VFATAL', 'C28P01', `Mpassword authentication failed: ${secret}`, ''].join('\0')
  const body = Buffer.from(`${fields}\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(body.length + 4, 1)
  const port = await listen((socket) => socket.once('data', () => socket.end(Buffer.concat([head, body]))))
  expect(await refusal(`postgres://ntalo:${secret}@127.0.0.1:${port}/ntalo`)).toContain(
    'le mot de passe est refusé',
  )
})

test('an invalid DATABASE_URL, and a database or a machine that does not exist, are reported as such', async () => {
  expect(await refusal(`mysql://ntalo:${secret}@localhost/ntalo`)).toContain(
    'n’est pas une adresse PostgreSQL',
  )
  expect(await refusal(`${secret}`)).toContain('n’est pas une adresse PostgreSQL')
  expect(await refusal(`postgres://ntalo:${secret}@machine.invalid/ntalo`)).toContain('le nom de la machine')
  const { host } = connection
  expect(await refusal(`postgres://ntalo:${secret}@/missing?host=${encodeURIComponent(host)}`)).toContain(
    'la base n’existe pas',
  )
})

async function refusal(url: string): Promise<string> {
  const error: unknown = await openDatabase({ connection: url, connectionTimeoutMs: 10_000 }).then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(inspect(error, { depth: 10 })).not.toContain(secret)
  return error instanceof Error ? error.message : String(error)
}

async function listen(onConnection: (socket: Socket) => void): Promise<number> {
  const server = createServer(onConnection)
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket.on('error', () => {})))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return portOf(server)
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

test('a connection to a read-only node is closed once it is released, and the next one is new', async () => {
  const own = await testDatabase({ max: 1 })
  const pidOf = async () =>
    (await own.pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
  const before = await pidOf()
  await own.pool.query('set default_transaction_read_only = on')
  await expect(own.pool.query('create table written (n int4)')).rejects.toSatisfy(isUnavailable)
  expect(await pidOf()).not.toBe(before)
  await own.pool.query('create table written (n int4)')
})

test('a transaction that met a read-only node is retried on the next connection', async () => {
  const own = await testDatabase({ max: 1 })
  await own.pool.query('create table written (n int4)')
  await own.pool.query('set default_transaction_read_only = on')
  let tries = 0
  await inTransaction(own.db, async (tx) => {
    tries += 1
    await sql`insert into written values (1)`.execute(tx)
  })
  expect([tries, (await own.pool.query('select from written')).rowCount]).toEqual([2, 1])
})

test.each([
  'postgresql://ntalo:secret@one.example:5432,two.example:5432/ntalo',
  'postgresql:///ntalo?host=one.example,two.example',
  'postgresql://ntalo@/ntalo?service=production',
])('%s is refused with what to write instead, without its password', async (connection) => {
  const refusal = await openDatabase({ connection }).catch((error: Error) => error.message)
  expect(refusal).toContain('une seule adresse')
  expect(refusal).not.toContain('secret')
})
