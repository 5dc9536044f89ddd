/** The function that `catch` calls with the reason. As with any promise, the reason has the type `any`. */
// biome-ignore lint/suspicious/noExplicitAny: `catch` of a promise has the same type.
export type OnRejected<Result> = ((reason: any) => Result | PromiseLike<Result>) | null | undefined;
