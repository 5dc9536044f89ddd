import type { AddHandlers } from './options.ts';

/** The handlers of your app. This one fails for one kind of message, to show what becomes of it. */
export const addHandlers: AddHandlers = (webhooks) => {
  webhooks.on('message.created', async ({ data }) => {
    if (data.body === 'fail') {
      throw new Error('The handler failed, as the message asked.');
    }
    console.log(`handled: ${data.body}`);
  });
};
