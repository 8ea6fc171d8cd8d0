extension Engine {
  /// Keeps the texts of what was news until the reporter has written them down.
  func keep(_ takings: [Holdings.Taking], _ texts: [[ReportQueue.Text]]) {
    guard reporter != nil else { return }
    for (taking, texts) in zip(takings, texts) {
      if case .news = taking { holdings.unreported += texts }
    }
    holdings.unreported = holdings.unreported.suffix(ReportQueue.greatestLength)
  }

  /// Hands what was news to the reporter; what it could not write down stays in the cache.
  func report() async {
    guard let reporter, !holdings.unreported.isEmpty else { return }
    let texts = holdings.unreported
    guard await reporter.add(texts) else { return }
    let written = Set(texts)
    holdings.unreported.removeAll(where: written.contains)
  }
}
