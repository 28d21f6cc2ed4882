import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

/** A file of an archive, generated while it is written. */
export type ZipEntry = { readonly name: string; readonly content: AsyncIterable<string> }

type Written = { name: Buffer; crc: number; deflatedBytes: number; bytes: number; offset: number }

// Larger sizes require ZIP64.
const mostBytes = 0xffff_ffff
// Bit 3: sizes follow the data, because they are computed last; bit 11: names are in UTF-8.
const flags = (1 << 3) | (1 << 11)
// 1 January 1980, the first date of the format; a fixed date makes equal content give equal archives.
const noDate = 0x21

/**
 * Writes an archive as a stream, file by file (APPNOTE.TXT, PKWARE, 4.3). Memory use does not depend on the
 * size of the files.
 *
 * @throws Error when the archive, or a file of it, reaches 4 GiB
 */
export async function* zip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array, void, undefined> {
  const directory: Written[] = []
  let offset = 0
  for await (const { name, content } of entries) {
    const entry: Written = { name: Buffer.from(name), crc: 0, deflatedBytes: 0, bytes: 0, offset }
    const header = localHeader(entry)
    yield header
    for await (const chunk of deflated(content, entry)) yield chunk
    yield dataDescriptor(entry)
    offset += header.length + entry.deflatedBytes + descriptorLength
    if (Math.max(offset, entry.bytes) > mostBytes)
      throw new Error('a ZIP archive without ZIP64 ends at 4 GiB')
    directory.push(entry)
  }
  const headers = directory.map(centralHeader)
  yield* headers
  yield endOfDirectory(directory.length, sum(headers.map(({ length }) => length)), offset)
}

async function* deflated(content: AsyncIterable<string>, entry: Written): AsyncGenerator<Uint8Array> {
  async function* measured() {
    for await (const text of content) {
      const chunk = Buffer.from(text)
      entry.crc = crc32(chunk, entry.crc)
      entry.bytes += chunk.length
      yield chunk
    }
  }
  // A low level, so that compression is not the bottleneck of an export; a higher one saves a few percent of size.
  const deflate = createDeflateRaw({ level: 3 })
  // A failure of either side destroys the other, and the loop below throws it.
  pipeline(Readable.from(measured()), deflate, () => {})
  for await (const chunk of deflate) {
    entry.deflatedBytes += chunk.length
    yield chunk
  }
}

function localHeader({ name }: Written): Buffer {
  return Buffer.concat([
    record(30, [
      [0, 0x04034b50],
      [4, 20, 2],
      [6, flags, 2],
      [8, 8, 2],
      [12, noDate, 2],
      [26, name.length, 2],
    ]),
    name,
  ])
}

const descriptorLength = 16

function dataDescriptor({ crc, deflatedBytes, bytes }: Written): Buffer {
  return record(descriptorLength, [
    [0, 0x08074b50],
    [4, crc],
    [8, deflatedBytes],
    [12, bytes],
  ])
}

function centralHeader({ name, crc, deflatedBytes, bytes, offset }: Written): Buffer {
  const fields: Field[] = [
    [0, 0x02014b50],
    [4, 20, 2],
    [6, 20, 2],
    [8, flags, 2],
    [10, 8, 2],
    [14, noDate, 2],
    [16, crc],
    [20, deflatedBytes],
    [24, bytes],
    [28, name.length, 2],
    [42, offset],
  ]
  return Buffer.concat([record(46, fields), name])
}

function endOfDirectory(entries: number, length: number, offset: number): Buffer {
  return record(22, [
    [0, 0x06054b50],
    [8, entries, 2],
    [10, entries, 2],
    [12, length],
    [16, offset],
  ])
}

/** Offset of a number in a record, its value, and its size in bytes (4 by default). */
type Field = [at: number, value: number, bytes?: 2]

function record(length: number, fields: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(length)
  for (const [at, value, bytes = 4] of fields) buffer.writeUIntLE(value, at, bytes)
  return buffer
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
