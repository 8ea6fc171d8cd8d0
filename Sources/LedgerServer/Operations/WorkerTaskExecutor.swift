/// Runs tasks on threads of their own: they read the store, which may wait, and whoever stops the
/// server waits for them, perhaps on the last thread that tasks have in common.
final class WorkerTaskExecutor: TaskExecutor {
  private let pool = WorkerPool(threads: 2, capacity: .max)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    _ = pool.submit { job.runSynchronously(on: executor) }
  }

  /// Ends the threads, once every task has ended.
  func close() {
    pool.close()
  }
}
