// Archives as an attacker writes them: each field of an entry may contain a false value.

import { crc32, deflateRawSync } from 'node:zlib'

export type Entry = {
  name: string
  content: string | Buffer
  /** Values that the headers claim instead of the real ones. */
  claims?: { packed?: number; unpacked?: number; flags?: number; method?: number; local?: number }
}

/** Builds an archive of these entries; `count` is the number of entries that its end record claims. */
export function archive(entries: readonly Entry[], count = entries.length): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, content, claims = {} } of entries) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes, { level: 1 })
    const { flags = 0, method = 8 } = claims
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(claims.packed ?? packed.length, 14)
    common.writeUInt32LE(claims.unpacked ?? bytes.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(claims.local ?? at, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), common, place, Buffer.from(name))
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed])
    parts.push(local)
    at += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, listed, end])
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'

/** Returns the parts of a workbook with one sheet. */
export function workbookParts(sheetData: string, head = ''): Entry[] {
  return workbookSheets([{ name: 'A', sheetData, head }])
}

/** Returns the parts of a workbook with several sheets. */
export function workbookSheets(
  sheets: readonly { name: string; sheetData: string; head?: string; state?: string }[],
): Entry[] {
  const relations = (...targets: [type: string, target: string][]) =>
    `<Relationships xmlns="${packages}/relationships">${targets
      .map(
        ([type, target], at) =>
          `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"/>`,
      )
      .join('')}</Relationships>`
  const listed = sheets.map(
    ({ name, state = 'visible' }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}" state="${state}" r:id="rId${at + 1}"/>`,
  )
  return [
    {
      name: '[Content_Types].xml',
      content: `<Types xmlns="${packages}/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
    },
    { name: '_rels/.rels', content: relations(['officeDocument', 'xl/workbook.xml']) },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${listed.join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relations(
        ...sheets.map((_, at): [string, string] => ['worksheet', `worksheets/sheet${at + 1}.xml`]),
      ),
    },
    ...sheets.map(({ sheetData, head = '' }, at) => ({
      name: `xl/worksheets/sheet${at + 1}.xml`,
      content: `${head}<worksheet xmlns="${main}"><sheetData>${sheetData}</sheetData></worksheet>`,
    })),
  ]
}

/**
 * Returns parts with about this many bytes of distinct texts, each of which stays in memory until the last cell is
 * read.
 */
export function withTexts(bytes: number): Entry[] {
  const texts = varied('<si><t>riz</t></si>', bytes / 32)
  const name = 'xl/sharedStrings.xml'
  return [...workbookParts(`<row><c t="s"><v>0</v></c></row>`), { name, content: `<sst>${texts}</sst>` }]
}

/** Repeats a text with a different comment each time, so that the result compresses to a hundredth at best. */
export function varied(text: string, times: number): string {
  return Array.from(
    { length: times },
    (_, index) => `${text}<!--${Math.imul(index, 2_654_435_761) >>> 0}-->`,
  ).join('')
}
