import { useRef } from 'preact/hooks';
import { info } from '../../live/info.ts';
import { useLive } from '../../live/live.ts';
import { linkTo, route } from '../../live/route.ts';
import { DialogButton } from '../../ui/dialog.tsx';
import { Ago } from '../../ui/text.tsx';
import { Empty, Loaded, View } from '../../ui/view.tsx';
import type { NamedConversation } from './load.ts';
import { activityOf, loadConversations, senderOf, textOf } from './load.ts';
import { NewConversation } from './new-conversation.tsx';
import { Phone } from './phone.tsx';

const Entry = ({ shown, current }: { readonly shown: NamedConversation; readonly current: boolean }) => (
  <a href={linkTo('conversations', shown.id)} aria-current={current ? 'page' : undefined}>
    <strong>{shown.name}</strong>
    <Ago at={activityOf(shown)} now={info.value?.clock.now} />
    <span class="sub">
      {shown.latest ? `${senderOf(shown.latest)}: ${textOf(shown.latest)}` : shown.channel}
    </span>
  </a>
);

/** Conversations in which the user plays the lead. */
export const Conversations = () => {
  const live = useLive(['rows'], loadConversations);
  // Kept from the start, so that a conversation that becomes the newest does not replace the open one.
  const newest = useRef<string | undefined>(undefined);
  newest.current ??= live.value?.[0]?.id;
  const [, chosen] = route.value;
  return (
    <View
      title="Conversations"
      intro="Play the lead: write as a customer would, and see how the app replies."
      tools={<DialogButton label="New conversation" dialog={<NewConversation />} />}
    >
      <Loaded live={live}>
        {(conversations) => {
          const open = conversations.find(({ id }) => id === (chosen ?? newest.current)) ?? conversations[0];
          return open === undefined ? (
            <Empty title="No conversations yet">
              Start one: you write as a lead, and the app receives the message as a webhook.
            </Empty>
          ) : (
            // A narrow screen shows either the list or the conversation that was chosen.
            <div class={chosen === undefined ? 'messenger' : 'messenger opened'}>
              <nav class="conversations" aria-label="Conversations">
                {conversations.map((each) => (
                  <Entry key={each.id} shown={each} current={each === open} />
                ))}
              </nav>
              <Phone key={open.id} conversation={open} />
            </div>
          );
        }}
      </Loaded>
    </View>
  );
};
