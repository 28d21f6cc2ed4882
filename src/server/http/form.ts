import type { Multipart } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError, invalidField } from '#server/errors.ts'
import { readParts } from '#server/http/parts.ts'
import { largestFileBytes } from '#shared/contract.ts'

/**
 * Reads a multipart form into a plain object, for the body's schema to validate: texts as they are, the one file as a
 * `File` under `fileField`, whatever the form calls it. No more than the largest image is buffered in memory.
 *
 * @throws AppError 400 when the form is broken or a field comes twice, 413 when the file is too large
 */
export async function readForm(request: FastifyRequest, fileField: string): Promise<Record<string, unknown>> {
  const message = 'Le fichier dépasse 5\u00a0Mo.'
  const tooLarge = new AppError('too_large', message, { fields: [{ field: fileField, message }] })
  return readParts(request, { mostBytes: largestFileBytes, tooLarge }, (parts) => read(parts, fileField))
}

async function read(parts: AsyncIterable<Multipart>, fileField: string) {
  const form: Record<string, unknown> = Object.create(null)
  let fault: AppError | undefined
  // Read to the end even after a fault: a connection with unread bytes cannot serve its next request.
  for await (const part of parts) {
    const name = part.type === 'file' ? fileField : part.fieldname
    const value = part.type === 'file' ? await fileOf(part) : part.value
    if (value === undefined) continue
    if (name in form) fault ??= invalidField(name, 'Ce champ est envoyé plusieurs fois')
    if (part.type === 'field' && part.valueTruncated) fault ??= invalidField(name, 'Ce texte est trop long')
    form[name] = value
  }
  if (fault) throw fault
  return form
}

type FilePart = { filename: string; mimetype: string; toBuffer(): Promise<Buffer> }

async function fileOf(part: FilePart): Promise<File | undefined> {
  const bytes = await part.toBuffer()
  // Browsers send an empty part without a name for an empty file field.
  if (bytes.length === 0 && !part.filename) return undefined
  return new File([new Uint8Array(bytes)], part.filename, { type: part.mimetype })
}
