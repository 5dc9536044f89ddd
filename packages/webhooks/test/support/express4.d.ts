declare module 'express4' {
  // The types of version 5 fit the used part of version 4.
  export { default } from 'express';
}
