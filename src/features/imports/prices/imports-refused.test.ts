import { describe, expect, test } from 'vitest'
import { importPrices } from '#features/imports/prices/imports.jobs.ts'
import { AppError } from '#server/errors.ts'
import { expectExactRollups } from '../../../../tests/support/exact-rollups.ts'
import { countAll, nothing, testImporter } from '../../../../tests/support/importer.ts'
import { bytesOf, ourFile, ourRow, wfpFile2023, wfpFile2025 } from '../../../../tests/support/price-files.ts'

describe('a bad row', async () => {
  const { db, pool, run } = await testImporter()

  test('is reported with its line, and creates nothing', async () => {
    const text = wfpFile2025({}, { market: 'Nulle part', currency: 'EUR' }, { commodity: 'Rien', price: '0' })
    const outcome = await run(
      `${text}2023-03-15,"Kinshasa\n${wfpFile2025({ date: '2023-04-15' }).split('\n')[1]}\n`,
    )
    expect(outcome).toMatchObject({
      read: 5,
      added: 2,
      existing: 0,
      rejected: 3,
      created: { markets: 1, products: 1 },
    })
    expect(outcome.errors).toEqual([
      { line: 3, message: 'La devise «\u202fEUR\u202f» n’est ni CDF ni USD.' },
      { line: 4, message: 'Le prix «\u202f0\u202f» n’est pas supérieur à zéro.' },
      { line: 5, message: 'Un guillemet est ouvert dans cette ligne et jamais fermé.' },
    ])
    await expectExactRollups(db)
  })

  test('of a price before 1990 is refused with its day, in a file of ours too', async () => {
    const outcome = await run(wfpFile2025({ date: '1989-12-31' }, { date: '1990-01-01' }))
    expect(outcome).toMatchObject({ added: 1, rejected: 1 })
    expect(outcome.errors).toEqual([
      { line: 2, message: 'La date «\u202f1989-12-31\u202f» est d’avant 1990.' },
    ])
    const ours = await run(
      ourFile(
        'machine',
        { ...ourRow, observed_on: '1985-06-01', collected_at: '' },
        { ...ourRow, observed_on: '2021-06-01', collected_at: '' },
      ),
    )
    expect(ours).toMatchObject({ added: 1, rejected: 1 })
  })

  test('is counted even when it is no longer listed', async () => {
    const many = Array.from({ length: 1200 }, () => ({ currency: 'EUR' }))
    const outcome = await run(wfpFile2025(...many))
    expect(outcome).toMatchObject({ read: 1200, added: 0, rejected: 1200 })
    expect(outcome.errors).toHaveLength(1000)
  })

  test('of 20 MB costs neither the rows beside it nor memory', async () => {
    const [header, row] = wfpFile2025({ date: '2021-01-01' }).split('\n')
    async function* source() {
      yield* bytesOf(`${header}\n`)
      for (let n = 0; n < 320; n++) yield Buffer.alloc(65_536, n === 0 ? '"' : 'x')
      yield* bytesOf(`\n${row}\n`)
    }
    const outcome = await importPrices(pool, source())
    expect(outcome).toMatchObject({ read: 2, added: 1, rejected: 1 })
    expect(outcome.errors).toEqual([{ line: 2, message: 'Cette ligne dépasse un million d’octets.' }])
  })
})

describe('a file that cannot be imported', async () => {
  const { db, pool, run } = await testImporter()

  test.each([
    [
      'without its price column',
      wfpFile2025({}).replace('price,usdprice', 'usdprice'),
      /Colonne absente.*price/,
    ],
    ['that is no list of prices', 'nom,ville\nVirunga,Goma\n', /pas un fichier de prix/],
    ['that is empty', '', /vide/],
    ['in UTF-16', Buffer.from(`\ufeff${wfpFile2025({})}`, 'utf16le'), /UTF-16/],
  ])('%s is refused with the reason, and writes nothing', async (_, content, message) => {
    const attempt = run(content)
    await expect(attempt).rejects.toThrow(AppError)
    await expect(attempt).rejects.toThrow(message)
    expect(await countAll(db)).toEqual(nothing)
  })

  test('is refused even when its error comes after many good rows', async () => {
    async function* source() {
      yield* bytesOf(wfpFile2025({}))
      throw new Error('le disque a lâché')
    }
    await expect(importPrices(pool, source())).rejects.toThrow('le disque a lâché')
    expect(await countAll(db)).toEqual(nothing)
  })

  test('may have no rows, which is no error', async () => {
    expect(await run(wfpFile2023())).toMatchObject({ read: 0, added: 0, rejected: 0 })
  })
})
