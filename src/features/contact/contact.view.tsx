import { Mail, MapPin, Phone } from 'lucide-react'
import { CountryMap, MapName, mapPoint } from '#features/markets/country-map.view.tsx'
import { defaultPlace, type Site } from '#shared/site.ts'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { PublicLayout } from '#web/layouts/public-layout.view.tsx'
import {
  type Faults,
  FormEmail,
  FormInput,
  FormName,
  FormTextarea,
  type Notice,
  NoticeBox,
  SubmitButton,
} from '#web/ui/form.view.tsx'

type ContactProps = {
  values: Readonly<Record<string, string>>
  notice: Notice | null
  faults: Faults
  site: Site
  isDemonstration: boolean
}

const lead = 'Une question sur un chiffre, un marché à couvrir, un partenariat\u00a0: écrivez-nous.'

export function head(): DocumentHead {
  return {
    title: 'Contact · Ntalo',
    description: lead,
    canonicalPath: '/contact',
    enhancement: 'public-site',
  }
}

export function ContactView({ values, notice, faults, site, isDemonstration }: ContactProps) {
  return (
    <PublicLayout site={site} isDemonstration={isDemonstration}>
      <div className="mx-auto max-w-6xl px-4 py-8 md:px-8 md:py-12">
        <h1 className="text-xl font-semibold tracking-tight">Contact</h1>
        <p className="mt-2 text-base text-ink-soft">{lead}</p>
        <div className="mt-8 grid items-start gap-8 lg:grid-cols-[1.3fr_1fr]">
          <div className="rounded-md border border-line bg-surface p-5 sm:p-8">
            <NoticeBox notice={notice} />
            <form method="post" action="/contact" className="space-y-4">
              <FormName {...{ values, faults }} />
              <FormEmail {...{ values, faults }} autoComplete="email" />
              <FormInput
                name="subject"
                label="Sujet"
                required={false}
                maxLength={200}
                defaultValue={values.subject}
                fault={faults.subject}
              />
              <FormTextarea
                name="message"
                label="Message"
                maxLength={5000}
                defaultValue={values.message}
                fault={faults.message}
              />
              <p className="hidden" aria-hidden="true">
                <label htmlFor="website">Laissez ce champ vide</label>
                <input id="website" name="website" tabIndex={-1} autoComplete="off" />
              </p>
              <SubmitButton>Envoyer le message</SubmitButton>
            </form>
          </div>
          <Coordinates site={site} />
        </div>
      </div>
    </PublicLayout>
  )
}

function Coordinates({ site }: { site: Site }) {
  const here = { name: 'Ntalo', ...(site.place ?? defaultPlace) }
  const lines = [
    { icon: MapPin, label: 'Adresse', value: site.address, otherwise: 'Kinshasa, RD Congo', href: null },
    {
      icon: Mail,
      label: 'E-mail',
      value: site.email,
      otherwise: 'Par le formulaire',
      href: `mailto:${site.email}`,
    },
    {
      icon: Phone,
      label: 'Téléphone',
      value: site.phone,
      otherwise: 'Non communiqué',
      href: `tel:${site.phone?.replaceAll(/[^\d+]/g, '')}`,
    },
  ]
  return (
    <aside aria-label="Coordonnées" className="rounded-md border border-line bg-surface p-5">
      <dl className="space-y-4">
        {lines.map(({ icon: Icon, label, value, otherwise, href }) => (
          <div key={label}>
            <dt className="flex items-center gap-3 text-ink-soft">
              <Icon className="size-4.5 shrink-0 text-river" aria-hidden />
              {label}
            </dt>
            <dd className="pl-7.5 font-medium wrap-anywhere">
              {value && href ? (
                <a href={href} className="inline-block py-1 text-river underline">
                  {value}
                </a>
              ) : (
                (value ?? otherwise)
              )}
            </dd>
          </div>
        ))}
      </dl>
      <div className="mt-6">
        <CountryMap label={`Carte de la RD Congo\u00a0: où nous sommes`} named={[here]}>
          <circle {...mapPoint(here)} r="40" className="fill-river-fill stroke-surface" strokeWidth="8" />
          <g className="fill-ink font-semibold">
            <MapName place={here} gap={64} />
          </g>
        </CountryMap>
      </div>
    </aside>
  )
}
