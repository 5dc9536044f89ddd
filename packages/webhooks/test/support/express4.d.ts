declare module 'express4' {
  // The types of 5 fit what the tests use of 4.
  export { default } from 'express';
}
