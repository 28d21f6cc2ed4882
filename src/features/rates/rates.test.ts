import { expect, test } from 'vitest'
import { deleteRate, findRate, upsertRate } from '#features/rates/rates.sql.ts'
import { testDatabase } from '../../../tests/support/database.ts'

const { db } = await testDatabase()
const rate = (day: string, cdfPerUsd: number, source: string | null = null) => ({ day, cdfPerUsd, source })

test('the rate in force is that of the day, else the last before it; before the first there is none', async () => {
  await upsertRate(db, rate('2026-01-02', 2000))
  await upsertRate(db, rate('2026-01-10', 2100.123456, 'BCC'))
  expect(await findRate(db, '2026-01-01')).toBeUndefined()
  expect(await findRate(db, '2026-01-02')).toEqual(rate('2026-01-02', 2000))
  expect(await findRate(db, '2026-01-09')).toEqual(rate('2026-01-02', 2000))
  expect(await findRate(db, '2026-12-31')).toEqual(rate('2026-01-10', 2100.123456, 'BCC'))
})

test('a rate is corrected in place, and what rested on a deleted one falls back to the one before', async () => {
  await upsertRate(db, rate('2027-01-01', 2500))
  await upsertRate(db, rate('2027-01-01', 2600, 'BCC'))
  expect(await findRate(db, '2027-01-01')).toEqual(rate('2027-01-01', 2600, 'BCC'))
  await deleteRate(db, '2027-01-01')
  expect(await findRate(db, '2027-01-01')).toEqual(rate('2026-01-10', 2100.123456, 'BCC'))
})
