/** The countries that libphonenumber-js knows. Its own type is not installed, because that package is bundled. */
export type CountryCode =
  | `A${'C' | 'D' | 'E' | 'F' | 'G' | 'I' | 'L' | 'M' | 'O' | 'R' | 'S' | 'T' | 'U' | 'W' | 'X' | 'Z'}`
  | `B${'A' | 'B' | 'D' | 'E' | 'F' | 'G' | 'H' | 'I' | 'J' | 'L' | 'M' | 'N' | 'O' | 'Q' | 'R' | 'S' | 'T' | 'W' | 'Y' | 'Z'}`
  | `C${'A' | 'C' | 'D' | 'F' | 'G' | 'H' | 'I' | 'K' | 'L' | 'M' | 'N' | 'O' | 'R' | 'U' | 'V' | 'W' | 'X' | 'Y' | 'Z'}`
  | `D${'E' | 'J' | 'K' | 'M' | 'O' | 'Z'}`
  | `E${'C' | 'E' | 'G' | 'H' | 'R' | 'S' | 'T'}`
  | `F${'I' | 'J' | 'K' | 'M' | 'O' | 'R'}`
  | `G${'A' | 'B' | 'D' | 'E' | 'F' | 'G' | 'H' | 'I' | 'L' | 'M' | 'N' | 'P' | 'Q' | 'R' | 'T' | 'U' | 'W' | 'Y'}`
  | `H${'K' | 'N' | 'R' | 'T' | 'U'}`
  | `I${'D' | 'E' | 'L' | 'M' | 'N' | 'O' | 'Q' | 'R' | 'S' | 'T'}`
  | `J${'E' | 'M' | 'O' | 'P'}`
  | `K${'E' | 'G' | 'H' | 'I' | 'M' | 'N' | 'P' | 'R' | 'W' | 'Y' | 'Z'}`
  | `L${'A' | 'B' | 'C' | 'I' | 'K' | 'R' | 'S' | 'T' | 'U' | 'V' | 'Y'}`
  | `M${'A' | 'C' | 'D' | 'E' | 'F' | 'G' | 'H' | 'K' | 'L' | 'M' | 'N' | 'O' | 'P' | 'Q' | 'R' | 'S' | 'T' | 'U' | 'V' | 'W' | 'X' | 'Y' | 'Z'}`
  | `N${'A' | 'C' | 'E' | 'F' | 'G' | 'I' | 'L' | 'O' | 'P' | 'R' | 'U' | 'Z'}`
  | `O${'M'}`
  | `P${'A' | 'E' | 'F' | 'G' | 'H' | 'K' | 'L' | 'M' | 'R' | 'S' | 'T' | 'W' | 'Y'}`
  | `Q${'A'}`
  | `R${'E' | 'O' | 'S' | 'U' | 'W'}`
  | `S${'A' | 'B' | 'C' | 'D' | 'E' | 'G' | 'H' | 'I' | 'J' | 'K' | 'L' | 'M' | 'N' | 'O' | 'R' | 'S' | 'T' | 'V' | 'X' | 'Y' | 'Z'}`
  | `T${'A' | 'C' | 'D' | 'G' | 'H' | 'J' | 'K' | 'L' | 'M' | 'N' | 'O' | 'R' | 'T' | 'V' | 'W' | 'Z'}`
  | `U${'A' | 'G' | 'S' | 'Y' | 'Z'}`
  | `V${'A' | 'C' | 'E' | 'G' | 'I' | 'N' | 'U'}`
  | `W${'F' | 'S'}`
  | `X${'K'}`
  | `Y${'E' | 'T'}`
  | `Z${'A' | 'M' | 'W'}`;
