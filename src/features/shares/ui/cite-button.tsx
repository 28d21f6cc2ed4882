import { Copy, Quote } from 'lucide-react'
import { useState } from 'react'
import { dayInKinshasa } from '#shared/days.ts'
import { formatDate } from '#web/format.ts'
import { Button } from '#web/ui/button.tsx'
import { copyText } from '#web/ui/copy-text.ts'
import { Dialog } from '#web/ui/dialog.tsx'

type CiteProps = {
  /** The title to cite: « Prix du riz, 1 kg, Virunga, Goma ». */
  title: string
  /** The page of the application, with its filters. */
  path: string
  variant?: 'ghost'
}

/** Shows how to cite a page: as text, and as a BibTeX entry. */
export function CiteButton({ title, path, variant }: CiteProps) {
  const [isOpen, setOpen] = useState(false)
  const address = location.origin + path
  const day = dayInKinshasa(new Date())
  const line = `Ntalo, «\u202f${title}\u202f», consulté le ${formatDate(day)}, ${address}`
  const key = path.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '')
  const bibtex = [
    `@misc{ntalo-${key},`,
    `  author = {{Ntalo}},`,
    `  title = {${title.replaceAll(/[%&_#$]/g, '\\$&')}},`,
    `  year = {${day.slice(0, 4)}},`,
    `  urldate = {${day}},`,
    `  url = {${address}}`,
    '}',
  ].join('\n')
  return (
    <>
      <Button variant={variant} icon={Quote} onClick={() => setOpen(true)}>
        Citer
      </Button>
      {isOpen && (
        <Dialog
          open
          title="Citer cette page"
          onClose={() => setOpen(false)}
          footer={<Button onClick={() => setOpen(false)}>Fermer</Button>}
        >
          <div className="space-y-4">
            <Citation label="Texte" text={line} />
            <Citation label="BibTeX" text={bibtex} />
          </div>
        </Dialog>
      )}
    </>
  )
}

function Citation({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <div className="flex items-center justify-between gap-3">
        <h3 className="font-medium">{label}</h3>
        <Button variant="ghost" icon={Copy} onClick={() => copyText(text, 'Citation copiée')}>
          Copier
        </Button>
      </div>
      <p className="mt-1 rounded-md bg-sunken p-3 text-sm whitespace-pre-wrap wrap-anywhere select-all">
        {text}
      </p>
    </div>
  )
}
