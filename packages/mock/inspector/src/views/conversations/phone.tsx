import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Message } from '../../api/types.ts';
import { run } from '../../live/action.ts';
import { useLive } from '../../live/live.ts';
import { linkTo } from '../../live/route.ts';
import { Field } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Time } from '../../ui/text.tsx';
import { Empty, Loaded } from '../../ui/view.tsx';
import type { NamedConversation } from './load.ts';
import { loadMessages, senderOf, textOf } from './load.ts';

/** Pixels from the end within which the user is reading the latest messages. */
const NEAR_END = 40;

const Bubbles = ({ messages }: { readonly messages: readonly Message[] }) => {
  const region = useRef<HTMLDivElement>(null);
  // Follows the latest message, as on a phone, unless the user has scrolled up.
  const atEnd = useRef(true);
  const { length } = messages;
  useLayoutEffect(() => {
    if (atEnd.current && length > 0) {
      region.current?.scrollTo({ top: region.current.scrollHeight });
    }
  }, [length]);
  return (
    <div
      class="bubbles"
      ref={region}
      role="log"
      aria-label="Messages"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END;
      }}
    >
      {length === 0 ? (
        <Empty title="No messages yet">Write the first one below.</Empty>
      ) : (
        <ol>
          {messages.map((message) => (
            <li key={message.id} class={message.direction === 'inbound' ? 'bubble mine' : 'bubble'}>
              <span class="sub">
                {senderOf(message)} <Time at={message.createdAt} short />
              </span>
              <span class="break">{textOf(message)}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
};

/** A conversation as its lead sees it, with the messages of the lead on the right. */
export const Phone = ({ conversation }: { readonly conversation: NamedConversation }) => {
  const { id, name, channel, status } = conversation;
  const live = useLive(['rows'], () => loadMessages(id));
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
            await run('inbound', { body: { conversationId: id, body } });
            form.reset();
          }}
        >
          <Field
            type="area"
            label={`Message as ${name}`}
            name="body"
            required
            placeholder={`Write as ${name}`}
          />
        </Form>
      </div>
    </section>
  );
};
