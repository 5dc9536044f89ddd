import type { Conversation, Message } from '@confab/client/contract';

const find = <E extends Element>(selector: string): E => {
  const element = document.querySelector<E>(selector);
  if (element === null) {
    throw new Error(`The page has no element ${selector}`);
  }
  return element;
};

const time = (dateTime: string): string => new Date(dateTime).toLocaleString();

/** The dynamic parts of the page. */
export const view = {
  inbound: find<HTMLButtonElement>('#inbound'),
  reply: find<HTMLFormElement>('#reply'),

  conversations(
    all: readonly Conversation[],
    current: string | undefined,
    choose: (id: string) => void,
  ): void {
    const rows = all.map((conversation) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = `${conversation.channel} · ${time(conversation.lastMessageAt ?? conversation.createdAt)}`;
      button.setAttribute('aria-current', String(conversation.id === current));
      button.addEventListener('click', () => choose(conversation.id));
      const row = document.createElement('li');
      row.append(button);
      return row;
    });
    find('#conversations').replaceChildren(...rows);
  },

  thread(conversation: Conversation, messages: readonly Message[]): void {
    find('#title').textContent = `${conversation.channel}, ${conversation.status}`;
    const rows = messages.map(({ direction, content }) => {
      const row = document.createElement('li');
      row.className = direction;
      row.textContent = content;
      return row;
    });
    find('#thread').replaceChildren(...rows);
    view.reply.hidden = false;
  },
};
