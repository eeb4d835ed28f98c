/** The namespace of every document of S3. */
export const xmlns = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
