import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { createClosing } from '#server/http/closing.ts'
import { answerFailures, answerUnreadable, StreamLog } from '#server/http/failures.ts'
import { describeApi } from '#server/http/openapi.ts'
import { type Admission, sheddingServer } from '#server/http/overload.ts'
import { routeForms } from '#server/http/pages.ts'
import { malformedAnswerer } from '#server/http/plain-refusals.ts'
import { secure, strictHeaders } from '#server/http/security.ts'
import { skipUnchangedAnswers } from '#server/http/unchanged-answers.ts'
import type { Log } from '#server/log.ts'
import { largestFileBytes } from '#shared/contract.ts'
import { frenchIssue } from '#shared/french-issues.ts'

z.config({ localeError: frenchIssue })

const mebibyte = 1024 * 1024
const timeouts = {
  patience: {
    usual: 30_000,
    // 200 MB at half a megabit per second.
    slow: 3_600_000,
    mayBeSlow: (path: string) => path.startsWith('/api/imports'),
  },
  connectionTimeout: 120_000,
  keepAliveTimeout: 72_000,
}

/**
 * Creates an HTTP server with the hooks and parsers that all routes share. The caller adds routes before it listens.
 */
export async function createHttp(options: {
  log: Log
  publicUrl: string | null
  trustedProxies: number
  admission: Admission
  /** User id of the caller, if it is cached in memory. */
  callerOf?: (request: IncomingMessage) => number | undefined
  /** Descriptions of field and parameter names, for the OpenAPI document. */
  words?: readonly string[]
  /** Paths of lists whose file at `/export` is also the response to `?format=csv`. */
  lists?: readonly string[]
}): Promise<FastifyInstance> {
  // Fastify's own log lines for each request are too verbose; the one below replaces them.
  const quiet = options.log.isLevelEnabled('warn') ? 'warn' : options.log.level
  const logger: FastifyBaseLogger = options.log.child({}, { level: quiet })
  const headers = strictHeaders(options.publicUrl)
  const closing = createClosing()
  const http: FastifyInstance = Fastify({
    serverFactory: sheddingServer(options.admission, {
      headers,
      log: options.log,
      closing,
      callerOf: options.callerOf ?? (() => undefined),
      trustedProxies: options.trustedProxies,
      ...timeouts,
    }),
    loggerInstance: logger,
    logController: new StreamLog(),
    genReqId: () => randomUUID(),
    trustProxy: (_address: string, hop: number) => hop < options.trustedProxies,
    bodyLimit: mebibyte,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    return503OnClosing: true,
    rewriteUrl: ({ url = '/' }) => escapeInvalidPercent(asFile(url, options.lists ?? [])),
    frameworkErrors: (_error, request, reply) => answerUnreadable(request, reply, headers),
    clientErrorHandler: malformedAnswerer(headers),
  })
  http.removeContentTypeParser('text/plain')
  takeNothingForNoBody(http)
  routeForms(http)
  http.setValidatorCompiler(validatorCompiler)
  http.setSerializerCompiler(serializerCompiler)
  refuseUndeclaredRights(http)
  http.addHook('preClose', closing.begin)
  answerFailures(http)
  secure(http, options.publicUrl)
  http.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (/^\/api(\/|\?|$)/.test(request.url) && !reply.hasHeader('cache-control')) {
      reply.header('cache-control', 'no-store')
    }
  })
  http.addHook('onResponse', async (request, reply) => {
    options.log.info(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
  })
  skipUnchangedAnswers(http)
  await http.register(cookie)
  await http.register(compress, { threshold: 1024, encodings: ['br', 'gzip'] })
  await http.register(multipart, {
    limits: {
      fileSize: largestFileBytes,
      files: 1,
      fields: 20,
      // Beyond a limit on parts, the parser would not handle the error of a truncated form, which ends the process.
      parts: Number.POSITIVE_INFINITY,
      fieldSize: 10_000,
      headerPairs: 50,
    },
  })
  await describeApi(http, options.publicUrl, options.words ?? [])
  return http
}

// « /prix-en-100% » is not a valid encoding; it gets the 404 of any unknown page, not the error of a malformed request.
function escapeInvalidPercent(url: string): string {
  const [path = ''] = url.split('?', 1)
  try {
    if (path.includes('%')) decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}

// Changes are not in the file of a whole list.
const ofChanges = ['updatedSince', 'cursor']

/** Returns the address of the file for programs, where a list is asked for as `?format=csv`. */
function asFile(url: string, lists: readonly string[]): string {
  const [path = '', query = ''] = url.split('?', 2)
  const list = path.replace(/\/export$/, '')
  const asked = new URLSearchParams(query)
  if (asked.get('format') !== 'csv' || !lists.includes(list) || ofChanges.some((name) => asked.has(name)))
    return url
  asked.delete('format')
  asked.set('fileFormat', 'csv-machine')
  return `${list}/export?${asked}`
}

// Accepts an empty body: many clients send the JSON content type even without a body (DELETE, sign-out).
function takeNothingForNoBody(http: FastifyInstance): void {
  // Prototype-poisoning keys (`__proto__`, `constructor`) are dropped, like any field unknown to the contract.
  const parseJson = http.getDefaultJsonParser('remove', 'remove')
  http.removeContentTypeParser('application/json')
  http.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '' && !request.routeOptions.schema?.body) done(null, undefined)
    else parseJson(request, text, done)
  })
}

// Denied by default: the server does not start when an API route declares no right.
function refuseUndeclaredRights(http: FastifyInstance): void {
  http.addHook('onRoute', (route) => {
    const isAsset = route.method === 'HEAD' || !route.url.startsWith('/api')
    if (!isAsset && route.config?.right === undefined) {
      throw new Error(`${String(route.method)} ${route.url} declares no right`)
    }
  })
}
