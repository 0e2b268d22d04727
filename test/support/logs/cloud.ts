import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

const trail = (clock: Clock, source: string, name: string, extra: Record<string, unknown> = {}) =>
  JSON.stringify({
    eventVersion: '1.08',
    userIdentity: { type: 'AssumedRole', arn: 'arn:aws:sts::111122223333:assumed-role/app/i-0a1b' },
    eventTime: clock.iso(),
    eventSource: `${source}.amazonaws.com`,
    eventName: name,
    awsRegion: 'ap-southeast-1',
    sourceIPAddress: '10.0.4.21',
    userAgent: 'aws-sdk-go/1.55.5',
    ...extra,
  });
const audit = (clock: Clock, verb: string, resource: string, username: string) =>
  JSON.stringify({
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    auditID: 'a',
    stage: 'ResponseComplete',
    verb,
    user: { username },
    sourceIPs: ['10.0.4.21'],
    objectRef: { resource, namespace: 'shop', name: 'web' },
    responseStatus: { code: 200 },
    requestReceivedTimestamp: clock.iso(),
  });

export function cloudLine(random: Random, clock: Clock): string {
  const kind = random.int(0, 7);
  if (kind === 0)
    return trail(clock, 'ec2', random.pick(['DescribeInstances', 'DescribeVolumes', 'CreateTags']));
  if (kind === 1)
    return trail(clock, 's3', random.pick(['GetObject', 'PutObject', 'ListObjects']), {
      requestParameters: { bucketName: 'shop-images', key: 'a.jpg' },
    });
  if (kind === 2)
    return trail(clock, 'signin', 'ConsoleLogin', {
      userIdentity: { type: 'IAMUser', userName: 'aisyah' },
      additionalEventData: { MFAUsed: 'Yes' },
      responseElements: { ConsoleLogin: 'Success' },
    });
  if (kind === 3) return trail(clock, 'kms', 'Decrypt');
  if (kind === 4)
    return audit(
      clock,
      random.pick(['get', 'list', 'watch']),
      random.pick(['pods', 'services', 'endpoints', 'configmaps']),
      'system:serviceaccount:kube-system:kube-proxy',
    );
  if (kind === 5) return audit(clock, random.pick(['update', 'patch']), 'deployments', 'aisyah@corp.example');
  if (kind === 6)
    return JSON.stringify({
      time: clock.iso(),
      operationName: 'Sign-in activity',
      category: 'SignInLogs',
      ResultType: '0',
      userPrincipalName: 'ravi@corp.example',
      appDisplayName: 'Office 365',
      ipAddress: '203.0.113.24',
    });
  return JSON.stringify({
    CreationTime: clock.iso(),
    Workload: 'SharePoint',
    Operation: random.pick(['FileAccessed', 'FileModified', 'FileUploaded']),
    RecordType: 6,
    UserId: 'weiming@corp.example',
    ObjectId: 'https://corp.sharepoint.com/sites/hr/doc.docx',
  });
}
