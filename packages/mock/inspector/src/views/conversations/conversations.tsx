import { useState } from 'preact/hooks';
import { useLive } from '../../live/live.ts';
import { linkTo, route } from '../../live/route.ts';
import { Time } from '../../ui/text.tsx';
import { Empty, Loaded, View } from '../../ui/view.tsx';
import type { NamedConversation } from './load.ts';
import { loadConversations } from './load.ts';
import { NewConversation } from './new-conversation.tsx';
import { Phone } from './phone.tsx';

interface ListProps {
  readonly conversations: readonly NamedConversation[];
  readonly current: string | undefined;
}

const List = ({ conversations, current }: ListProps) => (
  <nav class="conversations" aria-label="Conversations">
    {conversations.map(({ id, name, channel, lastMessageAt, createdAt }) => (
      <a key={id} href={linkTo('conversations', id)} aria-current={id === current ? 'page' : undefined}>
        <strong>{name}</strong>
        <span class="sub">
          {channel} <Time at={lastMessageAt ?? createdAt} />
        </span>
      </a>
    ))}
  </nav>
);

/** Conversations in which one plays the lead. */
export const Conversations = () => {
  const live = useLive('conversations', ['rows'], loadConversations);
  const [adding, setAdding] = useState(false);
  const [, id] = route.value;
  return (
    <View
      title="Conversations"
      intro="Play the lead: write as a customer would, and see how the app replies."
      tools={
        <button type="button" class="primary" onClick={() => setAdding(true)}>
          New conversation
        </button>
      }
    >
      <Loaded live={live}>
        {(conversations) => {
          const open = conversations.find((each) => each.id === id);
          return conversations.length === 0 ? (
            <Empty title="No conversations yet">
              Start one: you write as a lead, and the app receives the message as a webhook.
            </Empty>
          ) : (
            <div class={open === undefined ? 'messenger' : 'messenger opened'}>
              <List conversations={conversations} current={id} />
              {open === undefined ? (
                <Empty title="No conversation is open">Choose one from the list, or start a new one.</Empty>
              ) : (
                <Phone key={open.id} conversation={open} />
              )}
            </div>
          );
        }}
      </Loaded>
      {adding && <NewConversation onClose={() => setAdding(false)} />}
    </View>
  );
};
