import { useSyncExternalStore } from 'react'
import { largestImportBytes, uploadImport } from '#features/imports/imports.contract.ts'
import type { ImportKind } from '#features/mappings/kinds.contract.ts'
import { ApiError, call, messageOf } from '#web/api.ts'
import { createListeners } from '#web/listeners.ts'
import { statementOf } from '#web/query.ts'
import { fileWeight } from '#web/ui/file-field.tsx'
import { toast } from '#web/ui/toast.ts'

// The upload is stored outside React: a user who leaves the page and comes back finds it still running.

/** A file being sent, `share` of it from 0 to 1, or that could not be sent, for the reason `fault`. */
export type FileUpload = { fileName: string; share: number; fault: string | null }

const listeners = createListeners()
let current: FileUpload | null = null
let running: AbortController | null = null

function publish(next: FileUpload | null): void {
  current = next
  listeners.notify()
}

/** Returns the file that is being sent, or whose upload failed. */
export function useUpload(): FileUpload | null {
  return useSyncExternalStore(listeners.subscribe, () => current)
}

/**
 * Sends a file.
 *
 * @returns the id of its import; null when it could not be sent, which `useUpload` then reports, or was cancelled
 */
export async function startUpload(file: File, kind: ImportKind): Promise<number | null> {
  const fileName = file.name
  if (file.size > largestImportBytes) {
    const fault = `Ce fichier pèse ${fileWeight(file.size)}\u202f; 200\u00a0Mo au plus sont acceptés.`
    publish({ fileName, share: 0, fault })
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

/** Aborts the upload; the server stores nothing of the file. */
export function cancelUpload(): void {
  running?.abort()
}

/** Clears the message of a failed upload. */
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
