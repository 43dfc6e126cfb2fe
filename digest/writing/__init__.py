"""Say it: from a reading to a digest in English and Chinese, and to a document."""
