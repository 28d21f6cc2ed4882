// Checks of a ZIP archive before it is unpacked (APPNOTE 6.3.10, 4.3).

import { Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'

/** An archive that is refused; the message, in French, gives the reason. */
export class RefusedArchive extends Error {
  override name = 'RefusedArchive'
}

const limits = { entries: 1_000, unpackedBytes: 50 * 1024 * 1024, heldBytes: 12 * 1024 * 1024, ratio: 100 }
// Sheets are read as streams; other parts of a workbook are read into memory.
const sheetPath = /^xl\/worksheets\/[^/]+\.xml$/

const signatures = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 }
const sizes = { local: 30, central: 46, end: 22 }
/** Longest comment after the end record, in bytes. */
const longestComment = 65_535

/**
 * Refuses an archive whose central directory declares more than 50 MB unpacked, more than 12 MB outside the sheets,
 * more than a hundred times its size, or more than a thousand entries; and archives for which these are uncertain:
 * encrypted, ZIP64, with a duplicate entry, or with sizes declared after the data.
 * The caller must stop unpacking at the declared sizes.
 *
 * @throws RefusedArchive
 */
export function checkArchive(bytes: Uint8Array): void {
  const names = new Set<string>()
  let packed = 0
  let unpacked = 0
  let hasLargePart = false
  for (const read of entriesOf(bytes)) {
    if (names.size === names.add(read.name).size) throw damaged()
    packed += read.packed
    unpacked += read.unpacked
    if (read.unpacked > limits.heldBytes && !sheetPath.test(read.name)) hasLargePart = true
  }
  // Refuses entries that overlap, which unpack to more data than the archive contains.
  if (packed > bytes.length) throw damaged()
  if (unpacked > limits.unpackedBytes) throw tooLarge('il dépasserait 50\u00a0Mo')
  if (unpacked > bytes.length * limits.ratio) {
    throw new RefusedArchive(
      'Ce classeur est refusé\u00a0: il se décompresserait en plus de cent fois sa taille.',
    )
  }
  if (hasLargePart) throw tooLarge('ses textes dépasseraient 12\u00a0Mo')
}

/** Returns the sheets of a checked archive as streams of unpacked data. */
export function sheetsOf(bytes: Uint8Array): AsyncIterable<Buffer>[] {
  return [...entriesOf(bytes)]
    .filter(({ name }) => sheetPath.test(name))
    .map((entry) => contentOf(bytes, entry))
}

function contentOf(bytes: Uint8Array, { local, packed, unpacked, method }: Entry): AsyncIterable<Buffer> {
  const lengths = new DataView(bytes.buffer, bytes.byteOffset + local + 26, 4)
  const from = local + sizes.local + lengths.getUint16(0, true) + lengths.getUint16(2, true)
  const content = Readable.from([bytes.subarray(from, from + packed)])
  return stoppedAt(unpacked, method === 0 ? content : content.pipe(createInflateRaw()))
}

/** Returns one part of a checked archive as a stream, by its path; empty when the part is absent. */
export function partOf(bytes: Uint8Array, path: string): AsyncIterable<Buffer> {
  const found = [...entriesOf(bytes)].find(({ name }) => name === path)
  return found ? contentOf(bytes, found) : Readable.from([])
}

/**
 * Returns the visible worksheets in the order of their tabs: position among all tabs, name, and path of the part.
 */
