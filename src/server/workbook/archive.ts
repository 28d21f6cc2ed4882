// What an archive says of itself, judged before anything of it is unpacked (APPNOTE 6.3.10, 4.3).

import { Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'

/** The archive is not one that we unpack; the message, in French, says why. */
export class RefusedArchive extends Error {
  override name = 'RefusedArchive'
}

const limits = { entries: 1_000, unpackedBytes: 50 * 1024 * 1024, heldBytes: 12 * 1024 * 1024, ratio: 100 }
// Read as a stream; whatever else is in a workbook is held whole.
const isSheet = /^xl\/worksheets\/[^/]+\.xml$/

const signatures = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 }
const sizes = { local: 30, central: 46, end: 22 }
/** The longest comment that may follow the end record. */
const longestComment = 65_535

/**
 * Refuses what would unpack to more than 50 MB, to more than 12 MB beside the sheets, more than a hundred times its size or
 * more than a thousand entries, by the sizes in its central directory; and what leaves these open: encrypted, ZIP64, an entry twice, sizes declared later.
 * The unpacker must stop at the declared sizes.
 *
 * @throws RefusedArchive
 */
export function checkArchive(bytes: Uint8Array): void {
  const names = new Set<string>()
  let packed = 0
  let unpacked = 0
  let held = false
  for (const read of entriesOf(bytes)) {
    if (names.size === names.add(read.name).size) throw damaged()
    packed += read.packed
    unpacked += read.unpacked
    if (read.unpacked > limits.heldBytes && !isSheet.test(read.name)) held = true
  }
  // Entries that share their bytes would unpack to more than what is there.
  if (packed > bytes.length) throw damaged()
  if (unpacked > limits.unpackedBytes) throw tooLarge('il dépasserait 50\u00a0Mo')
  if (unpacked > bytes.length * limits.ratio) {
    throw new RefusedArchive(
      'Ce classeur est refusé\u00a0: il se décompresserait en plus de cent fois sa taille.',
    )
  }
  if (held) throw tooLarge('ses textes dépasseraient 12\u00a0Mo')
}

/** The sheets of an archive that has been checked, unpacked a piece at a time. */
export function sheetsOf(bytes: Uint8Array): AsyncIterable<Buffer>[] {
  return [...entriesOf(bytes)]
    .filter(({ name }) => isSheet.test(name))
    .map((entry) => contentOf(bytes, entry))
}

function contentOf(bytes: Uint8Array, { local, packed, unpacked, method }: Entry): AsyncIterable<Buffer> {
  const lengths = new DataView(bytes.buffer, bytes.byteOffset + local + 26, 4)
  const from = local + sizes.local + lengths.getUint16(0, true) + lengths.getUint16(2, true)
  const content = Readable.from([bytes.subarray(from, from + packed)])
  return stoppedAt(unpacked, method === 0 ? content : content.pipe(createInflateRaw()))
}

/** The same of one of them, or of any part, by its path; nothing of one that is not there. */
export function partOf(bytes: Uint8Array, path: string): AsyncIterable<Buffer> {
  const found = [...entriesOf(bytes)].find(({ name }) => name === path)
  return found ? contentOf(bytes, found) : Readable.from([])
}

/**
 * The sheets of worksheets that are in sight, in the order of their tabs: where each stands among all of them, its name, and the path
 * of its part.
 */
export async function tabsOf(bytes: Uint8Array): Promise<{ at: number; name: string; path: string }[]> {
  const [workbook, relations] = await Promise.all([
    textOf(bytes, 'xl/workbook.xml'),
    textOf(bytes, relationsPath),
  ])
  // A sheet of a chart has no rows.
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

/** The text of a part of the archive; blank where it is not there. */
export async function textOf(bytes: Uint8Array, path: string): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of partOf(bytes, path)) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

/** The attributes of each tag of a name, whatever its prefix. */
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

/** The end record nearest to the end of the file, where every program looks for it. */
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
  /** Where it stands, and where the directory tells of the next one. */
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
  // Sizes of zero would stand behind the data, where nobody has checked them; nothing packs to two bytes at most.
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
