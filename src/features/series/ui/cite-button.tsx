import { Copy, Quote } from 'lucide-react'
import { useState } from 'react'
import { today } from '#features/prices/ui/price-selection.ts'
import { formatDate } from '#web/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'

type CiteProps = {
  product: { id: number; name: string; weight: string }
  market: { id: number; name: string; location: string }
}

/** How a text quotes this price: a line, and an entry for BibTeX. */
export function CiteButton({ product, market }: CiteProps) {
  const [isOpen, setOpen] = useState(false)
  const title = `${product.name}, ${product.weight}, ${market.name}, ${market.location}`
  const address = `${location.origin}/series/${product.id}/${market.id}`
  const line = `Ntalo, «\u202fPrix de ${title}\u202f», consulté le ${formatDate(today())}, ${address}`
  const bibtex = [
    `@misc{ntalo-${product.id}-${market.id},`,
    `  author = {{Ntalo}},`,
    `  title = {Prix de ${title}},`,
    `  year = {${today().slice(0, 4)}},`,
    `  urldate = {${today()}},`,
    `  url = {${address}}`,
    '}',
  ].join('\n')
  return (
    <>
      <Button icon={Quote} onClick={() => setOpen(true)}>
        Citer
      </Button>
      {isOpen && (
        <Dialog
          open
          title="Citer ce prix"
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
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      toast.success('Citation copiée')
    } catch {
      toast.error('Copie impossible\u00a0: sélectionnez le texte, puis copiez-le.')
    }
  }
  return (
    <div>
      <div className="flex items-center justify-between gap-3">
        <h3 className="font-medium">{label}</h3>
        <Button variant="ghost" icon={Copy} onClick={copy}>
          Copier
        </Button>
      </div>
      <p className="mt-1 rounded-md bg-sunken p-3 text-sm whitespace-pre-wrap wrap-anywhere select-all">
        {text}
      </p>
    </div>
  )
}
