import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { codeOf } from '#server/db/errors.ts'
import { parseJson } from '#shared/parse-json.ts'

type JsonAnswer = { status: number; body: unknown }
type JsonRequest = {
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: unknown
  /** Form fields, sent instead of `body`. */
  form?: Record<string, string>
  timeoutMs: number
}
/** `isUnsent`: no connection was made, so the service has received nothing. */
type NoAnswer = { reason: string; isUnsent: boolean }

/**
 * Calls an HTTP service and parses its response as JSON; `body` is null when the response is not JSON.
 *
 * @throws when there is no response within `timeoutMs`, or it is a redirect
 */
export async function requestJson(url: string, request: JsonRequest): Promise<JsonAnswer> {
  const { method, headers, body, form, timeoutMs } = request
  if (method === 'GET' && body !== undefined) return getWithBody(url, request)
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(form && { body: new URLSearchParams(form) }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await response.text()
  return { status: response.status, body: parseJson(text) }
}

/** Sends a GET with a body, which some services require and `fetch` refuses. */
function getWithBody(url: string, { headers, body, timeoutMs }: JsonRequest): Promise<JsonAnswer> {
  const begin = url.startsWith('https:') ? requestHttps : requestHttp
  const text = JSON.stringify(body)
  const given = {
    accept: 'application/json',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  }
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const asked = begin(url, { method: 'GET', headers: given, signal }, (response) => {
      const chunks: Buffer[] = []
      const status = response.statusCode ?? 0
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        status >= 300 && status < 400
          ? reject(new Error('unexpected redirect'))
          : resolve({ status, body: parseJson(Buffer.concat(chunks).toString()) }),
      )
    })
    asked.on('error', reject)
    asked.end(text)
  })
}

/** Calls `requestJson`; when there is no response (refused, cut, too slow), returns the reason instead of throwing. */
export async function tryRequestJson(url: string, request: JsonRequest): Promise<JsonAnswer | NoAnswer> {
  try {
    return await requestJson(url, request)
  } catch (error) {
    const reason = error instanceof Error ? `${error.name} ${error.message}` : String(error)
    return { reason, isUnsent: unsent.has(codeOf(Object(error).cause) ?? '') }
  }
}

/**
 * Downloads a file from an address given by a third party.
 *
 * @throws when the download is not complete within `timeoutMs`, is a redirect, or exceeds `maxBytes`
 */
export async function requestFile(
  url: string,
  { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number },
): Promise<Blob> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok || !response.body) {
    await response.body?.cancel()
    throw new Error(`answered ${response.status}`)
  }
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    // Leaving the loop closes the connection.
    if (size > maxBytes) throw new Error(`more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return new Blob(chunks)
}

const unsent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])
