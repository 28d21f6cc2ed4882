import { expect, onTestFinished, test } from 'vitest'
import { insertMarket, insertProduct } from '../../../../tests/support/catalogue.ts'
import { move, sendFile, settled } from '../../../../tests/support/imports.ts'
import { testServer } from '../../../../tests/support/server.ts'
import { untilWaiting } from '../../../../tests/support/waiting.ts'

const server = await testServer({ hasJobs: true })
const admin = await server.as('admin')

const checked = async (content: string | Buffer) => {
  const { status, body, text } = await sendFile(admin, content, { kind: 'rates', name: 'taux.csv' })
  expect(status, text).toBe(201)
  return settled(admin, Object(body).id)
}
const rates = async () => Object((await admin.get('/api/exchange-rates?sort=day')).body).data

test('a file of rates is checked, written, used by the figures at once, and undone', async () => {
  const [productId, marketId] = [await insertProduct(server.db), await insertMarket(server.db)]
  await admin.post('/api/exchange-rates', { day: '2026-01-02', cdfPerUsd: 2000, source: 'BCC' })
  await admin.post('/api/prices', {
    productId,
    marketId,
    priceValue: 3,
    currency: 'USD',
    collectorName: 'Amina',
    collectedAt: '2026-01-03',
  })
  const average = async () =>
    Object((await admin.get(`/api/prices/analytics/summary?productId=${productId}`)).body).averagePrice
  expect(await average()).toBe(6000)

  const file =
    '\ufeffJour;Taux;Source\r\n02/01/2026;2 100,5;Marché parallèle\r\n2026-01-03;2300;\r\n2026-01-03;2300;\r\n31/02/2026;2000;\r\n2026-01-04;zéro;BCC\r\n2099-01-04;2000;BCC\r\n'
  const tried = await checked(file)
  expect(tried.report).toMatchObject({ read: 6, added: 1, revised: 1, existing: 1, rejected: 3 })
  expect(tried.report?.errors).toEqual([
    { line: 5, message: 'Jour\u00a0: cette date n’existe pas.' },
    { line: 6, message: 'Taux\u00a0: nombre attendu.' },
    { line: 7, message: 'Jour\u00a0: un taux n’est connu que jusqu’au lendemain.' },
  ])
  expect(await average()).toBe(6000)
  const done = await move(admin, tried.id, 'confirm')
  expect(done.report).toMatchObject({ added: 1, revised: 1 })
  expect(await rates()).toMatchObject([
    { day: '2026-01-02', cdfPerUsd: 2100.5, source: 'Marché parallèle' },
    { day: '2026-01-03', cdfPerUsd: 2300, source: null },
  ])
  expect(await average()).toBe(6900)

  expect(await move(admin, tried.id, 'undo')).toMatchObject({ state: 'undone' })
  expect(await rates()).toMatchObject([{ day: '2026-01-02', cdfPerUsd: 2000, source: 'BCC' }])
  expect(await average()).toBe(6000)
})

test('a file as banks and agencies write it is read: its titles, its days, its decimals', async () => {
  const bank =
    'Date;Cours indicatif CDF/USD;Source\n2/11/2026;2.844,5010;BCC\n03-11-2026;2 845,2;BCC\n04.11.2026;"2,846.25";BCC\n'
  const { id, report } = await checked(bank)
  expect(report).toMatchObject({ read: 3, added: 3, rejected: 0 })
  await move(admin, id, 'confirm')
  const agency = 'date,exchange_rate,source\n2026-11-05,2758.06080101,HDX\n2026-11-06,2800.5,HDX\n'
  const computed = await checked(agency)
  await move(admin, computed.id, 'confirm')
  expect((await rates()).slice(-5).map((rate: object) => Object(rate).cdfPerUsd)).toEqual([
    2844.501, 2845.2, 2846.25, 2758.060801, 2800.5,
  ])
  await move(admin, computed.id, 'undo')
  await move(admin, id, 'undo')
})

test('a day with a time is that day', async () => {
  const { report } = await checked('Jour;Taux\n2017-01-06T09:12;1250\n2017-01-07 18:03:11;1251\n')
  expect(report).toMatchObject({ added: 2, rejected: 0 })
})

test('a rate with an ambiguous separator is read like the others, or the last stored, else refused', async () => {
  const first = await admin.post('/api/exchange-rates', { day: '2018-01-01', cdfPerUsd: 2800 })
  const written = async (...lines: string[]) => {
    const file = lines.map((rate, at) => `2018-01-0${at + 2};${rate}\n`).join('')
    const { id, report } = await checked(`Jour;Taux\n${file}`)
    await move(admin, id, 'confirm')
    const { body } = await admin.get('/api/exchange-rates?sort=day&startDate=2018-01-02&endDate=2018-01-09')
    await move(admin, id, 'undo')
    return { told: Object(body).data.map((rate: object) => Object(rate).cdfPerUsd), report }
  }
  expect((await written('2,844', '2.844,50')).told).toEqual([2.844, 2844.5])
  expect((await written('2,844', '2,844.50')).told).toEqual([2844, 2844.5])
  expect((await written('2.844', '2 850')).told).toEqual([2844, 2850])
  // The last stored rate is in thousands.
  expect((await written('2,844')).told).toEqual([2844])
  const { report } = await written('45,000')
  expect(report).toMatchObject({
    added: 0,
    rejected: 1,
    reasons: [{ message: expect.stringContaining('ce nombre se lit de deux façons') }],
  })
  await admin.delete(`/api/exchange-rates/${Object(first.body).id}`)
})

