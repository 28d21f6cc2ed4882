// All attacks that a signed-in user may attempt, by their name in the figures.

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { archive, workbookParts } from '../../tests/support/archives.ts'
import { type Attack, brokenForms, pictures, searches, unreadDownloads } from '../../tests/support/attacks.ts'
import { picture } from '../../tests/support/pictures.ts'
import type { Client } from '../../tests/support/server.ts'

/** `clerk` writes the catalogue, `importer` imports. */
export async function everyAttack(
  url: string,
  productId: number,
  { clerk, importer }: { clerk: Client; importer: Client },
): Promise<Record<string, Attack>> {
  const path = `/api/products/${productId}/image`
  return {
    '20 connections of slow searches': searches(clerk, '/api/prices?search=a'),
    '12 pictures of 24 million pixels': pictures(clerk, path, await picture(6_000, 4_000).png().toBuffer()),
    '100 malformed forms': brokenForms(clerk, url, path),
    '20 downloads that are not read': unreadDownloads(clerk, url, '/api/prices/export?fileFormat=csv'),
    'hostile CSV and XLSX': hostileFiles(importer),
  }
}

/** Waits until no job is working on an import; returns its state. */
export async function settle(importer: Client, id: number, signal: AbortSignal): Promise<string> {
  for (;;) {
    const { state } = Object((await importer.get(`/api/imports/${id}`)).body)
    if (signal.aborted || !/ing$/.test(state)) return state
    await sleep(200)
  }
}

/** Repeats a piece of work until it is stopped; a turn that is cut or refused is tried again. */
export async function goOn(signal: AbortSignal, pauseMs: number, work: (turn: number) => Promise<unknown>) {
  for (let turn = 0; !signal.aborted; turn++) {
    await work(turn).catch(() => {})
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
  }
}

/** Imports files that take long to read and contain nothing useful. */
function hostileFiles(importer: Client): Attack {
  const strings = (count: number) => ({
    name: 'xl/sharedStrings.xml',
    content: `<sst>${'<si><t>abcdefgh</t></si>'.repeat(count)}</sst>`,
  })
  // A file that compresses too well is refused before it is read: incompressible data beside it gets it read.
  const picture = { name: 'xl/media/image1.png', content: randomBytes(500_000) }
  const files = [
    Buffer.alloc(20_000_000, '\xff\xfe\n', 'latin1'),
    Buffer.alloc(10_000_000, 'x\n'),
    archive([...workbookParts('<row r="1"/>'), strings(1_900_000)]),
    archive([...workbookParts('<row r="1"><c t="s"><v>0</v></c></row>'), strings(500_000), picture]),
    archive([...workbookParts(`<row r="1">${'<c/>'.repeat(3_000_000)}</row>`), picture]),
    archive([...workbookParts(`<row>${'<c/>'.repeat(30)}</row>`.repeat(100_000)), picture]),
    archive([...workbookParts(`<row r="1"/><!--${'riz '.repeat(11_000_000)}`), picture]),
  ]
  return (signal) =>
    goOn(signal, 200, async (turn) => {
      const form = new FormData()
      const bytes = files[turn % files.length] ?? Buffer.alloc(0)
      form.set('file', new File([new Uint8Array(bytes)], turn % files.length < 2 ? 'prix.csv' : 'prix.xlsx'))
      const { body } = await importer.post('/api/imports?kind=prices', form)
      const id: number = Object(body).id
      await settle(importer, id, signal)
      await importer.post(`/api/imports/${id}/abandon`)
    })
}
