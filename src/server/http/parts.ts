import type { IncomingMessage } from 'node:http'
import type { Multipart } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { isDiskFull } from '#server/db/errors.ts'
import { AppError } from '#server/errors.ts'

// Size allowed for the form's fields and part boundaries, in addition to the file.
const otherBytes = 256 * 1024

/** How long (ms) the parser may take after the request has been received completely. */
const silenceMs = 250

/**
 * Reads a multipart form part by part.
 *
 * @param limits maximum file size (bytes), and the error for a larger one
 * @throws AppError 400 when the form is broken or cut
 */
export async function readParts<T>(
  request: FastifyRequest,
  limits: { mostBytes: number; tooLarge: AppError },
  read: (parts: AsyncIterable<Multipart>) => Promise<T>,
): Promise<T> {
  const { mostBytes, tooLarge } = limits
  if (Number(request.headers['content-length']) > mostBytes + otherBytes) throw tooLarge
  try {
    return await read(withPartTimeout(request.raw, request.parts({ limits: { fileSize: mostBytes } })))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'FST_REQ_FILE_TOO_LARGE') throw tooLarge
    if (isDiskFull(error)) throw error
    // The parser's own errors have no status; the refusals of its plugin do, and are worded by the error handler.
    if (error instanceof AppError || (error instanceof Error && 'statusCode' in error)) throw error
    throw new AppError('invalid', 'L’envoi est incomplet ou mal formé.', { cause: error })
  }
}

// With some malformed forms the parser never ends a part, so waiting is limited once the whole request is received.
async function* withPartTimeout(request: IncomingMessage, parts: AsyncIterable<Multipart>) {
  const iterator = parts[Symbol.asyncIterator]()
  for (;;) {
    const { done, value } = await nextBeforeTimeout(request, iterator.next())
    if (done) return
    yield value
  }
}

async function nextBeforeTimeout<T>(request: IncomingMessage, next: Promise<T>): Promise<T> {
  const { promise: silence, reject } = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    timer = setTimeout(() => reject(new Error('the multipart parser did not end the form')), silenceMs)
  }
  if (request.readableEnded) wait()
  else request.once('end', wait)
  try {
    return await Promise.race([next, silence])
  } finally {
    clearTimeout(timer)
    request.off('end', wait)
  }
}
