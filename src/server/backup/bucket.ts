import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { nullIfAbsent, pathExists } from '#server/files/publish.ts'
import type { S3 } from '#server/files/s3.ts'

/** The bucket with the platform's files, and the prefixes they use; other objects in the bucket are ignored. */
export type Bucket = { s3: S3; names: readonly string[] }

const atOnce = 8

/** Copies the files that are not in the folder yet, with the layout of DATA_DIR; those removed meanwhile are skipped. */
export async function copyBucket({ s3, names }: Bucket, folder: string): Promise<void> {
  for (const name of names) {
    await forEachConcurrently(s3.list(`${name}/`), async ({ key }) => {
      const path = join(folder, key)
      if (!path.startsWith(`${folder}/`)) throw new Error(`Le seau contient un nom refusé : ${key}.`)
      const object = (await pathExists(path)) ? null : await s3.get(key)
      if (!object) return
      await mkdir(dirname(path), { recursive: true })
      const content = object.body ? Readable.from(object.body) : Readable.from([])
      await pipeline(content, createWriteStream(path, { mode: 0o600 }))
    })
  }
}

/** Uploads the files of one prefix from a folder into the bucket. */
export async function fillBucket({ s3 }: Bucket, folder: string, name: string): Promise<void> {
  const entries = await readdir(join(folder, name), { recursive: true, withFileTypes: true }).catch(
    nullIfAbsent,
  )
  const files = (entries ?? []).filter((entry) => entry.isFile())
  await forEachConcurrently(files, async (entry) => {
    const path = join(entry.parentPath, entry.name)
    await s3.put(relative(folder, path), await openAsBlob(path))
  })
}

/** @throws Error in French when the bucket contains a file of the platform */
export async function assertEmptyBucket({ s3, names }: Bucket): Promise<void> {
  for (const name of names) {
    for await (const { key } of s3.list(`${name}/`)) {
      throw new Error(`Le seau S3 n’est pas vide (${key}) : rien n’a été restauré.`)
    }
  }
}

/** Runs the work for each item, with limited concurrency; the first failure ends all. */
async function forEachConcurrently<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  let isOver = false
  // The workers take items one at a time: an iterator over pages does not support concurrent calls of `next`.
  let turn: Promise<unknown> = Promise.resolve()
  const next = () => {
    const asked = turn.then(() => source.next())
    turn = asked.catch(() => undefined)
    return asked
  }
  async function run() {
    while (!isOver) {
      const { done, value } = await next()
      if (done) return
      await work(value)
    }
  }
  const runs = Array.from({ length: atOnce }, () =>
    run().catch((error: unknown) => {
      isOver = true
      throw error
    }),
  )
  const outcomes = await Promise.allSettled(runs)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}
