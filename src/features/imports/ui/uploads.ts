import { useSyncExternalStore } from 'react'
import { largestImportBytes, uploadImport } from '#features/imports/imports.contract.ts'
import type { ImportKind } from '#features/mappings/kinds.contract.ts'
import { ApiError, call, messageOf } from '#web/api.ts'
import { statementOf } from '#web/query.ts'
import { fileWeight } from '#web/ui/file-field.tsx'
import { toast } from '#web/ui/toast.ts'

// What is being sent lives outside React: a user who leaves the page finds it again, still going on.

/** A file on its way; `share` from 0 to 1. */
export type RunningUpload =
  | { fileName: string; share: number; fault: null }
  | { fileName: string; share: number; fault: string }

const listeners = new Set<() => void>()
let current: RunningUpload | null = null
let running: AbortController | null = null

function publish(next: RunningUpload | null): void {
  current = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The file that is being sent, or whose sending failed. */
export function useUpload(): RunningUpload | null {
  return useSyncExternalStore(subscribe, () => current)
}

/**
 * Sends a file.
 *
 * @returns the id of its import; null when it could not be sent, which `useUpload` then tells, or was cancelled
 */
export async function startUpload(file: File, kind: ImportKind): Promise<number | null> {
  const fileName = file.name
  if (file.size > largestImportBytes) {
    publish({
      fileName,
      share: 0,
      fault: `Ce fichier pèse ${fileWeight(file.size)}\u202f; 200\u00a0Mo au plus sont acceptés.`,
    })
    return null
  }
  const controller = new AbortController()
  running = controller
  publish({ fileName, share: 0, fault: null })
  window.addEventListener('beforeunload', holdBack)
  const body = new FormData()
  body.set('file', file)
  try {
    const { id } = await call(uploadImport, {
      query: { kind },
      body,
      signal: controller.signal,
      onSent: (share) => publish({ fileName, share, fault: null }),
    })
    publish(null)
    return id
  } catch (error) {
    const isCancelled = controller.signal.aborted
    publish(isCancelled ? null : { fileName, share: 0, fault: faultOf(error) })
    if (!isCancelled) toast.error(statementOf(error))
    return null
  } finally {
    running = null
    window.removeEventListener('beforeunload', holdBack)
  }
}

/** Stops the sending; nothing of the file stays at the server. */
export function cancelUpload(): void {
  running?.abort()
}

/** Takes the notice of a failed sending away. */
export function dismissUpload(): void {
  publish(null)
}

function holdBack(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

function faultOf(error: unknown): string {
  return error instanceof ApiError && error.isUnanswered
    ? 'La connexion a été coupée. Rien n’a été gardé\u00a0: renvoyez le fichier.'
    : messageOf(error)
}
