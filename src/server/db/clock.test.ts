import { beforeEach, describe, expect, test } from 'vitest'
import { hourMs } from '#shared/days.ts'
import { testDatabase } from '../../../tests/support/database.ts'
import { assertClock } from './clock.ts'

const { pool } = await testDatabase()
const after = (hours: number) => new Date(Date.now() + hours * hourMs)

const write = (hours: number) =>
  pool.query(`insert into audit_entry (at, action, entity) values ($1, 'create', 'brands')`, [after(hours)])

const start = (hours: number, isAccepted = false) => assertClock(pool, { at: after(hours), isAccepted })

beforeEach(async () => {
  await pool.query(
    'update installation set clock_accepted_entry = (select coalesce(max(id), 0) from audit_entry)',
  )
})

describe('a clock', () => {
  test.each([0, -23, 23])('that is %d hours from the database’s is accepted', async (hours) => {
    expect(await start(hours)).toBeNull()
  })

  test.each([-400 * 24, -25, 25, 400 * 24])(
    'that is %d hours from the database’s is refused',
    async (hours) => {
      await expect(start(hours)).rejects.toThrow(
        /^L’horloge de cette machine dit \d{4}-\d\d-\d\d à \d\d:\d\d UTC, celle de la base de données \d{4}-.*ACCEPT_CLOCK=1\.$/,
      )
    },
  )

  test('before the newest entry of the journal is refused, this machine’s or the database’s', async () => {
    await write(0)
    await expect(start(-2)).rejects.toThrow(/^L’horloge de cette machine dit .* avant la dernière écriture/)
    expect(await start(0)).toBeNull()
    await write(400 * 24)
    await expect(start(0)).rejects.toThrow(/avant la dernière écriture du journal, le \d{4}-/)
    await expect(start(3)).rejects.toThrow(/^L’horloge de la base de données dit/)
  })

  test('a few minutes before the newest entry is accepted: clocks of two machines differ a little', async () => {
    await write(4 / 60)
    expect(await start(0)).toBeNull()
    await write(6 / 60)
    await expect(start(0)).rejects.toThrow('avant la dernière écriture')
  })

  test('confirmed by an operator is accepted, and earlier writes raise no further question', async () => {
    await write(400 * 24)
    expect(await start(0, true)).toMatch(/avant la dernière écriture/)
    expect(await start(0)).toBeNull()
    await write(0)
    await expect(start(-2)).rejects.toThrow('avant la dernière écriture')
    expect(await start(0, true)).toBeNull()
  })
})
