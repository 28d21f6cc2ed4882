// Refusals without Fastify: there is no request yet, or the refusal must be cheap.

import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { AppError } from '#server/errors.ts'
import { knownMethods } from '#server/http/methods.ts'
import type { Problem } from '#shared/contract.ts'

/**
 * Answers with the error body.
 *
 * @param headers headers of every response
 */
export function sendPlainRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: AppError,
  headers: Record<string, string>,
): void {
  const { head, body } = plain(refusal, headers)
  response.writeHead(refusal.status, head)
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Answers bytes that are not a request, or not a complete one in time; only the socket is available. */
export function malformedAnswerer(headers: Record<string, string>) {
  return (error: Error, socket: Socket): void => {
    if (socket.writable) answerOn(socket, refusalOfParser(error), headers)
  }
}

/** Refuses CONNECT, which asks for a tunnel to another host. Node passes the socket and sends no response itself. */
export function refuseTunnel(socket: Duplex, headers: Record<string, string>): void {
  // The client disconnected before the response.
  socket.on('error', () => {})
  socket.resume()
  const refusal = new AppError('method_not_allowed', 'Ce serveur n’ouvre pas de tunnel (CONNECT).')
  answerOn(socket, refusal, { ...headers, allow: knownMethods.join(', ') })
}

function answerOn(socket: Duplex, refusal: AppError, headers: Record<string, string>): void {
  const { head, body } = plain(refusal, { ...headers, date: new Date().toUTCString(), connection: 'close' })
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`,
    () => socket.destroy(),
  )
}

/** Returns the fault of a request's head, before it reaches a route, or null. */
export function faultOfHead({ httpVersion, rawHeaders }: IncomingMessage): AppError | null {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
  const isHostless = hosts === 0 && httpVersion === '1.1'
  return hosts > 1 || isHostless
    ? new AppError('invalid', 'La requête doit nommer une machine, et une seule (en-tête Host).')
    : null
}

export const unmetExpectation = () =>
  new AppError('expectation_failed', 'L’en-tête Expect de cette requête n’est pas pris en charge.')

function refusalOfParser(error: Error): AppError {
  const code = 'code' in error ? error.code : ''
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new AppError('headers_too_large', 'L’adresse et les en-têtes de la requête sont trop longs.')
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new AppError('too_slow', 'La requête a mis trop de temps à arriver.')
  }
  return new AppError('invalid', 'La requête n’a pas pu être comprise.')
}

function plain({ message, code, title, retryAfterS }: AppError, headers: Record<string, string>) {
  const requestId = randomUUID()
  const body = JSON.stringify({ message, code, error: title, errors: [], requestId } satisfies Problem)
  const head: Record<string, string> = {
    ...headers,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': requestId,
    ...(retryAfterS !== undefined && { 'retry-after': String(retryAfterS) }),
  }
  return { head, body }
}
