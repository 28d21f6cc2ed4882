// Tests of a resource's list: pages, search, order, export.

import { expect, test } from 'vitest'
import { z } from 'zod'
import { answered, type Body, type Calls, newMark, type Resource, refusedUnder } from './crud-calls.ts'
import { readRecords } from './csv-files.ts'
import type { Answer } from './server.ts'
import { readWorkbook } from './workbooks.ts'

type CursorPage = { data: { id: number }[]; deleted?: number[]; cursor: string; hasMore: boolean }

/** @param named field that holds the name of a row */
export function testLists(resource: Resource, calls: Calls, named: string): void {
  const { path, writer, byKey, list, create, put, remove, rowsOf, pageOf, file } = calls
  const namesOf = (answer: Answer) => rowsOf(answer).map(({ [named]: name }) => name)

  test('a list is cut in pages that neither repeat nor miss a row, with the exact total', async () => {
    const mark = newMark()
    const ids = new Set<number>()
    for (const each of 'abcde') ids.add((await create(`${mark} ${each}`)).id)
    const seen: number[] = []
    for (const [page, size] of [
      [1, 2],
      [2, 2],
      [3, 1],
      [4, 0],
      [999_999_999_999, 0],
    ] as const) {
      const answer = await list({ search: mark, limit: 2, page })
      expect(pageOf(answer)).toEqual({ page, limit: 2, total: 5, pages: 3 })
      expect(rowsOf(answer)).toHaveLength(size)
      seen.push(...rowsOf(answer).map(({ id }) => id))
    }
    expect(new Set(seen)).toEqual(ids)
  })

  const { query } = resource.list
  if (query instanceof z.ZodObject && 'cursor' in query.shape) {
    test('a client with a key reads the list by cursor, and misses no row written between two pages', async () => {
      const mark = newMark()
      const there: number[] = []
      for (const each of 'abcd') there.push((await create(`${mark} ${each}`)).id)
      const [a = 0, b, c, d = 0] = there
      const key = await byKey(resource.list)
      expect((await key.get(`${path}?limit=1000`)).status).toBe(200)
      const copy = new Set<number>()
      const seen: number[] = []
      let late: number | undefined
      let page = { cursor: 'start', hasMore: true }
      while (page.hasMore) {
        const answer = await key.get(`${path}?limit=2&search=${mark}&cursor=${page.cursor}`)
        const read = answered(resource.list, answer).body as CursorPage
        for (const { id } of read.data) copy.add(id)
        for (const id of read.deleted ?? []) copy.delete(id)
        seen.push(...read.data.map(({ id }) => id))
        if (late === undefined && seen.length > 0) {
          await put(a, { [named]: `${mark} z` })
          await remove(d)
          late = (await create(`${mark} 0`)).id
        }
        page = read
        // In a list that includes deleted rows, a row that changes is returned again.
        if (!read.deleted) expect(seen).toEqual([...copy])
      }
      expect([...copy].toSorted((one, other) => one - other)).toEqual([a, b, c, late])
    })

    test('a cursor of another list is refused', async () => {
      for (const cursor of ['id-x', 'aWQ', 'id-9999999999999999', '%00']) {
        await refusedUnder('cursor', list({ cursor }))
      }
    })
  }

  test('without parameters the first page has the usual size; unknown and empty parameters change nothing', async () => {
    const plain = await list({})
    expect(pageOf(plain)).toMatchObject(resource.query.parse({}) as Body)
    expect((await list({ search: '', page: '', limit: '', sort: '', utm: 'x' })).body).toEqual(plain.body)
  })

  test.each([
    ['limit', '0'],
    ['limit', '201'],
    ['limit', '-1'],
    ['limit', '1.5'],
    ['limit', 'abc'],
    ['limit', '1e2'],
    ['page', '0'],
    ['page', '-1'],
    ['page', 'x'],
    ['page', '99999999999999'],
    ['sort', 'password'],
    ['search', '\u0000'],
  ])('%s=%j is refused', async (name, value) => {
    await refusedUnder(name, list({ [name]: value }))
  })

  test.each(['limit', 'page', 'sort', 'search'])('%s given twice is refused', async (name) => {
    const twice = (await writer()).get(`${path}?${name}=1&${name}=2`)
    await refusedUnder(
      name,
      twice.then((answer) => answered(resource.list, answer)),
    )
  })

  test('search ignores case and accents, and takes % and _ as letters', async () => {
    const mark = newMark()
    const name = `Éàç ${mark} 100% n_o`
    await create(name)
    for (const search of [`EAC ${mark}`, `éàç ${mark.toUpperCase()} 100%`, `${mark} 100% N_O`]) {
      expect(namesOf(await list({ search })), search).toEqual([name])
    }
    for (const search of [`${mark}%100`, `${mark} 1_0`, `%${mark}`, `${mark}\\`, `${mark}'--`]) {
      expect(pageOf(await list({ search })), search).toMatchObject({ total: 0, pages: 0 })
    }
  })

  test('names are sorted in French order, and every announced sort works in both directions', async () => {
    const mark = newMark()
    const inOrder = ['eau', 'éclair', 'Été', 'Zoo'].map((word) => `${mark} ${word}`)
    for (const name of inOrder.toReversed()) await create(name)
    expect(namesOf(await list({ search: mark, sort: named }))).toEqual(inOrder)
    expect(namesOf(await list({ search: mark, sort: `-${named}` }))).toEqual(inOrder.toReversed())
    for (const sort of resource.sortable.flatMap((field) => [field, `-${field}`])) {
      expect(rowsOf(await list({ search: mark, sort })), sort).toHaveLength(4)
    }
  })

  test('the whole list is exported as a file in both formats, filtered by the search and sorted', async () => {
    const mark = newMark()
    const names = ['=1+1', '@x "y"; z', 'éà']
    for (const name of names) await create(`${name} ${mark}`)
    for (const sort of [named, `-${named}`]) {
      const listed = await list({ search: mark, sort })
      const wanted = namesOf(listed)
      const query = { search: mark, sort, limit: '1', page: '3' }
      const csv = await file(query)
      expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
      const [titles, ...rows] = readRecords(csv.bytes)
      expect(titles).toEqual(resource.columns.map(({ title }) => title))
      const [first] = rowsOf(listed)
      // The column's `value` takes a row of the same resource as the list.
      const name = resource.columns.findIndex(({ value }) => value(first as never) === wanted[0])
      // An apostrophe before the value prevents a spreadsheet from running it as a formula.
      expect(rows.map((cells) => cells[name])).toEqual(
        wanted.map((each) => String(each).replace(/^[=@]/, "'$&")),
      )
      const xlsx = await file({ ...query, fileFormat: 'xlsx' })
      expect(xlsx.headers.get('content-disposition')).toMatch(
        /^attachment; filename="[a-z-]+-au-[\d-]+\.xlsx"$/,
      )
      const [sheet] = readWorkbook(xlsx.bytes)
      expect(sheet?.rows.slice(1).map((cells) => cells[name])).toEqual(wanted)
    }
    const forPrograms = await file({ search: mark, fileFormat: 'csv-machine' })
    const keys = resource.columns.map(({ key }) => key)
    expect(forPrograms.text.split('\r\n')[0]).toBe(keys.join(','))
    expect(keys.every((key) => /^\w+$/.test(key ?? ''))).toBe(true)
    expect((await file({ fileFormat: 'pdf' })).status).toBe(400)
    expect(readRecords((await file({ search: `${mark} rien` })).bytes)).toHaveLength(1)
  })
}
