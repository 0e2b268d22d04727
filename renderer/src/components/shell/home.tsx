import { Navigate } from 'react-router';
import { useRead } from '../../api/queries.ts';

/** Leads an address without a page on: to the welcome until the first keys are made, then the documents. */
export function Home() {
  const firstRun = useRead('GET /console/state').data?.first_run ?? false;
  return <Navigate to={firstRun ? '/welcome' : '/documents'} replace />;
}
