import { call } from '../api/call.ts';
import { connection } from '../api/events.ts';
import type { Info } from '../api/types.ts';
import { useLive } from '../live/live.ts';
import { linkTo } from '../live/route.ts';
import { CopyButton } from '../ui/buttons.tsx';
import { Time } from '../ui/text.tsx';

interface HeaderProps {
  readonly links: readonly { readonly path: string; readonly name: string }[];
  readonly current: string;
}

const CONNECTION = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Connection lost, trying again…',
} as const;

/** The name of the page, its views, whether events arrive, and what a client of the mock needs. */
export const Header = ({ links, current }: HeaderProps) => {
  const { value: info } = useLive('info', ['clock'], async () => (await call<Info>('info')).data);
  const access =
    info &&
    ([
      ['Base URL', 'base URL', info.baseUrl],
      ['Key', 'key', info.apiKey],
    ] as const);
  return (
    <header class="top">
      <p class="brand">
        <span class="mark" aria-hidden="true" /> confab mock
      </p>
      <nav class="views" aria-label="Views">
        {links.map(({ path, name }) => (
          <a key={path} href={linkTo(path)} aria-current={name === current ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <div class="state">
        {info && (
          <a class="now sub" href={linkTo('clock')}>
            <span class="hidden">Clock: </span>
            <Time at={info.clock.now} />
          </a>
        )}
        <p class={`connection ${connection.value}`} role="status">
          {CONNECTION[connection.value]}
        </p>
      </div>
      {access && (
        <dl class="access">
          {access.map(([label, what, text]) => (
            <div key={what}>
              <dt class="sub">{label}</dt>
              <dd>
                <code>{text}</code>
                <CopyButton what={what} text={text} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </header>
  );
};