test.each([
  ['1/5/2018;1600\n1/15/2018;1601\n', ['2018-01-05', '2018-01-15'], 0, /mm\/jj\/aaaa/],
  ['05/01/2018;1600\n15/01/2018;1601\n', ['2018-01-05', '2018-01-15'], 0, /jj\/mm\/aaaa.*dans ce sens/],
  ['05/01/2018;1600\n', ['2018-01-05'], 0, /vérifiez-le/],
  ['05/01/2018;1600\n1/15/2018;1601\n15/01/2018;1602\n2018-01-16;1603\n', ['2018-01-16'], 3, null],
])(
  'the dates of a file of rates are read as its whole column requires: %j',
  async (lines, days, rejected, note) => {
    const { id, report } = await checked(`Jour;Taux\n${lines}`)
    expect(report).toMatchObject({
      added: days.length,
      rejected,
      notes: note ? [expect.stringMatching(note)] : [],
      reasons: rejected > 0 ? [{ count: rejected, message: expect.stringContaining('se contredisent') }] : [],
    })
    await move(admin, id, 'confirm')
    const written = await rates()
    expect(written.map(({ day }: { day: string }) => day).filter((day: string) => day < '2019')).toEqual(days)
    await move(admin, id, 'undo')
  },
)

test('of two rates for one day in a file the first counts and others are refused with the reason; an identical rate exists already', async () => {
  const { id, report } = await checked(
    'Jour;Taux;Source\n05/01/2026;2800,5;BCC\n06/01/2026;2810;BCC\n05/01/2026;2900;BCC\n2026-01-05;"2.800,50";BCC\n06/01/2026;2820;Marché parallèle\n',
  )
  expect(report).toMatchObject({ read: 5, added: 2, existing: 1, rejected: 2 })
  const reason = (first: string) =>
    `Taux\u00a0: le fichier en donne déjà un autre pour ce jour («\u202f${first}\u202f»), qui seul compte. Gardez l’un des deux.`
  expect(report?.reasons).toEqual([
    { message: reason('2800,5\u00a0FC, ligne 2'), count: 1, example: { line: 4 } },
    { message: reason('2810\u00a0FC, ligne 3'), count: 1, example: { line: 6 } },
  ])
  await move(admin, id, 'confirm')
  expect((await rates()).slice(-2)).toMatchObject([
    { day: '2026-01-05', cdfPerUsd: 2800.5, source: 'BCC' },
    { day: '2026-01-06', cdfPerUsd: 2810, source: 'BCC' },
  ])
  await move(admin, id, 'undo')
})

test('a file of rates that a spreadsheet saved in Windows-1252 is read, and the report says so', async () => {
  const { report } = await checked(
    Buffer.from('Jour;Taux;Source\n07/01/2026;2800;Marché parallèle\n', 'latin1'),
  )
  expect(report).toMatchObject({
    added: 1,
    rejected: 0,
    notes: [expect.stringContaining('Windows-1252'), expect.stringContaining('jj/mm/aaaa')],
  })
})

test('a file that revises another is undone before it, and both restore the former rates', async () => {
  const bring = async (rate: number) => {
    const { id } = await checked(`Jour;Taux;Source\n2026-11-08;${rate};BCC\n`)
    await move(admin, id, 'confirm')
    return id
  }
  const before = await rates()
  const imports = [await bring(2900), await bring(2910), await bring(2920)]
  for (const id of imports.toReversed())
    expect(await move(admin, id, 'undo')).toMatchObject({ state: 'undone' })
  expect(await rates()).toEqual(before)

  const first = await bring(2900)
  const [written] = (await rates()).slice(-1)
  await admin.put(`/api/exchange-rates/${Object(written).id}`, { cdfPerUsd: 2905 })
  const second = await bring(2910)
  await move(admin, second, 'undo')
  expect((await rates()).at(-1)).toMatchObject({ cdfPerUsd: 2905 })
  // A rate entered in between stays.
  expect((await admin.post(`/api/imports/${first}/undo`)).status).toBe(409)
  await admin.delete(`/api/exchange-rates/${Object(written).id}`)
})

test('a file that revises a rate written meanwhile restores it when undone', async () => {
  const { body } = await admin.post('/api/exchange-rates', {
    day: '2026-11-09',
    cdfPerUsd: 2900,
    source: 'BCC',
  })
  const { id } = await checked('Jour;Taux;Source\n2026-11-09;2950;BCC\n')
  const writer = await server.pool.connect()
  onTestFinished(() => writer.release(true))
  await writer.query('begin')
  await writer.query('update exchange_rate set cdf_per_usd = 2920 where id = $1', [Object(body).id])
  const confirming = move(admin, id, 'confirm')
  await untilWaiting(server.db, 1)
  await writer.query('commit')
  expect((await confirming).report).toMatchObject({ revised: 1 })
  await move(admin, id, 'undo')
  expect((await rates()).at(-1)).toMatchObject({ cdfPerUsd: 2920 })
  await admin.delete(`/api/exchange-rates/${Object(body).id}`)
})

test('importing our own list of rates finds only existing rates', async () => {
  const { text } = await admin.get('/api/exchange-rates/export')
  expect((await checked(text)).report).toMatchObject({ read: 1, added: 0, existing: 1, rejected: 0 })
})

test('a user who may not write rates may not import any', async () => {
  const agent = await server.as('manager')
  expect((await sendFile(agent, 'Jour;Taux\n2026-01-01;1', { kind: 'rates' })).status).toBe(403)
})
