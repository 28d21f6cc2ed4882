import type { Endpoint, ParamsOf, QueryOf } from '#shared/contract.ts'
import { type Address, ApiError, open } from '#web/api.ts'

/**
 * Downloads the file that an endpoint returns, under the name given by the server.
 *
 * @param onReceived called with the number of bytes received so far
 * @throws ApiError when the server refuses or the download is cut off: nothing is saved then
 */
export async function download<E extends Endpoint>(
  endpoint: E | Address<E>,
  input: { params?: ParamsOf<E>; query?: Partial<QueryOf<E>>; signal: AbortSignal },
  onReceived: (bytes: number) => void,
): Promise<void> {
  const response = await open(endpoint, input)
  const blob = await new Response(countReceived(response, onReceived)).blob().catch((error: unknown) => {
    if (input.signal.aborted) throw error
    throw new ApiError(500, 'Le téléchargement a été interrompu. Réessayez.')
  })
  const type = response.headers.get('content-type') ?? ''
  saveFile(new Blob([blob], { type }), nameOf(response) ?? 'export')
}

function countReceived(response: Response, onReceived: (bytes: number) => void): ReadableStream | null {
  let bytes = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length
      onReceived(bytes)
      controller.enqueue(chunk)
    },
  })
  return response.body?.pipeThrough(counter) ?? null
}

function nameOf(response: Response): string | undefined {
  return /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
}

/** Saves a file with the browser's downloads. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser may still read the file after the click, so the URL is revoked later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
