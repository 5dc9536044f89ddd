type Letter<Text extends string> = Text extends `${infer First}${infer Rest}` ? First | Letter<Rest> : never;

/** The countries that libphonenumber-js knows. Its own type is not installed, because that package is bundled. */
export type CountryCode =
  | `A${Letter<'CDEFGILMORSTUWXZ'>}`
  | `B${Letter<'ABDEFGHIJLMNOQRSTWYZ'>}`
  | `C${Letter<'ACDFGHIKLMNORUVWXYZ'>}`
  | `D${Letter<'EJKMOZ'>}`
  | `E${Letter<'CEGHRST'>}`
  | `F${Letter<'IJKMOR'>}`
  | `G${Letter<'ABDEFGHILMNPQRTUWY'>}`
  | `H${Letter<'KNRTU'>}`
  | `I${Letter<'DELMNOQRST'>}`
  | `J${Letter<'EMOP'>}`
  | `K${Letter<'EGHIMNPRWYZ'>}`
  | `L${Letter<'ABCIKRSTUVY'>}`
  | `M${Letter<'ACDEFGHKLMNOPQRSTUVWXYZ'>}`
  | `N${Letter<'ACEFGILOPRUZ'>}`
  | `O${Letter<'M'>}`
  | `P${Letter<'AEFGHKLMRSTWY'>}`
  | `Q${Letter<'A'>}`
  | `R${Letter<'EOSUW'>}`
  | `S${Letter<'ABCDEGHIJKLMNORSTVXYZ'>}`
  | `T${Letter<'ACDGHJKLMNORTVWZ'>}`
  | `U${Letter<'AGSYZ'>}`
  | `V${Letter<'ACEGINU'>}`
  | `W${Letter<'FS'>}`
  | `X${Letter<'K'>}`
  | `Y${Letter<'ET'>}`
  | `Z${Letter<'AMW'>}`;
