/** Selector, what is set, and the colours in the light and in the dark. */
const COLOURS: readonly (readonly [selector: string, property: 'fill' | 'stroke', light: string, dark: string])[] = [
  ['.cs-back', 'fill', '#ffffff', '#181e25'],
  ['.cs-edge', 'stroke', '#d6dbe1', '#2d3640'],
  ['.cs-text,.cs-amount', 'fill', '#161b22', '#e8ecf1'],
  ['.cs-muted,.cs-name', 'fill', '#525c69', '#a3aebb'],
  ['.cs-node', 'fill', '#525c69', '#a3aebb'],
  ['.cs-own', 'fill', '#c9ebd7', '#1d5535'],
  ['.cs-own-mark', 'stroke', '#66b98a', '#4ba473'],
  ['.cs-foreign', 'fill', '#e4e8ed', '#333d49'],
  ['.cs-foreign-mark', 'fill', '#8d99a6', '#8894a1'],
  ['.cs-payment', 'fill', '#9ab6f7', '#3b5aa8'],
  ['.cs-data', 'fill', '#b9c2cd', '#56616e'],
  ['.cs-fee', 'fill', '#eeb04a', '#98701f'],
  ['.cs-refused', 'fill', '#fbdcd8', '#4a1a17'],
  ['.cs-refused-mark', 'stroke', '#d0453c', '#e0564c'],
  ['.cs-stop', 'fill', '#b3261e', '#c2372e'],
  ['.cs-cross.cs-stop', 'stroke', '#b3261e', '#c2372e'],
  ['.cs-unknown,.cs-open', 'stroke', '#525c69', '#a3aebb'],
  ['.cs-word-own', 'fill', '#0b6b3a', '#7fd6a3'],
  ['.cs-word-payment,.cs-word-open', 'fill', '#1b4fd1', '#8fb1ff'],
  ['.cs-word-fee', 'fill', '#7a4b00', '#f0c271'],
  ['.cs-word-refused', 'fill', '#a8201a', '#ff9d94'],
  ['.cs-word-unknown,.cs-word-foreign,.cs-word-data', 'fill', '#525c69', '#a3aebb'],
];

const rules = (theme: 'light' | 'dark'): string =>
  COLOURS.map(
    ([selector, property, light, dark]) => `${selector}{${property}:${theme === 'light' ? light : dark}}`,
  ).join('');

export const STYLE = [
  'text{font-family:system-ui,sans-serif}',
  '.cs-amount,.cs-name{font-family:ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace}',
  '.cs-word,.cs-amount{font-weight:600}',
  '.cs-unknown,.cs-open{fill:none;stroke-width:1.5;stroke-dasharray:5 3}',
  '.cs-own-mark,.cs-refused-mark{fill:none;stroke-width:1.7}',
  '.cs-edge{fill:none}',
  '.cs-on-stop{fill:#fff}',
  '.cs-cross{stroke:#fff;stroke-width:2.2;stroke-linecap:round}',
  rules('light'),
  `@media (prefers-color-scheme:dark){${rules('dark')}}`,
].join('');
