import { saveFile } from '#web/download.ts'

/** Puts a picture on the clipboard, or in the downloads where the clipboard takes no picture. */
export async function copyImage(image: Promise<Blob>, name: string): Promise<'copied' | 'saved'> {
  try {
    // Safari wants the promise itself, inside the click.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': image })])
    return 'copied'
  } catch {
    saveFile(await image, name)
    return 'saved'
  }
}
