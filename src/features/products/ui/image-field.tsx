import { useState } from 'react'
import { type Control, type FieldValues, useController } from 'react-hook-form'
import type { z } from 'zod'
import type { products } from '#features/products/products.contract.ts'
import { largestFileBytes } from '#shared/contract.ts'
import { Button } from '#web/ui/button.tsx'
import { FileField, fileWeight } from '#web/ui/file-field.tsx'

type ImageFieldProps = {
  control: Control<z.input<typeof products.input>, unknown, FieldValues>
  /** Address of the stored picture. */
  currentUrl: string | null
  /** Progress of the upload, from 0 to 1. */
  sent: number | null
}

/** Adds, replaces or removes a picture; the server checks its content. */
export function ImageField({ control, currentUrl, sent }: ImageFieldProps) {
  const { field, fieldState } = useController({ control, name: 'image' })
  const [refusal, setRefusal] = useState<string>()
  const isRemoved = field.value === null
  const choose = async (file: File | null) => {
    const fault = file ? (faultOf(file) ?? (await faultOfContent(file))) : undefined
    setRefusal(fault)
    if (!fault) field.onChange(file ?? '')
  }
  return (
    <div className="space-y-2">
      <FileField
        label="Image"
        hint={'JPEG, PNG, WebP ou GIF, 5\u00a0Mo au plus.'}
        accept="image/jpeg,image/png,image/webp,image/gif"
        value={field.value instanceof File ? field.value : null}
        currentUrl={isRemoved ? null : currentUrl}
        error={refusal ?? fieldState.error?.message}
        onChange={(file) => void choose(file)}
      />
      {sent !== null && <Progress share={sent} />}
      {currentUrl && field.value === '' && sent === null && (
        <Button variant="ghost" onClick={() => field.onChange(null)}>
          Retirer l’image
        </Button>
      )}
      {isRemoved && (
        <p className="flex flex-wrap items-center gap-x-3 text-ink-soft">
          L’image sera retirée à l’enregistrement.
          <Button variant="ghost" onClick={() => field.onChange('')}>
            Garder l’image
          </Button>
        </p>
      )}
    </div>
  )
}

function Progress({ share }: { share: number }) {
  return (
    <div className="flex items-center gap-3 text-xs text-ink-soft">
      <progress
        value={share}
        max={1}
        aria-label="Envoi de l’image"
        className="h-2 min-w-0 flex-1 accent-river"
      />
      {share < 1 ? `Envoi\u00a0: ${Math.floor(share * 100)}\u00a0%` : 'Traitement de l’image…'}
    </div>
  )
}

// First bytes of JPEG, PNG, WebP and GIF; the name of a file proves nothing.
const signatures = [/^\xff\xd8\xff/, /^\x89PNG/, /^RIFF.{4}WEBP/s, /^GIF8/]

async function faultOfContent(file: File): Promise<string | undefined> {
  const start = String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()))
  if (signatures.some((signature) => signature.test(start))) return undefined
  return 'Ce fichier n’est pas une image JPEG, PNG, WebP ou GIF. Choisissez-en un autre.'
}

/**
 * Returns why a file cannot be accepted: one that is too large would be refused only after minutes on a slow network.
 */
function faultOf(file: File): string | undefined {
  if (file.size === 0) return 'Ce fichier est vide.'
  if (file.size <= largestFileBytes) return undefined
  return `Cette image pèse ${fileWeight(file.size)}, et 5\u00a0Mo au plus sont acceptés. Réduisez-la ou choisissez-en une autre.`
}
