/** Hands a file to the browser's downloads. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Not at once: some browsers start reading after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

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
