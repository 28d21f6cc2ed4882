import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { AppError, invalidField } from '#server/errors.ts'
import type { FileStore } from '#server/files/file-store.ts'
import { readParts } from '#server/http/parts.ts'

const french = new Intl.NumberFormat('fr-FR')

/** A stored upload: its key in the file store, its name as the sender gave it, and its size. */
export type Upload = { key: string; fileName: string; bytes: number }

/**
 * Streams the one file of a multipart form to disk; only one chunk is in memory at a time. Nothing is left of the file
 * when this rejects.
 *
 * @throws AppError 400 without a file, or when the form is broken or cut; 413 beyond `mostBytes`
 */
export async function receiveFile(
  request: FastifyRequest,
  files: FileStore,
  mostBytes: number,
): Promise<Upload> {
  const tooLarge = new AppError(
    'too_large',
    `Le fichier dépasse ${french.format(mostBytes / 1_000_000)}\u00a0Mo.`,
  )
  const upload = await readParts(request, { mostBytes, tooLarge }, async (parts) => {
    let stored: Upload | null = null
    try {
      for await (const part of parts) {
        if (part.type !== 'file') continue
        const key = randomUUID()
        const bytes = await files.keep(key, part.file)
        stored = { key, fileName: nameOf(part.filename), bytes }
        if (part.file.truncated) throw tooLarge
      }
      return stored
    } catch (error) {
      if (stored) await files.remove(stored.key)
      throw error
    }
  })
  if (!upload) throw invalidField('file', 'Choisissez un fichier à importer.')
  if (upload.bytes === 0) {
    await files.remove(upload.key)
    throw invalidField('file', 'Ce fichier est vide.')
  }
  return upload
}

/** Returns the last component of a file name, without control characters, in at most 200 characters. */
function nameOf(given: string): string {
  const name = given.split(/[/\\]/).at(-1) ?? ''
  const shown = name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '')
    .normalize()
    .trim()
  return Array.from(shown).slice(0, 200).join('') || 'fichier sans nom'
}
