import { constants, zstdCompressSync } from 'node:zlib'
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer'
import { type EditionRow, editionColumns } from '#features/editions/making/columns.rules.ts'
import { dayMs } from '#shared/days.ts'

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema']
type Kind = (typeof editionColumns)[number]['kind']

const types: Record<Kind, object> = {
  integer: { type: 'INT64' },
  day: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  decimal: {
    type: 'INT64',
    converted_type: 'DECIMAL',
    logical_type: { type: 'DECIMAL', precision: 14, scale: 2 },
    precision: 14,
    scale: 2,
  },
  degrees: { type: 'DOUBLE' },
}
const required: readonly string[] = [
  'id',
  'observed_on',
  'market_id',
  'product_id',
  'price',
  'currency',
  'flag',
]
const schema = [
  { name: 'root', num_children: editionColumns.length },
  ...editionColumns.map(({ key, kind }) => ({
    name: key,
    repetition_type: required.includes(key) ? 'REQUIRED' : 'OPTIONAL',
    ...types[kind],
  })),
] as Schema

const reading: Record<Kind, (value: string | number) => unknown> = {
  integer: (value) => BigInt(value),
  day: (value) => Date.parse(String(value)) / dayMs,
  text: (value) => value,
  // PostgreSQL always writes two digits after the point: removing the point gives hundredths.
  decimal: (value) => BigInt(String(value).replace('.', '')),
  degrees: Number,
}

/**
 * Writes rows as a Parquet file with zstd compression, one row group per batch. A group takes half a second of
 * processor time, so run it in a thread.
 */
export async function* writeParquet(
  batches: AsyncIterable<readonly EditionRow[]>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const writer = new ByteWriter()
  const parquet = new ParquetWriter({
    writer,
    schema,
    codec: 'ZSTD',
    compressors: { ZSTD: compress },
    createdBy: 'Ntalo',
  })
  const taken = (): Uint8Array => {
    const bytes = writer.getBytes().slice()
    writer.index = 0
    return bytes
  }
  for await (const rows of batches) {
    const columnData = editionColumns.map(({ key, kind }) => ({
      name: key,
      data: rows.map((row) => (row[key] === null ? null : reading[kind](row[key]))),
    })) as ColumnSource[]
    await parquet.write({ columnData, rowGroupSize: rows.length })
    yield taken()
  }
  await parquet.finish()
  yield taken()
}

function compress(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 9 } })
}
