import { toast } from '#web/ui/toast.ts'

/**
 * Copies a text to the clipboard and shows a notification.
 *
 * @param done message of the notification: « Adresse copiée »
 */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(done)
  } catch {
    toast.error('Copie impossible\u00a0: sélectionnez le texte, puis copiez-le.')
  }
}
