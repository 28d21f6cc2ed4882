import { Monitor, Moon, Sun } from 'lucide-react'
import { setTheme, type ThemeChoice, useTheme } from '#web/theme.ts'
import { iconButtonClass } from '#web/ui/button.tsx'
import { Menu } from '#web/ui/menu.tsx'

const choices = [
  { choice: 'light', label: 'Clair', icon: Sun },
  { choice: 'dark', label: 'Sombre', icon: Moon },
  { choice: 'system', label: 'Comme l’appareil', icon: Monitor },
] as const satisfies readonly { choice: ThemeChoice; label: string; icon: typeof Sun }[]

/** The choice of the theme: light, dark, or that of the device. */
export function ThemeMenu() {
  const theme = useTheme()
  const Icon = choices.find(({ choice }) => choice === theme)?.icon ?? Monitor
  return (
    <Menu
      label="Apparence"
      button={<Icon className="size-4.5" aria-hidden />}
      buttonClassName={iconButtonClass()}
      items={choices.map(({ choice, label, icon }) => ({
        label,
        icon,
        checked: choice === theme,
        onSelect: () => setTheme(choice),
      }))}
    />
  )
}
