import { saveFile } from '#web/download.ts'

/** Copies a picture to the clipboard; saves it as a file when the clipboard does not accept pictures. */
export async function copyImage(image: Promise<Blob>, name: string): Promise<'copied' | 'saved'> {
  try {
    // Safari requires the promise itself, within the click handler.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': image })])
    return 'copied'
  } catch {
    saveFile(await image, name)
    return 'saved'
  }
}
