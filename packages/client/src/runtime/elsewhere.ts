/** Does nothing. It is not an arrow function, because bundlers remove calls of this one. */
export function showAs(): void {}

export function userAgent(): undefined {}

export function consoleLogger(): undefined {}
