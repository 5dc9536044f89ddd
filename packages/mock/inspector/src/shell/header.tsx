import { useEffect, useRef } from 'preact/hooks';
import { connection } from '../api/events.ts';
import { info, useInfo } from '../live/info.ts';
import { linkTo } from '../live/route.ts';
import { CopyButton } from '../ui/buttons.tsx';
import { Middle, Time } from '../ui/text.tsx';

interface HeaderProps {
  readonly views: readonly string[];
  readonly current: string;
}

const CONNECTION = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Connection lost, trying again…',
} as const;

/** The links to the views. A narrow screen shows some of them, including the open one. */
const Views = ({ views, current }: HeaderProps) => {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [current]);
  return (
    <nav class="views" aria-label="Views" ref={nav}>
      {views.map((name) => (
        <a key={name} href={linkTo(name.toLowerCase())} aria-current={name === current ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
};

/** The name of the page, its views, the state of the connection, and the base URL and key for a client. */
export const Header = (props: HeaderProps) => {
  useInfo();
  const { value } = info;
  return (
    <header class="top">
      <strong class="brand">
        <span class="mark" aria-hidden="true" /> confab mock
      </strong>
      <Views {...props} />
      <div class="state">
        {value && (
          <a class="now sub" href={linkTo('clock')}>
            <span class="hidden">Clock: </span>
            <Time at={value.clock.now} />
          </a>
        )}
        <p class={`connection ${connection.value}`} role="status">
          {CONNECTION[connection.value]}
        </p>
      </div>
      {value && (
        <dl class="access">
          <div>
            <dt class="sub">Base URL</dt>
            <dd>
              <Middle text={value.baseUrl} />
              <CopyButton what="URL" text={value.baseUrl} />
            </dd>
          </div>
          <div>
            <dt class="sub">Key</dt>
            <dd>
              <span class="no-phone">
                <Middle text={value.apiKey} />
              </span>
              <CopyButton what="key" text={value.apiKey} />
            </dd>
          </div>
        </dl>
      )}
    </header>
  );
};
