import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Message } from '../../api/types.ts';
import { run } from '../../live/action.ts';
import { useLive } from '../../live/live.ts';
import { linkTo } from '../../live/route.ts';
import { Form } from '../../ui/form.tsx';
import { Time } from '../../ui/text.tsx';
import { Empty, Loaded } from '../../ui/view.tsx';
import type { NamedConversation } from './load.ts';
import { loadMessages } from './load.ts';

const SENDERS: Readonly<Record<string, string>> = { lead: 'You', ai: 'Agent', human: 'Team' };

const Bubble = ({ message }: { readonly message: Message }) => (
  <li class={message.direction === 'inbound' ? 'bubble mine' : 'bubble'}>
    <span class="hidden">{SENDERS[message.senderType] ?? message.senderType}: </span>
    <span class="break">{message.content ?? '(no text)'}</span>
    <span class="sub">
      <span aria-hidden="true">{SENDERS[message.senderType] ?? message.senderType}</span>{' '}
      <Time at={message.createdAt} short />
    </span>
  </li>
);

const Bubbles = ({ messages }: { readonly messages: readonly Message[] }) => {
  const end = useRef<HTMLDivElement>(null);
  const { length } = messages;
  // The latest message is the one to see, as on a phone.
  useLayoutEffect(() => {
    if (length > 0) {
      end.current?.scrollTo({ top: end.current.scrollHeight });
    }
  }, [length]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <div class="bubbles" ref={end} role="log" aria-label="Messages" tabIndex={0}>
      {length === 0 ? (
        <Empty title="No messages yet">Write the first one below.</Empty>
      ) : (
        <ol>
          {messages.map((message) => (
            <Bubble key={message.id} message={message} />
          ))}
        </ol>
      )}
    </div>
  );
};

/** A conversation as its lead sees it: what the lead wrote is on the right. */
export const Phone = ({ conversation }: { readonly conversation: NamedConversation }) => {
  const { id, name, channel, status } = conversation;
  const live = useLive(id, ['rows'], () => loadMessages(id));
  return (
    <section class="phone" aria-label={`Conversation of ${name}`}>
      <header class="phone-head">
        <a class="back" href={linkTo('conversations')}>
          All conversations
        </a>
        <h2>{name}</h2>
        <p class="sub">
          {channel}, {status}
        </p>
      </header>
      <Loaded live={live}>{(messages) => <Bubbles messages={messages} />}</Loaded>
      <div class="composer">
        <Form
          submit="Send"
          onSubmit={async ({ body = '' }, form) => {
            await run('inbound', { body: { conversationId: id, body }, changes: ['rows', 'deliveries'] });
            form.reset();
          }}
        >
          <label class="hidden" for="composer">
            Message as {name}
          </label>
          <textarea
            id="composer"
            name="body"
            rows={1}
            required
            placeholder={`Write as ${name}`}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
                event.preventDefault();
                event.currentTarget.form?.requestSubmit();
              }
            }}
          />
        </Form>
      </div>
    </section>
  );
};
