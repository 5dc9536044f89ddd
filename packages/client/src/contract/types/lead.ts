import type { OpenEnum } from './open-enum.ts';
import type { PagingQuery } from './paging.ts';

/** The step that a lead has reached. */
export type LeadStatus = 'new' | 'active' | 'qualified' | 'converted' | 'lost';

/** A contact or prospect. */
export interface Lead {
  /** The id of the lead, a UUID. */
  id: string;
  /** The id of the pipeline that the lead belongs to, a UUID. */
  pipelineId: string;
  /** The phone number in E.164 format, such as `+5511987654321`; `null` if the lead has none. */
  phone: string | null;
  /** The name to show for the lead; `null` if it has none. */
  displayName: string | null;
  /** The email address of the lead; `null` if it has none. */
  email: string | null;
  /** Where the lead came from. */
  source: string;
  /** The step that the lead has reached. New values may be added. */
  status: OpenEnum<LeadStatus>;
  /** When the lead was created, as an RFC 3339 date-time. */
  createdAt: string;
}

/** The body that creates a lead. */
export interface LeadCreate {
  /**
   * The phone number in E.164 format, such as `+5511987654321`, or a value that the service can normalize to it. No two
   * leads of an account have the same one.
   */
  phone: string;
  /** The name to show for the lead; `null` for none. */
  displayName?: string | null | undefined;
  /** The email address of the lead; `null` for none. */
  email?: string | null | undefined;
  /** Where the lead came from. The API does not publish the default. */
  source?: string | undefined;
  /** The id of the pipeline to put the lead into, a UUID; the first pipeline of the account if it is left out. */
  pipelineId?: string | undefined;
  /** Internal notes about the lead; `null` for none. The API accepts notes but never returns them. */
  notes?: string | null | undefined;
}

/** The body that updates a lead. Fields that are left out keep their values. */
export interface LeadUpdate {
  /** The name to show for the lead; `null` removes it. */
  displayName?: string | null | undefined;
  /** The email address of the lead; `null` removes it. */
  email?: string | null | undefined;
  /** Internal notes about the lead; `null` removes them. The API accepts notes but never returns them. */
  notes?: string | null | undefined;
  /** The step that the lead has reached. */
  status?: LeadStatus | undefined;
}

/** The query parameters that list leads. */
export interface LeadListQuery extends PagingQuery {
  /** Only leads with this status. The API accepts any string here. */
  status?: OpenEnum<LeadStatus> | undefined;
  /** Only leads from this source. */
  source?: string | undefined;
  /** Only rows of the pipeline with this id, a UUID. */
  pipelineId?: string | undefined;
  /** Only leads that match this text. The API does not publish which fields it searches. */
  search?: string | undefined;
}
