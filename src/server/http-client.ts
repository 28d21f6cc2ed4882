import { codeOf } from '#server/db/errors.ts'

type JsonAnswer = { status: number; body: unknown }
type JsonRequest = {
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: unknown
  /** In the place of `body`: fields of a form. */
  form?: Record<string, string>
  timeoutMs: number
}
/** `isUnsent`: no connection was made, so that the service has taken nothing. */
type NoAnswer = { reason: string; isUnsent: boolean }

/**
 * Calls a service over HTTP and reads its answer as JSON; `body` is null when it is none.
 *
 * @throws when no answer came within `timeoutMs`, or it leads elsewhere
 */
export async function requestJson(url: string, request: JsonRequest): Promise<JsonAnswer> {
  const { method, headers, body, form, timeoutMs } = request
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
  return { status: response.status, body: parsedJson(text) }
}

/** The same, where no answer is an answer too: refused, cut or too slow, nobody knows whether it was taken. */
export async function askJson(url: string, request: JsonRequest): Promise<JsonAnswer | NoAnswer> {
  try {
    return await requestJson(url, request)
  } catch (error) {
    const reason = error instanceof Error ? `${error.name} ${error.message}` : String(error)
    return { reason, isUnsent: unsent.has(codeOf(Object(error).cause) ?? '') }
  }
}

/**
 * Fetches a file from an address that somebody else gave.
 *
 * @throws when it does not come whole within `timeoutMs`, leads elsewhere, or has more than `maxBytes`
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
    // Leaving the loop ends the connection.
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

/** What a text says as JSON; null when it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
