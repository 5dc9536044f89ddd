import { Suspense } from 'react';

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <Suspense fallback="Loading">{children}</Suspense>
      </body>
    </html>
  );
}
