import JobRunner