export async function tabsOf(bytes: Uint8Array): Promise<{ at: number; name: string; path: string }[]> {
  const [workbook, relations] = await Promise.all([
    textOf(bytes, 'xl/workbook.xml'),
    textOf(bytes, relationsPath),
  ])
  // Excludes chart sheets, which have no rows.
  const tables = new Map(
    tagsOf(relations, 'Relationship').flatMap(({ Type = '', Id, Target = '' }) =>
      /\/worksheet$/.test(Type) ? [[Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`]] : [],
    ),
  )
  return tagsOf(workbook, 'sheet').flatMap(({ name = '', state = 'visible', ...others }, at) => {
    const id = Object.entries(others).find(([key]) => key.endsWith(':id'))?.[1]
    const path = tables.get(id)
    return state === 'visible' && path !== undefined ? [{ at, name, path }] : []
  })
}

const relationsPath = 'xl/_rels/workbook.xml.rels'

/** Returns the text of a part of the archive; empty when the part is absent. */
export async function textOf(bytes: Uint8Array, path: string): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of partOf(bytes, path)) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

/** Returns the attributes of each tag with a name, whatever its namespace prefix. */
export function tagsOf(xml: string, name: string): Record<string, string>[] {
  const tags = [...xml.matchAll(new RegExp(`<(?:\\w+:)?${name}(?:\\s([^>]*))?/?>`, 'g'))]
  return tags.map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(/([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, key = '', ...values]) => [
        key,
        values.join('').replaceAll(/&(\w+);/g, (entity, word) => entities[word] ?? entity),
      ]),
    ),
  )
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

async function* stoppedAt(most: number, pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let read = 0
  for await (const piece of pieces) {
    read += piece.length
    if (read > most) throw damaged()
    yield piece
  }
}

function tooLarge(why: string): RefusedArchive {
  return new RefusedArchive(
    `Ce classeur est trop grand\u00a0: décompressé, ${why}. Découpez-le, ou enregistrez-le en «\u202fCSV UTF-8\u202f».`,
  )
}

/** Returns the offset of the end record nearest to the end of the file, which all programs use. */
function findEnd(view: DataView): number {
  const last = view.byteLength - sizes.end
  for (let at = last; at >= Math.max(0, last - longestComment); at--) {
    if (view.getUint32(at, true) === signatures.end) return at
  }
  throw damaged()
}

type Entry = {
  name: string
  method: number
  packed: number
  unpacked: number
  /** Offset of the local header, and of the next entry of the central directory. */
  local: number
  next: number
}

function* entriesOf(bytes: Uint8Array): Generator<Entry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEnd(view)
  const entries = view.getUint16(end + 10, true)
  if (entries > limits.entries)
    throw new RefusedArchive('Ce classeur contient trop de fichiers (plus de 1\u202f000).')
  let at = view.getUint32(end + 16, true)
  for (let entry = 0; entry < entries; entry++) {
    const read = readEntry(view, at, end)
    yield read
    at = read.next
  }
}

function readEntry(view: DataView, at: number, end: number): Entry {
  if (at + sizes.central > end || view.getUint32(at, true) !== signatures.central) throw damaged()
  const flags = view.getUint16(at + 8, true)
  const method = view.getUint16(at + 10, true)
  const packed = view.getUint32(at + 20, true)
  const unpacked = view.getUint32(at + 24, true)
  const nameLength = view.getUint16(at + 28, true)
  const next = at + sizes.central + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  const local = view.getUint32(at + 42, true)
  if (next > end) throw damaged()
  if (flags & 1) throw new RefusedArchive('Ce classeur est chiffré. Enregistrez-le sans mot de passe.')
  if (method !== 0 && method !== 8) throw damaged()
  if (method === 0 && packed !== unpacked) throw damaged()
  // A declared size of zero puts the real size after the data, where it is not checked. Empty content packs to at most
  // two bytes.
  if (packed === 0 && (unpacked > 0 || flags & 8)) throw damaged()
  if (unpacked === 0 && packed > 2) throw damaged()
  if (local + sizes.local + packed > end || view.getUint32(local, true) !== signatures.local) throw damaged()
  const name = Buffer.from(view.buffer, view.byteOffset + at + sizes.central, nameLength).toString()
  return { name, method, packed, unpacked, local, next }
}

function damaged(): RefusedArchive {
  return new RefusedArchive(
    'Ce classeur est abîmé ou n’en est pas un. Ouvrez-le dans un tableur et enregistrez-le de nouveau en XLSX.',
  )
}
