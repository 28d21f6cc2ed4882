import {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { isDiskFull, isSerializationFailure, isStatementCancelled, isUnavailable } from '#server/db/errors.ts'
import { countEachSecond } from '#server/each-second.ts'
import { AppError } from '#server/errors.ts'
import type { Problem } from '#shared/contract.ts'

/**
 * Answers a request whose address cannot be decoded; no route and no hook runs for it.
 *
 * @param headers those that hooks add to every other response
 */
export function answerUnreadable(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: Record<string, string>,
): void {
  reply.headers({ ...headers, 'x-request-id': request.id })
  sendRefusal(new AppError('invalid', 'Cette adresse ne peut pas être lue.'), request, reply)
}

/** Does not log a response that failed because the client disconnected. */
export class StreamLog extends LogController {
  override streamError(...[error, request, reply, ...more]: Parameters<LogController['streamError']>): void {
    if (!reply.raw.destroyed) super.streamError(error, request, reply, ...more)
  }
}

/** Adds the error handler that converts any error to the error body; only server errors (500 and above) are logged. */
export function answerFailures(http: FastifyInstance): void {
  const reportUnavailable = countEachSecond((refused) =>
    http.log.error({ refused }, 'the database does not answer'),
  )
  // Reporters by refusal message.
  const reporters = new Map<string, () => void>()
  function reportRefusal(why: string): void {
    const report = reporters.get(why) ?? countEachSecond((refused) => http.log.warn({ refused }, why))
    reporters.set(why, report)
    report()
  }
  http.setErrorHandler(async (error: FastifyError, request, reply) => {
    const refusal = refusalOf(error)
    // The client has disconnected, so an error that results from it is not logged.
    if (reply.raw.destroyed) return sendRefusal(refusal, request, reply)
    if (isUnavailable(error)) {
      reportUnavailable()
      return sendRefusal(refusal, request, reply)
    }
    // A deliberate 503 (timeout, overload) needs no stack trace in the log.
    if (error instanceof AppError && refusal.status >= 500) reportRefusal(refusal.message)
    else if (refusal.status >= 500) {
      request.log.error({ err: error, route: request.routeOptions.url }, 'request failed')
    }
    return sendRefusal(refusal, request, reply)
  })
}

/** Sends the error body; replaces the status, the type and the serializer that the route has set. */
export function sendRefusal(refusal: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const body: Problem = {
    message: refusal.message,
    code: refusal.code,
    error: refusal.title,
    errors: refusal.fields,
    requestId: request.id,
  }
  if (refusal.code === 'unauthenticated') {
    reply.header('www-authenticate', 'Bearer')
  }
  if (refusal.retryAfterS !== undefined) {
    reply.header('retry-after', Math.ceil(refusal.retryAfterS))
  }
  if (refusal.limit) {
    // draft-ietf-httpapi-ratelimit-headers-11
    const { name, hits, windowS } = refusal.limit
    const policy = `"${name}";q=${hits}`
    reply.header('ratelimit-policy', windowS === undefined ? policy : `${policy};w=${windowS}`)
    reply.header('ratelimit', `"${name}";r=0;t=${Math.ceil(refusal.retryAfterS ?? 0)}`)
  }
  return reply
    .status(refusal.status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(body)
}

function refusalOf(error: FastifyError): AppError {
  if (error instanceof AppError) {
    return error
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    return invalidInput(error)
  }
  return (
    refusalOfDatabase(error) ??
    refusalOfHttp(error) ??
    new AppError('internal', 'Une erreur est survenue', { cause: error })
  )
}

function invalidInput(error: {
  validation: { instancePath: string; message?: string | undefined }[]
  validationContext?: string | undefined
}): AppError {
  const fields = error.validation.map(({ instancePath, message }) => ({
    field: instancePath.replace(/^\//, '').replaceAll('/', '.') || 'corps',
    message: message ?? 'Valeur refusée',
  }))
  const [first] = fields
  const wrong = new Set(fields.map(({ field }) => field)).size
  // A form's message does not name the field as the API does; `errors` does.
  const one = error.validationContext === 'body' ? first?.message : `${first?.field}\u00a0: ${first?.message}`
  const summary = wrong > 1 ? `${wrong} champs sont à corriger.` : (one ?? 'Valeur refusée')
  return new AppError('invalid', summary, { fields })
}

function refusalOfDatabase(error: unknown): AppError | undefined {
  const unavailable = (message: string, retryAfterS: number) =>
    new AppError('unavailable', message, { retryAfterS, cause: error })
  if (isUnavailable(error)) {
    return unavailable('La base de données ne répond pas. Réessayez dans quelques secondes.', 2)
  }
  if (isStatementCancelled(error)) {
    return unavailable('La réponse a pris trop de temps. Réessayez, ou réduisez la sélection.', 5)
  }
  if (isSerializationFailure(error)) {
    return unavailable('Quelqu’un a écrit au même moment. Réessayez.', 1)
  }
  if (isDiskFull(error)) {
    return unavailable('Rien ne peut être enregistré pour le moment. Réessayez plus tard.', 60)
  }
  return undefined
}

const httpRefusals: Record<string, ConstructorParameters<typeof AppError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'Ce qui a été envoyé est trop volumineux.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported', 'Ce format d’envoi n’est pas pris en charge.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['invalid', 'Le corps de la requête est vide.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['invalid', 'Le corps de la requête n’est pas un JSON valide.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid', 'La longueur annoncée de la requête est fausse.'],
  FST_FILES_LIMIT: ['invalid', 'Un seul fichier est attendu.'],
  FST_FIELDS_LIMIT: ['invalid', 'Trop de champs dans l’envoi.'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: ['unsupported', 'Un envoi multipart/form-data est attendu.'],
}

function refusalOfHttp(error: FastifyError): AppError | undefined {
  const mapped = httpRefusals[error.code]
  if (mapped) {
    return new AppError(...mapped)
  }
  if (error.statusCode === 413) {
    return new AppError('too_large', 'Ce qui a été envoyé est trop volumineux.')
  }
  // Any other 4xx of Fastify or a parser is the client's error; its English message is not sent.
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError('invalid', 'La requête n’a pas pu être comprise.')
  }
  return undefined
}
