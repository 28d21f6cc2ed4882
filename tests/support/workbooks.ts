// Reads archives and workbooks strictly, as a program that trusts no input.

import { crc32, inflateRawSync } from 'node:zlib'

/** Returns the files of an archive by name, each checked against its length and its checksum. */
export function readZip(bytes: Buffer): Map<string, string> {
  const end = bytes.length - 22
  if (bytes.readUInt32LE(end) !== 0x06054b50) throw new Error('no end of central directory')
  const files = new Map<string, string>()
  let at = bytes.readUInt32LE(end + 16)
  for (let entry = 0; entry < bytes.readUInt16LE(end + 10); entry++) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) throw new Error('no header in the central directory')
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const local = bytes.readUInt32LE(at + 42)
    if (bytes.readUInt32LE(local) !== 0x04034b50) throw new Error(`no local header of ${name}`)
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const deflatedLength = bytes.readUInt32LE(at + 20)
    const content = inflateRawSync(bytes.subarray(start, start + deflatedLength))
    if (content.length !== bytes.readUInt32LE(at + 24)) throw new Error(`another length of ${name}`)
    if (crc32(content) !== bytes.readUInt32LE(at + 16)) throw new Error(`another sum of ${name}`)
    files.set(name, content.toString())
    at += 46 + nameLength
  }
  return files
}

/** A cell as a spreadsheet reads it: a text, or a number with its style. */
export type ReadCell = string | { value: number; style: number } | null

/** Returns the rows of the sheets of a workbook, in order. */
export function readWorkbook(bytes: Buffer): { name: string; rows: ReadCell[][] }[] {
  const files = readZip(bytes)
  const names = [...(files.get('xl/workbook.xml') ?? '').matchAll(/<sheet name="([^"]*)"/g)]
  return names.map(([, name = ''], index) => {
    const xml = files.get(`xl/worksheets/sheet${index + 1}.xml`) ?? ''
    const rows = [...xml.matchAll(/<row>(.*?)<\/row>/gs)].map(([, cells = '']) =>
      [...cells.matchAll(/<c( [^>]*)?(?:\/>|>(.*?)<\/c>)/gs)].map(([, attributes, content]) =>
        readCell(attributes ?? '', content ?? ''),
      ),
    )
    return { name: unescaped(name), rows }
  })
}

function readCell(attributes: string, content: string): ReadCell {
  const text = /^<is><t xml:space="preserve">(.*)<\/t><\/is>$/s.exec(content)
  if (text && attributes.includes('t="inlineStr"')) return unescaped(text[1] ?? '')
  const number = /^<v>(-?\d+(?:\.\d+)?)<\/v>$/.exec(content)
  if (number) return { value: Number(number[1]), style: Number(/s="(\d+)"/.exec(attributes)?.[1] ?? 0) }
  // A link is shown as its own address.
  const link = /^<f>HYPERLINK\("(.*)"\)<\/f><v>(.*)<\/v>$/.exec(content)
  if (link?.[1] !== undefined && link[1] === link[2]) return unescaped(link[1])
  if (content === '') return null
  throw new Error(`a cell that no program reads: ${content.slice(0, 80)}`)
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }

function unescaped(xml: string): string {
  if (/[<>"]|&(?!(?:amp|lt|gt|quot);)/.test(xml)) throw new Error(`not well formed: ${xml.slice(0, 80)}`)
  // XML normalises every line break to a line feed.
  return xml
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/&(\w+);/g, (_all, name: string) => entities[name] ?? '')
    .replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_all, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
}
